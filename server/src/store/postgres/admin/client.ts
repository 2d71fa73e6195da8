import type pg from 'pg';
import { unreachable } from '../address.ts';
import { newClient } from '../connection.ts';

/** Connects for a work of the operator, which may take as long as it takes. */
export async function connectAdmin(url: string): Promise<pg.Client> {
  const client = newClient(url);
  // Whoever waits for an answer hears of a lost connection; without a listener it would end the process.
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

/** Carries out a work in one transaction: all of it, or nothing. */
export async function inTransaction<T>(
  client: pg.Client,
  work: () => Promise<T>,
  begin = 'BEGIN',
): Promise<T> {
  await client.query(begin);
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Carries out a work that sees one moment of the database, however long it takes. */
export function atOneMoment<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  return inTransaction(client, work, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
}
