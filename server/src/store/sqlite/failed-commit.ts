import type { DatabaseSync } from 'node:sqlite';
import { isBusy } from './file/busy.ts';

/**
 * SQLITE_FULL and SQLITE_IOERR_WRITE (sqlite.org/rescode.html): the record that ends the transaction is not complete.
 */
const NEVER_COMPLETE = new Set([13, 778]);
const SQLITE_CONSTRAINT = 19;

/**
 * Ends a transaction whose COMMIT failed. Returns whether it is certain that a crash cannot restore it.
 *
 * A COMMIT whose fsync failed has written its whole transaction to the log. Processes that have the database open
 * ignore it there, but the first process that reads the log after a crash would apply it.
 */
export function undoFailedCommit(database: DatabaseSync, error: unknown): boolean {
  if (database.isTransaction) database.exec('ROLLBACK');
  const { errcode = 0 } = error as { errcode?: number };
  const isIncomplete = NEVER_COMPLETE.has(errcode) || errcode % 256 === SQLITE_CONSTRAINT;
  return isIncomplete || isBusy(error) || overwriteFailedCommit(database);
}

/**
 * Commits a change of the first page, which overwrites the beginning of a failed transaction in the log, so that the
 * checksums of the rest become invalid. Returns whether that commit is on disk. The value has no meaning; SQLite writes
 * the page also if the value is unchanged.
 */
export function overwriteFailedCommit(database: DatabaseSync): boolean {
  try {
    database.exec('PRAGMA user_version = 1');
    return true;
  } catch {
    return false;
  }
}
