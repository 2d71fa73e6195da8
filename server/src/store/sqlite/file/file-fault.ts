import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** The start of each SQLite file, and where its header has the bytes of a page and the number of pages (sqlite.org/fileformat2.html). */
const MAGIC = Buffer.from('SQLite format 3\0', 'latin1');
const HEADER_BYTES = 100;
const PAGE_BYTES_AT = 16;
const PAGES_AT = 28;
/** The header has this where a page is too large for its two bytes. */
const LARGEST_PAGE = 65_536;

/** What to do about a database file that is of no use. */
export const RESTORE_ADVICE =
  'restore a backup with petstore-server restore <backup> --replace, which keeps this file';

/**
 * What is wrong with the content of a file as a whole, as words that follow its name; `undefined` where its header fits its size. The
 * header counts what checkpoints wrote, so the file of a process that was killed during one can be too short without damage: only a
 * file that SQLite refuses, or one without a log, is incomplete. Only before this process opens the file, or for one of no use: closing it
 * releases the POSIX locks of the connections to it.
 */
export function contentFault(file: string): string | undefined {
  const { size } = statSync(file);
  if (size === 0) return 'is empty';
  const head = Buffer.alloc(HEADER_BYTES);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, head, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(descriptor);
  }
  if (size < HEADER_BYTES) return `has only ${size} bytes, too few for a database`;
  if (!head.subarray(0, MAGIC.length).equals(MAGIC)) return 'is not a SQLite database';
  const pageBytes = head.readUInt16BE(PAGE_BYTES_AT);
  const expected = head.readUInt32BE(PAGES_AT) * (pageBytes === 1 ? LARGEST_PAGE : pageBytes);
  if (size >= expected) return undefined;
  return `has ${size} of the ${expected} bytes that its header names, so its end is missing`;
}
