import pg from 'pg';
import { serviceUnavailable } from '../../domain/errors.ts';

/** OID of int8 (src/include/catalog/pg_type.dat). */
const INT8 = 20;
const CONNECT_WITHIN_MS = 3_000;
/** A connection that is silent for so long with a question open is given up; the server gives up before. */
const ANSWER_WITHIN_MS = 5_000;
/** For so long after a failed attempt nobody tries again: each of many requests would. */
const REST_AFTER_FAILURE_MS = 200;

/**
 * What every session of a serving process asks of the server: no statement and no wait for a lock outlives its
 * caller, and a process that stops in the middle of a transaction frees the ledger for the others.
 */
const SESSION = `SET default_transaction_isolation = 'read committed'; SET statement_timeout = 4000;
SET lock_timeout = 3500; SET idle_in_transaction_session_timeout = 2000; SET client_connection_check_interval = 1000`;

/** A statement that the server prepares once a connection, known by its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Gives each statement of a table its key as its name. */
export function named<Names extends string>(
  table: Readonly<Record<Names, string>>,
): Record<Names, Statement> {
  const statements = Object.entries<string>(table).map(([name, text]) => [name, { name, text }]);
  return Object.fromEntries(statements) as Record<Names, Statement>;
}

/** The database could not be reached, or stopped answering: what was under way may have happened or not. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';
}

/** An int8 as a number. A petId, which no number can hold, is asked for as text. */
function readInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`${text} does not fit a number; ask for it as text.`);
  return value;
}

/** A client of a URL, in pipeline mode: what is asked in one turn travels together, and is answered in order. */
export function newClient(url: string, limits: pg.ClientConfig = {}): pg.Client {
  return new pg.Client({
    connectionString: url,
    application_name: 'petstore-server',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
    pipeline: true,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? readInt8 : pg.types.getTypeParser(oid, format),
    },
    ...limits,
  } as pg.ClientConfig);
}

/**
 * One connection of a serving process, opened when it is needed and again after it was lost. A lost connection
 * fails what was under way, and nothing else.
 */
export class Connection {
  readonly #url: string;
  readonly #session: string;
  readonly #onLost: () => void;
  #client: Promise<pg.Client> | undefined;

  /** @param session Statements for each new session, beside those that all have. */
  constructor(
    url: string,
    { session = '', onLost = () => {} }: { session?: string; onLost?: () => void } = {},
  ) {
    this.#url = url;
    this.#session = `${SESSION}; ${session}`;
    this.#onLost = onLost;
  }

  /**
   * The connection to ask several things in one round trip, or in a transaction.
   * @throws ConnectionLost when the database cannot be reached; nothing was asked then.
   */
  client(): Promise<pg.Client> {
    if (!this.#client) {
      const connecting = this.#connect(() => {
        if (this.#client !== connecting) return;
        this.#client = undefined;
        this.#onLost();
      });
      this.#client = connecting;
    }
    return this.#client;
  }

  /** Asks a question that changes nothing; once more if the connection breaks before the answer. */
  async read<Row extends pg.QueryResultRow>(
    statement: Statement,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    try {
      return await this.write<Row>(statement, values);
    } catch (error) {
      if (!isConnectionLoss(error) || isTimeout(error)) throw error;
      return await this.write<Row>(statement, values);
    }
  }

  /** Carries out one statement, which is a transaction of its own. */
  async write<Row extends pg.QueryResultRow>(
    statement: Statement,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    const client = await this.client();
    const { rows } = await client.query<Row>({ ...statement, values: values as unknown[] });
    return rows;
  }

  /** Waits for what was asked, then ends the connection. */
  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    await client?.end();
  }

  async #connect(forget: () => void): Promise<pg.Client> {
    const client = newClient(this.#url, { query_timeout: ANSWER_WITHIN_MS });
    // Without a listener, the loss of an idle connection would end the process.
    client.on('error', forget);
    client.on('end', forget);
    try {
      await client.connect();
      await client.query(this.#session);
      return client;
    } catch (cause) {
      setTimeout(forget, REST_AFTER_FAILURE_MS).unref();
      client.end().catch(() => {});
      throw new ConnectionLost('The database cannot be reached.', { cause });
    }
  }
}

/** Whether an error tells of the connection, and not of a statement that the server refused. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return isServerGone(error.code);
  return error instanceof Error;
}

/** The server ends the session (class 57P), or never began one (class 08). */
function isServerGone(code: string | undefined): boolean {
  return code !== undefined && /^(?:57P0[1-5]|08|25P03)/.test(code);
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Turns whatever fails while the database is asked into what callers expect: not now, and the cause for the log. */
export function unreadable(cause: unknown): never {
  throw serviceUnavailable('The database cannot be read now.', cause);
}
