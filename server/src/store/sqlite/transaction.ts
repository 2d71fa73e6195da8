import type { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../../domain/errors.ts';
import { isBusy } from './busy.ts';

/** Carries out a work under the write lock: all of it, or nothing. */
export function inWriteTransaction<T>(database: DatabaseSync, work: () => T): T {
  try {
    database.exec('BEGIN IMMEDIATE');
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    if (!isBusy(error)) throw error;
    throw new OperatorError('The database is busy: another process kept it locked for seconds; try again.', {
      cause: error,
    });
  }
}
