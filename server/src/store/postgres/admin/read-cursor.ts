import type pg from 'pg';

/** Rows per statement. */
export const ROWS_PER_STATEMENT = 10_000;

/**
 * Reads the rows of a query within a transaction, in portions. `work` makes a statement of each. While the server
 * executes one and reads the next portion, this process makes the statement after it.
 */
export async function readCursor<Row extends object>(
  client: pg.Client,
  { sql, values = [] }: { readonly sql: string; readonly values?: readonly unknown[] },
  work: (rows: readonly (Row & pg.QueryResultRow)[]) => Promise<unknown>,
): Promise<void> {
  await client.query(`DECLARE portions NO SCROLL CURSOR FOR ${sql}`, [...values]);
  const fetchNext = () => client.query<Row & pg.QueryResultRow>(`FETCH ${ROWS_PER_STATEMENT} FROM portions`);
  let fetching = fetchNext();
  let working: Promise<unknown> = Promise.resolve();
  for (;;) {
    const { rows } = await fetching;
    if (rows.length === 0) break;
    fetching = handledLater(fetchNext());
    const next = handledLater(work(rows));
    await working;
    working = next;
  }
  await working;
  await client.query('CLOSE portions');
}

/** Prevents an unhandled rejection until the promise is awaited. */
function handledLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
