import type pg from 'pg';
import { OperatorError } from '../../../domain/errors.ts';
import { shownAddress } from '../address.ts';
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

/** What an operator is told whose database takes no connection. */
export function unreachable(url: string, cause: unknown): OperatorError {
  return new OperatorError(
    `${shownAddress(url)} cannot be reached (${reasonOf(cause)}); is the server running, and are PETSTORE_DATABASE's host, name and password right?`,
    { cause },
  );
}

/** An attempt on several addresses of one name fails with an error for each, and none of its own. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
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
