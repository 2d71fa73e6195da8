/** SQLite's primary result codes are the low byte of an extended one (sqlite.org/rescode.html). */
const SQLITE_BUSY = 5;

/** Whether an error says that another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return ((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY;
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED: ReadonlySet<number> = new Set([11, 26]);

/** Whether an error says that the file does not contain a sound database. */
export function isDamaged(error: unknown): boolean {
  return DAMAGED.has(((error as { errcode?: number } | undefined)?.errcode ?? 0) % 256);
}

const SQLITE_IOERR = 10;

/** Whether an error says that the disk failed, which says nothing about what is on it. */
export function isDiskError(error: unknown): boolean {
  return ((error as { errcode?: number } | undefined)?.errcode ?? 0) % 256 === SQLITE_IOERR;
}
