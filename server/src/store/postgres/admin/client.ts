import type pg from 'pg';
import { unreachable } from '../address.ts';
import { newClient } from '../connection.ts';

/**
 * Connects for a command of the operator.
 * @param responseTimeoutMs A connection without a response for this time is given up; without it, it is waited for.
 * @throws OperatorError when the server cannot be reached.
 */
export async function connectAdmin(url: string, responseTimeoutMs?: number): Promise<pg.Client> {
  const client = newClient(url, responseTimeoutMs === undefined ? {} : { query_timeout: responseTimeoutMs });
  // A pending query rejects when the connection is lost; without this listener the loss would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query("SET default_transaction_isolation = 'read committed'");
    return client;
  } catch (error) {
    client.end().catch(() => {});
    throw unreachable(url, error);
  }
}

/** Runs a command in one transaction: all of it, or nothing. */
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
    throw error;
  }
}
