import { createHash } from 'node:crypto';
import { OperatorError } from '../../domain/errors.ts';

/** The newest migration of each engine. */
export const SCHEMA_VERSION = 21;

/** One step of a schema. A released migration never changes: databases keep its checksum. */
export interface Migration {
  /** 1 for the first migration, and one more for each. */
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** A migration that a database records as done. */
export interface AppliedMigration {
  readonly version: number;
  readonly checksum: string;
}

export function migrationChecksum({ sql }: Migration): string {
  return createHash('sha256').update(sql).digest('hex');
}

/**
 * The migrations that a database lacks.
 * @throws OperatorError for a schema of a newer release, or one that none of this release's migrations made.
 */
export function pendingMigrations(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
  database: string,
): readonly Migration[] {
  for (const { version, checksum } of applied) {
    const known = migrations.find((migration) => migration.version === version);
    if (!known) {
      throw new OperatorError(
        `${database} has schema version ${version}, newer than this release knows; run the newer petstore-server.`,
      );
    }
    if (migrationChecksum(known) !== checksum) {
      throw new OperatorError(
        `${database} was made by an unreleased version of petstore-server: its schema version ${version} is not the one this release ships; restore a backup, or make a new database.`,
      );
    }
  }
  return migrations.slice(applied.length);
}

/** The error for a database with pending migrations, opened by a command that does not migrate. */
export function olderSchema(database: string): OperatorError {
  return new OperatorError(`${database} has an older schema; run petstore-server migrate first.`);
}

/** The error for a migration while a process of an older release runs, which does not know the new schema. */
export function servedOlderSchema(database: string): OperatorError {
  return new OperatorError(
    `${database} has an older schema and is in use by a petstore-server; stop the service, every instance and command of it, then start again.`,
  );
}

/** The error for a database that another program made. */
export function foreignSchema(database: string): OperatorError {
  return new OperatorError(
    `${database} is the database of another program, not of petstore-server; set PETSTORE_DATABASE to another one.`,
  );
}
