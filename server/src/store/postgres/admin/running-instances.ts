import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { OperatorError } from '../../../domain/errors.ts';

/** A session that prepares the database must not look like one of an instance: several instances can start together. */
const PREPARING = 'petstore-server migrate';
/** The server needs a moment to end the sessions of a process that just stopped. */
const SESSIONS_END_TIMEOUT_MS = 3_000;
const POLL_INTERVAL_MS = 50;

/** Renames a session that prepares the database. Returns the name that the sessions of instances have. */
export async function renameSession(client: pg.Client): Promise<string> {
  // The address of the database can set another name than ours, but then it does so for every session.
  const { rows } = await client.query<{ name: string }>("SELECT current_setting('application_name') AS name");
  await client.query("SELECT set_config('application_name', $1, false)", [PREPARING]);
  return rows[0]?.name ?? '';
}

/**
 * Waits until no instance or command is connected to the database.
 * @throws `inUse` when one stays connected.
 */
export async function refuseInstances(
  client: pg.Client,
  instanceName: string,
  inUse: () => OperatorError,
): Promise<void> {
  const deadlineMs = performance.now() + SESSIONS_END_TIMEOUT_MS;
  while (await isConnected(client, instanceName)) {
    if (performance.now() > deadlineMs) throw inUse();
    await pause(POLL_INTERVAL_MS);
  }
}

async function isConnected(client: pg.Client, instanceName: string): Promise<boolean> {
  // Within a transaction the view repeats its first result until the snapshot is cleared.
  await client.query('SELECT pg_stat_clear_snapshot()');
  const { rows } = await client.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
AND application_name = $1 AND pid <> pg_backend_pid() LIMIT 1`,
    [instanceName],
  );
  return rows.length > 0;
}
