import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react';
import { type Hotkey, isTakenBy, keyOf } from './hotkeys.ts';
import { meaningsOf } from './key-meanings.ts';

/** The keys of a part of the page, such as a table. */
export interface HotkeySection {
  readonly title: string;
  readonly hotkeys: readonly Hotkey[];
}

interface HotkeyRegistry {
  readonly sections: ReadonlySet<{ readonly current: HotkeySection }>;
  add(section: { readonly current: HotkeySection }): () => void;
}

const SEQUENCE_MS = 1_200;
const HotkeyContext = createContext<HotkeyRegistry | undefined>(undefined);

/** Listens for all keys of the page. The section that was added last wins. */
export function HotkeyProvider({ children }: { children: ReactNode }) {
  const sections = useRef(new Set<{ readonly current: HotkeySection }>());
  const registry = useMemo<HotkeyRegistry>(
    () => ({
      sections: sections.current,
      add: (section) => {
        sections.current.add(section);
        return () => void sections.current.delete(section);
      },
    }),
    [],
  );

  useEffect(() => {
    let first = '';
    let firstAtMs = 0;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const key = keyOf(event);
      const isTaken = isTakenBy(event.target);
      const hotkeys = [...sections.current].toReversed().flatMap(({ current }) => current.hotkeys);
      const reachable = hotkeys.filter(({ isGlobal }) => isGlobal || !isTaken);
      const before = performance.now() - firstAtMs < SEQUENCE_MS ? first : undefined;
      first = '';
      for (const hotkey of meaningsOf(reachable, key, before)) {
        if (hotkey.run(event) === false) continue;
        event.preventDefault();
        return;
      }
      if (!reachable.some(({ keys }) => keys.startsWith(`${key} `))) return;
      first = key;
      firstAtMs = performance.now();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);

  return <HotkeyContext value={registry}>{children}</HotkeyContext>;
}

function useRegistry(): HotkeyRegistry {
  const registry = useContext(HotkeyContext);
  if (!registry) throw new Error('Hotkeys need a HotkeyProvider above them.');
  return registry;
}

/** Makes keys work, and lists them in the sheet, while the component is mounted. */
export function useHotkeys(title: string, hotkeys: readonly Hotkey[]): void {
  const registry = useRegistry();
  const section = useRef<HotkeySection>({ title, hotkeys });
  useEffect(() => {
    section.current = { title, hotkeys };
  });
  useEffect(() => registry.add(section), [registry]);
}

/** All sections that have keys now; read when the sheet opens. */
export function useHotkeySections(): () => readonly HotkeySection[] {
  const registry = useRegistry();
  return () => [...registry.sections].map(({ current }) => current);
}
