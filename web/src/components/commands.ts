import { useEffect, useRef, useSyncExternalStore } from 'react';
import { Listeners } from '../listeners.ts';

/** A command of the palette. */
interface Command {
  readonly label: string;
  /** The key that does the same. */
  readonly keys?: string;
  run(): void;
}

const listeners = new Listeners();
let commands: readonly Command[] = [];

function change(next: readonly Command[]): void {
  commands = next;
  for (const listener of listeners) listener();
}

/** The commands of the pages that are mounted. */
export const useCommands = (): readonly Command[] =>
  useSyncExternalStore(listeners.subscribe, () => commands);

/** Offers commands in the palette while the component is mounted. A label is unique. */
export function useOfferedCommands(offered: readonly Command[]): void {
  const latest = useRef(offered);
  useEffect(() => {
    latest.current = offered;
  });
  const labels = offered.map(({ label, keys = '' }) => `${label}\t${keys}`).join('\n');
  useEffect(() => {
    const own =
      labels === ''
        ? []
        : labels.split('\n').map((line, index) => {
            const [label = '', keys = ''] = line.split('\t');
            return { label, ...(keys !== '' && { keys }), run: () => latest.current[index]?.run() };
          });
    change([...commands, ...own]);
    return () => change(commands.filter((command) => !own.includes(command)));
  }, [labels]);
}
