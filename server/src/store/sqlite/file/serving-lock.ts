import { DatabaseSync } from 'node:sqlite';
import { isForbidden } from '../../../domain/disk.ts';
import { OperatorError } from '../../../domain/errors.ts';
import { isBusy } from './busy.ts';
import { createPrivately } from './private-file.ts';

/**
 * Lets only one process serve a database, because it counts requests in memory. The lock is an exclusive transaction
 * on a small file next to the data: the system releases it however the process ends.
 */
export class ServingLock {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** @param held Makes the error for a lock that another process has. */
  static acquire(file: string, held = (): OperatorError => servedByAnother(file)): ServingLock {
    const lockFile = `${file}-serving`;
    let database: DatabaseSync | undefined;
    try {
      createPrivately(lockFile);
      database = new DatabaseSync(lockFile, { timeout: 0 });
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      return new ServingLock(database);
    } catch (error) {
      database?.close();
      if (isBusy(error)) throw held();
      throw new OperatorError(
        `${lockFile} cannot be locked (${(error as Error).message}); ${isForbidden(error) ? 'run this as the user of the service' : 'remove it'}, or set PETSTORE_DATABASE to another file.`,
      );
    }
  }

  release(): void {
    this.#database.close();
  }
}

function servedByAnother(file: string): OperatorError {
  return new OperatorError(
    `Another petstore-server is serving ${file}; stop it, or set PETSTORE_DATABASE to another file.`,
  );
}
