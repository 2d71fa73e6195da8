import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { serversOf, shownAddress } from '../../../domain/database-address.ts';
import { OperatorError } from '../../../domain/errors.ts';
import { readIdentity } from '../../admin/identity.ts';
import type { DatabaseIdentity } from '../../schema/database-metadata.ts';
import { newClient } from '../connection.ts';
import type { HistoryPoint } from '../read-replica.ts';
import { READ } from '../statements.ts';
import { connectAdmin } from './client.ts';
import { PostgresAdminEngine } from './engine.ts';

/** A replica may not have the newest changes yet. */
const FOLLOW_TIMEOUT_MS = 10_000;
const POLL_INTERVAL_MS = 100;
const UNDEFINED_TABLE = '42P01';

/**
 * Checks that a replica can be reached and is one of the database at `primaryUrl` with this identity. The database
 * may be its own replica.
 * @throws OperatorError when it is not.
 */
export async function requireReplica(
  url: string,
  primaryUrl: string,
  expected: DatabaseIdentity,
): Promise<void> {
  const client = newClient(url);
  try {
    await client.connect();
    const engine = new PostgresAdminEngine(client, url);
    const deadlineMs = performance.now() + FOLLOW_TIMEOUT_MS;
    while (!(await isSame(engine, expected))) {
      if (performance.now() > deadlineMs || !(await isFollowing(client))) throw noReplica(url);
      await delay(POLL_INTERVAL_MS);
    }
    if (!isSameAddress(url, primaryUrl) && !(await isFollowing(client))) throw noReplica(url);
    if (!(await hasSameHistory(client, primaryUrl))) throw noReplica(url);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `${shownAddress(url)} cannot be read (${error instanceof Error ? error.message : error}); is the replica running, and are PETSTORE_READ_DATABASE's host, name and password right?`,
      { cause: error },
    );
  } finally {
    client.end().catch(() => {});
  }
}

function noReplica(url: string): OperatorError {
  return new OperatorError(
    `${shownAddress(url)} is no replica of the database; set PETSTORE_READ_DATABASE to one, or leave it empty.`,
  );
}

/** @param other An address that can name several servers. */
function isSameAddress(one: string, other: string): boolean {
  const place = (url: string) => {
    const { hostname, port, pathname } = new URL(url);
    return `${hostname}:${port || '5432'}${pathname}`;
  };
  return serversOf(other).some((server) => place(server) === place(one));
}

/** Whether the primary has the replica's newest movement, or once had it and keeps only later ones. */
async function hasSameHistory(replica: pg.Client, primaryUrl: string): Promise<boolean> {
  const newest = await replica.query<HistoryPoint>({ ...READ.replicaHead, values: [0] });
  const head = newest.rows[0];
  if (!head) return true;
  const { client: primary } = await connectAdmin(primaryUrl);
  try {
    const { rows } = await primary.query<{ hash: string | null; start: number }>(
      `SELECT sequence AS start, (${READ.hashAt.text}) AS hash FROM ledger_start`,
      [head.sequence],
    );
    const [known] = rows;
    return known?.hash ? known.hash === head.hash : (known?.start ?? 0) >= head.sequence;
  } finally {
    primary.end().catch(() => {});
  }
}

async function isSame(engine: PostgresAdminEngine, expected: DatabaseIdentity): Promise<boolean> {
  const found = await readIdentity(engine).catch((error: unknown) => {
    if (error instanceof pg.DatabaseError && error.code === UNDEFINED_TABLE) return undefined;
    throw error;
  });
  return found?.environment === expected.environment && found.pepperCheck === expected.pepperCheck;
}

/** Whether the server follows another one, and so may still receive what it lacks. */
async function isFollowing(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ follows: boolean }>('SELECT pg_is_in_recovery() AS follows');
  return rows[0]?.follows === true;
}
