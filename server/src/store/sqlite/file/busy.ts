import type { DatabaseSync } from 'node:sqlite';

/** SQLite's primary result codes are the low byte of an extended one (sqlite.org/rescode.html). */
const SQLITE_BUSY = 5;

/** Whether an error says that another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return ((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY;
}

const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
const DAMAGED: ReadonlySet<number> = new Set([SQLITE_CORRUPT, SQLITE_NOTADB]);

/** Whether an error says that the file does not contain a sound database. */
export function isDamaged(error: unknown): boolean {
  return DAMAGED.has(((error as { errcode?: number } | undefined)?.errcode ?? 0) % 256);
}

/**
 * Reads the whole file. SQLite reports damage also where the disk fails to read, so damage may pass.
 * @throws Error as that of damage, also where the file lacks movements that this process has seen.
 */
export function requireSound(database: DatabaseSync, newestSequence: number): void {
  const { quick_check: verdict } = database.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
  const { sequence } = database
    .prepare('SELECT coalesce(max(sequence), 0) AS sequence FROM movements')
    .get() as { sequence: number };
  if (verdict === 'ok' && sequence >= newestSequence) return;
  const message = verdict === 'ok' ? `movements after ${sequence} are missing` : verdict;
  throw Object.assign(new Error(message), { errcode: SQLITE_CORRUPT });
}

const SQLITE_IOERR = 10;

/** Whether an error says that the disk failed, which says nothing about what is on it. */
export function isDiskError(error: unknown): boolean {
  return ((error as { errcode?: number } | undefined)?.errcode ?? 0) % 256 === SQLITE_IOERR;
}
