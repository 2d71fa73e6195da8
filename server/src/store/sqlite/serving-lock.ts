import { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../../domain/errors.ts';
import { isBusy } from './busy.ts';
import { createPrivately } from './private-file.ts';

/**
 * Sees to it that one process alone serves a database, because it counts requests in memory. The lock is an
 * exclusive transaction on a small file beside the data: the system frees it however the process ends.
 */
export class ServingLock {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  static acquire(file: string): ServingLock {
    const lockFile = `${file}-serving`;
    let database: DatabaseSync | undefined;
    try {
      createPrivately(lockFile);
      database = new DatabaseSync(lockFile, { timeout: 0 });
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      return new ServingLock(database);
    } catch (error) {
      database?.close();
      throw new OperatorError(
        isBusy(error)
          ? `Another petstore-server is serving ${file}; stop it, or set PETSTORE_DATABASE to another file.`
          : `${lockFile} cannot be locked (${(error as Error).message}); remove it, or set PETSTORE_DATABASE to another file.`,
      );
    }
  }

  release(): void {
    this.#database.close();
  }
}
