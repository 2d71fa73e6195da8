import type { Tokens } from 'marked';
import { plainText } from './guides.ts';

const KINDS = { variable: 'Variable', metric: 'Metric', command: 'Command' } as const;

export type EntryKind = (typeof KINDS)[keyof typeof KINDS];

/** A row of a table that has its own address: a variable, a metric or a command. */
export interface Entry {
  /** The id on its page. */
  readonly id: string;
  readonly kind: EntryKind;
  /** Such as `petstore-server accounts create, list, set-plan`. */
  readonly title: string;
  /** The words of the other cells. */
  readonly text: string;
}

/** The programs whose commands the tables of a guide list. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'docs/operating.md': 'petstore-server',
  'client/README.md': 'petstore',
};

/**
 * What a row is about: the heading of the first column decides the kind, its code has the names.
 * @param path The guide, in the repository.
 */
export function entryOf(
  path: string,
  { header }: Tokens.Table,
  cells: readonly Tokens.TableCell[],
): Entry | undefined {
  const heading = header[0]?.text ?? '';
  if (!(heading in KINDS)) return undefined;
  const kind = KINDS[heading as keyof typeof KINDS];
  const program = kind === 'Command' ? PROGRAMS[path] : '';
  const [first, ...others] = cells;
  const names = (first?.tokens ?? []).flatMap((token) =>
    token.type === 'codespan' ? [token.text as string] : [],
  );
  if (program === undefined || names.length === 0) return undefined;
  return {
    id: `${program} ${names[0]}`
      .toLowerCase()
      .replaceAll(/[^a-z0-9_]+/g, '-')
      .replaceAll(/^-|-$/g, ''),
    kind,
    title: `${program} ${names.join(', ')}`.trim(),
    text: others.map(({ tokens }) => plainText(tokens)).join(' '),
  };
}
