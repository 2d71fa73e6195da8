import type { DatabaseSync } from 'node:sqlite';
import { isBusy } from './file/busy.ts';

/**
 * SQLITE_FULL and SQLITE_IOERR_WRITE (sqlite.org/rescode.html): the record that ends the transaction is not complete.
 */
const NEVER_COMPLETE = new Set([13, 778]);
const SQLITE_CONSTRAINT = 19;

/**
 * Ends a transaction whose COMMIT failed. Returns whether it is certain that nothing of it can come back.
 *
 * A COMMIT whose fsync failed has written its transaction to the log, whole. This process and others that have the
 * database open do not see it there, but the next process to read the log after a crash would.
 */
export function undoFailedCommit(database: DatabaseSync, error: unknown): boolean {
  if (database.isTransaction) database.exec('ROLLBACK');
  const { errcode = 0 } = error as { errcode?: number };
  const isIncomplete = NEVER_COMPLETE.has(errcode) || errcode % 256 === SQLITE_CONSTRAINT;
  return isIncomplete || isBusy(error) || overwriteFailedCommit(database);
}

/**
 * Commits a change of the first page, which takes the place of a failed transaction in the log: the checksums of what
 * follows there then fit no more. Returns whether that is on disk. The value itself means nothing; SQLite writes the
 * page also where the value stays.
 */
export function overwriteFailedCommit(database: DatabaseSync): boolean {
  try {
    database.exec('PRAGMA user_version = 1');
    return true;
  } catch {
    return false;
  }
}
