import type { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../../domain/errors.ts';
import { undoFailedCommit } from './failed-commit.ts';
import { isBusy } from './file/busy.ts';

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
