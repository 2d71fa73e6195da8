import { OperatorError } from '../../domain/errors.ts';
import type { PreparedDatabase, SettleIdentity } from '../schema/database-metadata.ts';
import {
  type AppliedMigration,
  foreignSchema,
  type Migration,
  migrationChecksum,
  olderSchema,
  pendingMigrations,
  servedOlderSchema,
} from '../schema/migrations.ts';
import type { AdminEngine } from './admin-engine.ts';
import { readIdentity, writeIdentity } from './identity.ts';

const LOG = 'schema_migrations';
const MAKE_LOG = `CREATE TABLE IF NOT EXISTS ${LOG} (
  version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at bigint NOT NULL
)`;

/**
 * Brings the schema up to this release, and settles whose keys the database holds. One transaction holds the schema's
 * lock: of several processes that start together, one migrates and makes the pepper.
 * @throws OperatorError for a foreign, newer or unreleased schema, and for pending migrations while a service runs.
 */
export function prepareSchema(engine: AdminEngine, settle: SettleIdentity): Promise<PreparedDatabase> {
  return engine.transaction(() => prepareWithin(engine, settle));
}

/** As `prepareSchema`, and then undoes everything: both engines undo changes of the schema too. */
export async function previewSchema(engine: AdminEngine, settle: SettleIdentity): Promise<PreparedDatabase> {
  return undone(engine, () => prepareWithin(engine, settle));
}

/** Prepares the database within a transaction of the caller. */
export async function prepareWithin(engine: AdminEngine, settle: SettleIdentity): Promise<PreparedDatabase> {
  await engine.lockSchema();
  const migrations = await migrate(engine);
  const identity = settle(await readIdentity(engine), await hasRows(engine, 'api_keys'));
  await writeIdentity(engine, identity);
  const isEmpty = !(await hasRows(engine, 'accounts')) && !(await hasRows(engine, 'movements'));
  return { ...identity, isSample: identity.isSample ?? false, migrations, isEmpty };
}

/** Runs a command in a transaction that is rolled back. */
export async function undone<T>(engine: AdminEngine, command: () => Promise<T>): Promise<T> {
  const rollback = new Error('The transaction is rolled back.');
  let result: { readonly value: T } | undefined;
  const running = engine.transaction(async () => {
    result = { value: await command() };
    throw rollback;
  });
  await running.catch((error: unknown) => {
    if (error !== rollback) throw error;
  });
  return (result as unknown as { readonly value: T }).value;
}

/** Runs the pending migrations within a transaction that holds the schema's lock. Returns their names. */
export async function migrate(engine: AdminEngine): Promise<readonly string[]> {
  const { pending, isNew } = await readSchema(engine);
  const apply = async () => {
    for (const migration of pending) await applyMigration(engine, migration);
  };
  if (isNew) await apply();
  else if (pending.length > 0) await engine.whileUnserved(apply, () => servedOlderSchema(engine.name));
  return pending.map(({ name }) => name);
}

/** @throws OperatorError when the schema is neither this release's nor, with `acceptsOlder`, that of an older one. */
export async function requireSchema(engine: AdminEngine, acceptsOlder = false): Promise<void> {
  const { pending, isNew } = await readSchema(engine);
  if (isNew) throw new OperatorError(`${engine.name} is empty; run petstore-server migrate first.`);
  if (pending.length > 0 && !acceptsOlder) throw olderSchema(engine.name);
}

/** The pending migrations, and whether the database has no schema at all. @throws OperatorError for a foreign one. */
async function readSchema(
  engine: AdminEngine,
): Promise<{ readonly pending: readonly Migration[]; readonly isNew: boolean }> {
  const tables = await engine.tableNames();
  // Other programs have a table of this name too, with other columns.
  const applied = tables.includes(LOG)
    ? await engine.all<Partial<AppliedMigration>>(`SELECT * FROM ${LOG}`)
    : [];
  const isNew = applied.length === 0;
  if ((isNew && tables.length > 0) || !applied.every(isOwn)) throw foreignSchema(engine.name);
  return { pending: pendingMigrations(engine.migrations, applied, engine.name), isNew };
}

function isOwn(row: Partial<AppliedMigration>): row is AppliedMigration {
  return typeof row.version === 'number' && typeof row.checksum === 'string';
}

async function applyMigration(engine: AdminEngine, migration: Migration): Promise<void> {
  const { version, name, sql } = migration;
  await engine.exec(sql);
  await engine.exec(MAKE_LOG);
  const values = [version, name, migrationChecksum(migration), await engine.now()];
  await engine.run(`INSERT INTO ${LOG} VALUES ($1, $2, $3, $4)`, values);
}

async function hasRows(engine: AdminEngine, table: 'api_keys' | 'accounts' | 'movements'): Promise<boolean> {
  return (await engine.all(`SELECT 1 FROM ${table} LIMIT 1`)).length > 0;
}
