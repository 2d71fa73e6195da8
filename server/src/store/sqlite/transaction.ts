import type { DatabaseSync } from 'node:sqlite';
import { isDiskFull } from '../../domain/disk.ts';
import { OperatorError } from '../../domain/errors.ts';
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
    writeFirstPage(database);
    return true;
  } catch {
    return false;
  }
}

/** Whether the disk has no room for a commit of one page. Any other error is left to the first change. */
export function findFullDisk(database: DatabaseSync): boolean {
  try {
    writeFirstPage(database);
    return false;
  } catch (error) {
    return isDiskFull(error);
  }
}

function writeFirstPage(database: DatabaseSync): void {
  database.exec('PRAGMA user_version = 1');
}

/**
 * Runs a command under the write lock: all of it, or nothing. The connection must not run anything else until it ends.
 * @throws OperatorError when the database is busy, or when it is not certain that nothing was changed.
 */
export async function inAsyncWriteTransaction<T>(
  database: DatabaseSync,
  command: () => Promise<T>,
): Promise<T> {
  let result: T;
  try {
    database.exec('BEGIN IMMEDIATE');
    result = await command();
  } catch (error) {
    throw rolledBack(database, error);
  }
  commit(database);
  return result;
}

function commit(database: DatabaseSync): void {
  try {
    database.exec('COMMIT');
  } catch (error) {
    if (undoFailedCommit(database, error)) throw asOperatorError(error);
    throw new OperatorError(
      `The disk did not confirm the change (${(error as Error).message}), so it may be there or not; check the disk, restart the service if one runs, and look before you try again.`,
      { code: 'service_unavailable', cause: error },
    );
  }
}

/** Rolls back, and returns the error that the caller throws. */
function rolledBack(database: DatabaseSync, error: unknown): unknown {
  if (database.isTransaction) database.exec('ROLLBACK');
  return asOperatorError(error);
}

function asOperatorError(error: unknown): unknown {
  if (!isBusy(error)) return error;
  return new OperatorError('The database is busy: another process kept it locked for seconds; try again.', {
    code: 'service_unavailable',
    cause: error,
  });
}
