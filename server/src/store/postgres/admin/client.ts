import pg from 'pg';
import { shownAddress } from '../../../domain/database-address.ts';
import { OperatorError } from '../../../domain/errors.ts';
import { firstServer, unreachable } from '../address.ts';
import { newClient } from '../connection.ts';
import { readServer, refuseStandby } from '../server/same-server.ts';
import {
  DURABLE_SESSION,
  findIdleTriggers,
  SAFETY_COLUMNS,
  type SafetySettings,
} from '../server/server-safety.ts';
import { EXACT_VALUES, KEEP_ALIVE, NO_TIME_OUTS, SCHEMA_OF_SHOP } from '../server/session-values.ts';

/** SQLSTATE lock_not_available. */
const LOCK_TIMED_OUT = '55P03';
/**
 * PostgreSQL would compile a statement whose estimated cost is high, also one of a report that reads some hundred rows by key. That
 * takes longer than to run it: reports of movements took ten times as long.
 */
const NOT_COMPILED = 'SET jit = off';
/** A wait for a lock ends well before the time for a response, so that the connection is kept. */
const LOCK_WAITS_PER_RESPONSE = 6;

/** A connection, and the address of its server alone. */
interface AdminConnection {
  readonly client: pg.Client;
  readonly server: string;
}

/**
 * Connects for a command of the operator; to the primary, if the address has several servers.
 * @param responseTimeoutMs A connection without a response for this time is given up, and a lock after a sixth of it;
 *   without it, both are waited for.
 * @throws OperatorError when the server cannot be reached.
 */
export async function connectAdmin(url: string, responseTimeoutMs?: number): Promise<AdminConnection> {
  try {
    return await firstServer(url, async (server) => {
      const client = await connectTo(server, responseTimeoutMs, server !== url);
      return { client, server };
    });
  } catch (error) {
    throw unreachable(url, error);
  }
}

async function connectTo(
  url: string,
  responseTimeoutMs: number | undefined,
  mustBePrimary: boolean,
): Promise<pg.Client> {
  const client = newClient(url, responseTimeoutMs === undefined ? {} : { query_timeout: responseTimeoutMs });
  try {
    await client.connect();
    const lockTimeoutMs = Math.ceil((responseTimeoutMs ?? 0) / LOCK_WAITS_PER_RESPONSE);
    await client.query(
      `${NO_TIME_OUTS}; SET default_transaction_isolation = 'read committed'; SET lock_timeout = ${lockTimeoutMs};
${NOT_COMPILED}; ${EXACT_VALUES}; ${KEEP_ALIVE}; ${SCHEMA_OF_SHOP}; ${DURABLE_SESSION}`,
    );
    const { rows } = await client.query<SafetySettings>(`SELECT ${SAFETY_COLUMNS}`);
    const idle = rows[0] && findIdleTriggers(rows[0], shownAddress(url));
    if (idle) throw new OperatorError(idle.message);
    if (mustBePrimary) refuseStandby(await readServer(client));
    return client;
  } catch (error) {
    client.end().catch(() => {});
    throw error;
  }
}

/**
 * Runs a command in one transaction: all of it, or nothing.
 * @throws OperatorError `service_unavailable` when a lock is not free in time.
 */
export async function inTransaction<T>(
  client: pg.Client,
  command: () => Promise<T>,
  begin = 'BEGIN',
): Promise<T> {
  await client.query(begin);
  try {
    const result = await command();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw isLockTimeout(error) ? busy(error) : error;
  }
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === LOCK_TIMED_OUT;
}

function busy(cause: unknown): OperatorError {
  return new OperatorError('The database is busy: an import or a prune keeps the ledger locked; try again.', {
    code: 'service_unavailable',
    cause,
  });
}
