import { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../../domain/errors.ts';

/** SQLite's primary result code when another connection holds the lock (sqlite.org/rescode.html). */
const SQLITE_BUSY = 5;

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
      database = new DatabaseSync(lockFile, { timeout: 0 });
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      return new ServingLock(database);
    } catch (error) {
      database?.close();
      const { errcode = 0, message } = error as Error & { errcode?: number };
      throw new OperatorError(
        errcode % 256 === SQLITE_BUSY
          ? `Another petstore-server is serving ${file}; stop it, or set PETSTORE_DATABASE to another file.`
          : `${lockFile} cannot be locked (${message}); remove it, or set PETSTORE_DATABASE to another file.`,
      );
    }
  }

  release(): void {
    this.#database.close();
  }
}
