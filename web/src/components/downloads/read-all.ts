import type { Page } from '../../api/pages.ts';

/** A file has the newest records, so that it neither takes minutes nor fills the memory of the page. */
const MAX_EXPORTED = 50_000;

/** What a file has of a list. */
export interface ExportedCount {
  readonly count: number;
  /** Whether the list has more that the file does not have. */
  readonly isPart: boolean;
}

/**
 * Reads the pages of a list for a file, the newest first.
 * @param onProgress Called with the number of records so far.
 * @throws ApiError
 */
export async function readAll<T>(
  readPage: (cursor: string | undefined) => Promise<Page<T>>,
  use: (records: readonly T[]) => void,
  onProgress: (count: number) => void,
): Promise<ExportedCount> {
  let count = 0;
  let cursor: string | undefined;
  do {
    const { items, next } = await readPage(cursor);
    use(items);
    count += items.length;
    cursor = next;
    onProgress(count);
  } while (cursor !== undefined && count < MAX_EXPORTED);
  return { count, isPart: cursor !== undefined };
}

/** Passes on records that are read already, for a file. */
export function allOf<T>(records: readonly T[], isPart: boolean) {
  return async (use: (records: readonly T[]) => void): Promise<ExportedCount> => {
    use(records);
    return { count: records.length, isPart };
  };
}
