import pg from 'pg';
import { OperatorError } from '../../../domain/errors.ts';
import {
  type AppliedMigration,
  foreignSchema,
  type Migration,
  migrationChecksum,
  olderSchema,
  pendingMigrations,
} from '../../schema/migrations.ts';
import { MIGRATIONS } from './migrations.ts';
import { refuseInstances } from './running-instances.ts';

async function appliedMigrations(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows: found } = await client.query("SELECT to_regclass('schema_migrations') AS oid");
  if (found[0]?.oid === null) return [];
  const { rows } = await client.query<AppliedMigration & pg.QueryResultRow>(
    'SELECT version, checksum FROM schema_migrations ORDER BY version',
  );
  return rows;
}

async function migrationsToDo(client: pg.Client, database: string): Promise<readonly Migration[]> {
  return pendingMigrations(MIGRATIONS, await appliedMigrations(client), database);
}

/** Refuses a database whose schema is not exactly this release's. */
export async function requireCurrentSchema(client: pg.Client, database: string): Promise<void> {
  const steps = await migrationsToDo(client, database);
  if (steps.length === 0) return;
  if (steps.length < MIGRATIONS.length) throw olderSchema(database);
  await refuseForeignSchema(client, database);
  throw new OperatorError(`${database} is empty; run petstore-server migrate first.`);
}

/**
 * Brings the schema up to this release, in the transaction that holds the schema's lock: of several processes
 * that start at once, one does it. Returns the names of the steps done.
 * @param instanceName The name that the sessions of instances have.
 * @throws OperatorError when steps are due while an instance is connected.
 */
export async function migrate(client: pg.Client, database: string, instanceName: string): Promise<string[]> {
  const steps = await migrationsToDo(client, database);
  if (steps.length === MIGRATIONS.length) await refuseForeignSchema(client, database);
  else if (steps.length > 0) await refuseInstances(client, database, instanceName);
  for (const step of steps) {
    await client.query(step.sql).catch((error: unknown) => {
      throw isNotAllowed(error) ? noOwner(database, error) : error;
    });
    await client.query(
      'CREATE TABLE IF NOT EXISTS schema_migrations (version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at bigint NOT NULL)',
    );
    await client.query('INSERT INTO schema_migrations VALUES ($1, $2, $3, $4)', [
      step.version,
      step.name,
      migrationChecksum(step),
      Date.now(),
    ]);
  }
  return steps.map(({ name }) => name);
}

/** SQLSTATE insufficient_privilege and invalid_schema_name: there is no schema in which the user may make tables. */
function isNotAllowed(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && (error.code === '42501' || error.code === '3F000');
}

function noOwner(database: string, cause: pg.DatabaseError): OperatorError {
  return new OperatorError(
    `${database}: its user may not make tables there (${cause.message}); make the user its owner, as CREATE DATABASE … OWNER does.`,
    { cause },
  );
}

async function refuseForeignSchema(client: pg.Client, database: string): Promise<void> {
  const { rows } = await client.query(
    'SELECT 1 FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ($1, $2) LIMIT 1',
    ['r', 'p'],
  );
  if (rows.length > 0) throw foreignSchema(database);
}
