import type pg from 'pg';
import type { Environment } from '../../../domain/api-key.ts';
import type { DatabaseIdentity, PreparedDatabase, SettleIdentity } from '../../schema/database-metadata.ts';
import { shownAddress } from '../address.ts';
import { LOCK } from '../statements.ts';
import { connectAdmin, inTransaction } from './client.ts';
import { migrate } from './migrate.ts';
import { renameSession } from './running-instances.ts';
import { refuseUnsafeServer } from './server-settings.ts';

/** What a database says of itself, or `undefined` while nobody has settled it. */
export async function readIdentity(client: pg.Client): Promise<DatabaseIdentity | undefined> {
  const { rows } = await client.query<{ name: string; value: string }>('SELECT name, value FROM metadata');
  const values = Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  const { environment, pepper_check: pepperCheck } = values;
  if (environment === undefined || pepperCheck === undefined) return undefined;
  return { environment: environment as Environment, pepperCheck };
}

/**
 * Brings a database's schema up to this release, and settles whose keys it holds; on a server that keeps what
 * it promises. All in one transaction under a lock, so that of many instances that start at once one does it.
 */
export async function preparePostgres(
  url: string,
  acceptedUnsafe: readonly string[],
  settle: SettleIdentity,
): Promise<PreparedDatabase> {
  const client = await connectAdmin(url);
  try {
    const database = shownAddress(url);
    await refuseUnsafeServer(client, database, acceptedUnsafe);
    const instanceName = await renameSession(client);
    return await inTransaction(client, async () => {
      await client.query(LOCK.schema);
      const migrations = await migrate(client, database, instanceName);
      const identity = settle(await readIdentity(client), await holds(client, 'api_keys'));
      await writeIdentity(client, identity);
      const isEmpty = !(await holds(client, 'accounts')) && !(await holds(client, 'movements'));
      return { ...identity, migrations, isEmpty };
    });
  } finally {
    await client.end();
  }
}

async function holds(client: pg.Client, table: 'api_keys' | 'accounts' | 'movements'): Promise<boolean> {
  return (await client.query(`SELECT 1 FROM ${table} LIMIT 1`)).rows.length > 0;
}

export async function writeIdentity(
  client: pg.Client,
  { environment, pepperCheck }: DatabaseIdentity,
): Promise<void> {
  const keep = 'INSERT INTO metadata VALUES ($1, $2) ON CONFLICT (name) DO NOTHING';
  await client.query(keep, ['environment', environment]);
  await client.query(keep, ['created_at', String(Date.now())]);
  const set = `INSERT INTO metadata VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE metadata.value <> excluded.value`;
  await client.query(set, ['pepper_check', pepperCheck]);
}
