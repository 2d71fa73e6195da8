import type { Environment } from '../../domain/access/api-key.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { FoundDatabase, SettledIdentity } from '../schema/database-metadata.ts';
import type { SqlClient } from '../sql-client.ts';

interface MetadataRow {
  readonly name: string;
  readonly value: string;
}

/** What a database records about itself; `undefined` before `writeIdentity`. */
export async function readIdentity(client: Pick<SqlClient, 'all'>): Promise<FoundDatabase | undefined> {
  const rows = await client.all<MetadataRow>('SELECT name, value FROM metadata');
  const {
    environment,
    pepper_check: pepperCheck,
    sample_data: sampleData,
  } = Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  if (environment === undefined || pepperCheck === undefined) return undefined;
  return { environment: environment as Environment, pepperCheck, isSample: sampleData !== undefined };
}

/** @throws OperatorError when the database has no identity yet. */
export async function requireIdentity(
  client: Pick<SqlClient, 'all'>,
  database: string,
): Promise<FoundDatabase> {
  const identity = await readIdentity(client);
  if (identity) return identity;
  throw new OperatorError(`${database} is not set up completely; run petstore-server migrate first.`);
}

/** Within a transaction: environment and sample mark are written once, the pepper check again when it changes. */
export async function writeIdentity(
  client: SqlClient,
  { environment, pepperCheck, isSample = false }: SettledIdentity,
): Promise<void> {
  const keep = 'INSERT INTO metadata VALUES ($1, $2) ON CONFLICT (name) DO NOTHING';
  await client.run(keep, ['environment', environment]);
  await client.run(keep, ['created_at', String(Date.now())]);
  if (isSample) await client.run(keep, ['sample_data', 'true']);
  const set = `INSERT INTO metadata VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE metadata.value <> excluded.value`;
  await client.run(set, ['pepper_check', pepperCheck]);
}
