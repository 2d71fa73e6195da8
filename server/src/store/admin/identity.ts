import type { Environment } from '../../domain/access/api-key.ts';
import { OperatorError } from '../../domain/errors.ts';
import {
  type FoundDatabase,
  MOVE,
  type MoveMark,
  type SettledIdentity,
} from '../schema/database-metadata.ts';
import type { SqlClient, SqlReader } from '../sql-client.ts';
import type { AdminEngine } from './admin-engine.ts';

/** Name of the row with the settings of the service, which move with a shop. */
const SETTINGS = 'service_settings';

/** Sets the value of a row. A row that has the value already is not written. */
const SET = `INSERT INTO metadata VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE metadata.value <> excluded.value`;

interface MetadataRow {
  readonly name: string;
  readonly value: string;
}

/** What a database records about itself; `undefined` before `writeIdentity`. */
export async function readIdentity(client: SqlReader): Promise<FoundDatabase | undefined> {
  const rows = await client.all<MetadataRow>('SELECT name, value FROM metadata');
  const {
    environment,
    pepper_check: pepperCheck,
    sample_data: sampleData,
    [MOVE.id]: moveId,
    [MOVE.to]: movedTo,
    [SETTINGS]: settings = '{}',
  } = Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  if (environment === undefined || pepperCheck === undefined) return undefined;
  return {
    environment: environment as Environment,
    pepperCheck,
    isSample: sampleData !== undefined,
    move: moveId === undefined ? undefined : { moveId, ...(movedTo !== undefined && { movedTo }) },
    settings: JSON.parse(settings) as Record<string, string>,
  };
}

/** @throws OperatorError when the database has no identity yet. */
export async function requireIdentity(client: SqlReader, database: string): Promise<FoundDatabase> {
  const identity = await readIdentity(client);
  if (identity) return identity;
  throw new OperatorError(`${database} is not set up completely; run petstore-server migrate first.`);
}

/** Within a transaction: environment and sample mark are written once, the pepper check again when it changes. */
export async function writeIdentity(
  client: Pick<SqlClient, 'run'> & Pick<AdminEngine, 'now'>,
  { environment, pepperCheck, isSample = false }: SettledIdentity,
): Promise<void> {
  const keep = 'INSERT INTO metadata VALUES ($1, $2) ON CONFLICT (name) DO NOTHING';
  await client.run(keep, ['environment', environment]);
  await client.run(keep, ['created_at', String(await client.now())]);
  if (isSample) await client.run(keep, ['sample_data', 'true']);
  await client.run(SET, ['pepper_check', pepperCheck]);
}

/** Within a transaction: replaces the mark of a move. `undefined` removes it. */
export async function writeMove(client: SqlClient, move: MoveMark | undefined): Promise<void> {
  await client.run('DELETE FROM metadata WHERE name IN ($1, $2)', [MOVE.id, MOVE.to]);
  const insert = 'INSERT INTO metadata VALUES ($1, $2)';
  if (move) await client.run(insert, [MOVE.id, move.moveId]);
  if (move?.movedTo !== undefined) await client.run(insert, [MOVE.to, move.movedTo]);
}

/** Replaces the recorded settings of the service. */
export async function writeSettings(
  client: SqlClient,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  await client.run(SET, [SETTINGS, JSON.stringify(settings)]);
}
