import { type PostgresServer, startPostgres } from '../../server/test/postgres/support/postgres-server.ts';
import type { Shop } from './shop.ts';

/** The default settings of PostgreSQL, except for the size of its cache, which the tests reduce. */
const SETTINGS = { shared_buffers: '128MB' };
const LOGGED_TIMEOUT_MS = 10_000;

export interface SharedPostgres extends AsyncDisposable {
  /** Starts it, the first time. */
  readonly server: () => Promise<PostgresServer>;
}

/** One PostgreSQL for a whole run of the benchmark; each measurement creates its own database. */
export function sharedPostgres(): SharedPostgres {
  let starting: Promise<PostgresServer> | undefined;
  const closing: (() => Promise<void>)[] = [];
  const start = () => {
    const after = (close: () => Promise<void>) => void closing.push(close);
    return startPostgres({ after } as Parameters<typeof startPostgres>[0], { settings: SETTINGS });
  };
  return {
    server: () => (starting ??= start()),
    async [Symbol.asyncDispose]() {
      await starting?.catch(() => undefined);
      for (const close of closing) await close();
    },
  };
}

export function databaseName({ database }: Shop): string {
  return new URL(database).pathname.slice(1);
}

/** The bytes that a server has written up to a moment, over all its databases. */
export interface Written {
  /** Transactions that wrote something: one a charge, one a batch of changes. */
  readonly transactions: number;
  readonly walBytes: number;
}

export async function readWritten(server: PostgresServer): Promise<Written> {
  const [row] = await server.query(
    `SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS transactions,
     (pg_current_wal_insert_lsn() - '0/0')::text AS "walBytes"`,
  );
  return { transactions: Number(row?.transactions), walBytes: Number(row?.walBytes) };
}

/** Statements that the sessions of a shop send every second or every minute, independent of requests. */
const BACKGROUND_STATEMENTS = new Set(['state', 'saveKeyUses']);
const LOGGED_STATEMENT = /LOG: {2}(?:execute ([^:/\s]+):|statement: (\w+))/g;

/** Makes the server log the statements of new sessions of a shop, until it is disposed of. */
export async function logStatements(server: PostgresServer, shop: Shop) {
  const role = `ALTER ROLE petstore IN DATABASE ${databaseName(shop)}`;
  await server.query(`${role} SET log_statement = 'all'`);
  return {
    /** The statements that were executed during some work, and how often. */
    async during(work: () => Promise<void>): Promise<Map<string, number>> {
      const before = await endOfLog(server);
      await work();
      const after = await endOfLog(server);
      const counts = new Map<string, number>();
      for (const [, prepared, word] of server.logs().slice(before, after).matchAll(LOGGED_STATEMENT)) {
        const name = prepared ?? word ?? '';
        if (!BACKGROUND_STATEMENTS.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      return counts;
    },
    [Symbol.asyncDispose]: async () => void (await server.query(`${role} RESET log_statement`)),
  };
}

/** How long the log is when all that was done until now is in it. */
async function endOfLog(server: PostgresServer): Promise<number> {
  const mark = `until here ${performance.now()}`;
  await server.query(`DO $$ BEGIN RAISE LOG '${mark}'; END $$`);
  const deadlineMs = performance.now() + LOGGED_TIMEOUT_MS;
  while (performance.now() < deadlineMs) {
    const position = server.logs().lastIndexOf(mark);
    if (position >= 0) return position;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`PostgreSQL did not log within ${LOGGED_TIMEOUT_MS} ms`);
}
