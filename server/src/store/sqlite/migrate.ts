import type { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../../domain/errors.ts';
import {
  type AppliedMigration,
  foreignSchema,
  type Migration,
  migrationChecksum,
  olderSchema,
  pendingMigrations,
  servedOlderSchema,
} from '../schema/migrations.ts';
import { isBusy } from './file/busy.ts';
import { ServingLock } from './file/serving-lock.ts';
import { MIGRATIONS } from './migrations.ts';

function appliedMigrations(database: DatabaseSync): AppliedMigration[] {
  const exists = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'").get();
  if (!exists) return [];
  return database
    .prepare('SELECT version, checksum FROM schema_migrations ORDER BY version')
    .all() as unknown as AppliedMigration[];
}

function migrationsToDo(database: DatabaseSync, file: string): readonly Migration[] {
  return pendingMigrations(MIGRATIONS, appliedMigrations(database), file);
}

/** Refuses a database whose schema is not exactly this release's. */
export function requireCurrentSchema(database: DatabaseSync, file: string): void {
  if (migrationsToDo(database, file).length > 0) {
    throw olderSchema(file);
  }
}

function refuseForeignSchema(database: DatabaseSync, file: string): void {
  if (appliedMigrations(database).length > 0) return;
  if (!database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get()) return;
  // Another process may just have made ours, in its one transaction.
  if (appliedMigrations(database).length > 0) return;
  throw foreignSchema(file);
}

function beginStep(database: DatabaseSync, file: string): void {
  try {
    database.exec('BEGIN IMMEDIATE');
  } catch (cause) {
    if (!isBusy(cause)) throw cause;
    throw new OperatorError(
      `${file} is locked by another process, which may be bringing its schema up to this release; try again when it has ended.`,
      { cause },
    );
  }
}

/**
 * Brings the schema up to this release: each step once, in one transaction under the write lock. Returns their names.
 * @throws OperatorError when a step is due while the database is being served.
 */
export function migrate(database: DatabaseSync, file: string): string[] {
  refuseForeignSchema(database, file);
  const done: string[] = [];
  while (migrationsToDo(database, file).length > 0) {
    beginStep(database, file);
    let lock: ServingLock | undefined;
    try {
      // Asked again under the lock: another process may have been first.
      const [step] = migrationsToDo(database, file);
      if (step) {
        lock = ServingLock.acquire(file, () => servedOlderSchema(file));
        database.exec(step.sql);
        database.exec(
          'CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT',
        );
        database
          .prepare('INSERT INTO schema_migrations VALUES (?, ?, ?, ?)')
          .run(step.version, step.name, migrationChecksum(step), Date.now());
        done.push(step.name);
      }
      // Before the commit: a process that waits for it can serve as soon as it ends.
      lock?.release();
      lock = undefined;
      database.exec('COMMIT');
    } catch (error) {
      lock?.release();
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }
  return done;
}
