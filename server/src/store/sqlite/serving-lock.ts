import { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../../domain/errors.ts';

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
    const database = new DatabaseSync(`${file}-serving`, { timeout: 0 });
    try {
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      return new ServingLock(database);
    } catch {
      database.close();
      throw new OperatorError(
        `Another petstore-server is serving ${file}; stop it, or set PETSTORE_DATABASE to another file.`,
      );
    }
  }

  release(): void {
    this.#database.close();
  }
}
