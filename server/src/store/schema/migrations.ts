import { createHash } from 'node:crypto';
import { OperatorError } from '../../domain/errors.ts';

/**
 * One step of a schema. Steps are only ever added: a shipped one never changes, which its checksum proves. An engine
 * adds to it what it does with rows that are there already.
 */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** A step that a database says was done. */
export interface AppliedMigration {
  readonly version: number;
  readonly checksum: string;
}

export function migrationChecksum({ sql }: Migration): string {
  return createHash('sha256').update(sql).digest('hex');
}

/**
 * The steps that a database still lacks.
 * @throws OperatorError for a schema that this release does not know, or that was made by altered steps.
 */
export function pendingMigrations<Step extends Migration>(
  migrations: readonly Step[],
  applied: readonly AppliedMigration[],
  database: string,
): readonly Step[] {
  for (const { version, checksum } of applied) {
    const known = migrations.find((migration) => migration.version === version);
    if (!known) {
      throw new OperatorError(
        `${database} has schema version ${version}, newer than this release knows; run the newer petstore-server.`,
      );
    }
    if (migrationChecksum(known) !== checksum) {
      throw new OperatorError(
        `${database}: schema version ${version} is not the one this release ships; restore a backup or the release that made it.`,
      );
    }
  }
  return migrations.slice(applied.length);
}

/** What an operator is told whose database has steps to go. */
export function olderSchema(database: string): OperatorError {
  return new OperatorError(`${database} has an older schema; run petstore-server migrate first.`);
}

/** The error for a migration beside a running process of an older release, which does not know the new steps. */
export function servedOlderSchema(database: string): OperatorError {
  return new OperatorError(
    `${database} has an older schema and is in use by a petstore-server; stop the service, every instance and command of it, then start again.`,
  );
}

/** What an operator is told whose database belongs to somebody else. */
export function foreignSchema(database: string): OperatorError {
  return new OperatorError(
    `${database} is the database of another program, not of petstore-server; set PETSTORE_DATABASE to another one.`,
  );
}
