import type { SqlDialect } from '../sql-client.ts';

/**
 * A search for a part of one of some texts, in capital or small letters. The engines fold only the letters of ASCII alike, so a
 * condition of SQL leaves out rows that cannot match, and `matches` decides about the others.
 */
export interface TextSearch {
  /** The value of the pattern in `condition`. */
  readonly pattern: string;
  matches(texts: readonly (string | null)[]): boolean;
}

export function textSearch(words: string): TextSearch {
  const wanted = words.trim();
  const folded = wanted.toLowerCase();
  // Before they are folded, because the small form of another character may have letters of ASCII.
  const ascii = wanted.replace(/[^ -~]+/g, '%');
  const parts = ascii.split('%').map((part) => part.toLowerCase().replace(/[!_]/g, '!$&'));
  return {
    pattern: `%${parts.join('%')}%`,
    matches: (texts) => texts.some((text) => text?.toLowerCase().includes(folded)),
  };
}

/** @param place The place of `TextSearch.pattern` among the values. */
export const textCondition = (columns: readonly string[], place: string, { bytewise }: SqlDialect): string =>
  `(${columns.map((column) => `lower(${column} ${bytewise}) LIKE ${place} ESCAPE '!'`).join(' OR ')})`;

/** Each statement sorts the list again, so that one whose first rows do not match is read in larger parts. */
const ROWS_PER_READ = 10_000;

/**
 * The first rows of a list that match.
 * @param read Reads up to `count` rows after a row.
 */
export async function matchingRows<T>(
  read: (after: T | undefined, count: number) => Promise<readonly T[]>,
  matches: (row: T) => boolean,
  limit: number,
): Promise<readonly T[]> {
  const found: T[] = [];
  let after: T | undefined;
  for (let count = limit; ; count = Math.max(limit, ROWS_PER_READ)) {
    const rows = await read(after, count);
    for (const row of rows) if (matches(row)) found.push(row);
    if (found.length >= limit || rows.length < count) return found.slice(0, limit);
    after = rows.at(-1);
  }
}
