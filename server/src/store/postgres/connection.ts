import pg from 'pg';
import { checkedTls, firstServer } from './address.ts';
import { isSameServer, readServer, type ServerFacts, type ServerIdentity } from './server/same-server.ts';
import { EXACT_VALUES, KEEP_ALIVE, NO_TIME_OUTS } from './server/session-values.ts';

/** OID of int8 (src/include/catalog/pg_type.dat). */
const INT8 = 20;
const CONNECT_TIMEOUT_MS = 3_000;
/** Firewalls forget a connection that is idle, and a host that failed sends no end of it: Linux then finds out in 20 seconds. */
const KEEP_ALIVE_MS = 10_000;
/** A connection without a response for this time is given up; the server gives up before. */
export const RESPONSE_TIMEOUT_MS = 5_000;
/** No new attempt for this time after a failed one, because each of many requests would make one. */
const FAILURE_BACKOFF_MS = 200;
/** A running server ends its side of a connection immediately. */
const END_TIMEOUT_MS = 1_000;

/**
 * The settings of every session of a serving process. No statement and no wait for a lock outlives its caller. A
 * process that stops in the middle of a transaction frees the ledger for the others.
 */
const SESSION = `${NO_TIME_OUTS}; SET default_transaction_isolation = 'read committed'; SET statement_timeout = 4000;
SET lock_timeout = 3500; SET idle_in_transaction_session_timeout = 2000; SET client_connection_check_interval = 1000`;

/** A statement that the server prepares one time per connection, by its name. */
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

/** The database cannot be reached, or stopped responding. Statements in progress may have run or not. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';
}

/** Reads an int8 as a number. A petId, which no number can hold, is selected as text. */
function readInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number; select it as text.`);
  return value;
}

/** Sends the queries that a function makes with one system call. Otherwise each one wakes the server. */
export function sendTogether<T>(client: pg.Client, makeQueries: () => T): T {
  const { stream } = client.connection;
  stream.cork();
  try {
    return makeQueries();
  } finally {
    stream.uncork();
  }
}

/**
 * A client in pipeline mode: queries do not wait for responses to earlier ones, and responses come in order.
 * @param url The address of one server.
 */
export function newClient(url: string, limits: pg.ClientConfig = {}): pg.Client {
  const client = new pg.Client({
    connectionString: checkedTls(url),
    application_name: 'petstore-server',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    pipeline: true,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? readInt8 : pg.types.getTypeParser(oid, format),
    },
    ...limits,
  } as pg.ClientConfig);
  // A pending query rejects when the connection is lost; without a listener the loss would end the process.
  client.on('error', () => {});
  return client;
}

export interface ConnectionOptions {
  /** Statements for each new session, besides those of all sessions. */
  readonly session?: string;
  readonly onLost?: () => void;
  /** Called for each notification with its channel, on which a session listens. */
  readonly onNotification?: (channel: string) => void;
  /** Called for each new session with its server. Throws for a session that must not be used. */
  readonly admit?: (server: ServerFacts) => void;
}

/**
 * One connection of a serving process. It opens when it is needed, and again after a loss. A loss fails only the
 * queries in progress.
 */
export class Connection {
  readonly #url: string;
  readonly #session: string;
  readonly #onLost: () => void;
  readonly #onNotification: (channel: string) => void;
  readonly #admit: ((server: ServerFacts) => void) | undefined;
  #server: ServerIdentity | undefined;
  #connecting: Promise<pg.Client> | undefined;
  #connected: pg.Client | undefined;
  /** The client of the last attempt, also of a failed one. */
  #newest: pg.Client | undefined;
  #isProbed = false;
  #isClosed = false;

  constructor(
    url: string,
    { session = '', onLost = () => {}, onNotification = () => {}, admit }: ConnectionOptions = {},
  ) {
    this.#url = url;
    this.#session = `${SESSION}; ${EXACT_VALUES}; ${KEEP_ALIVE}; ${session}`;
    this.#onLost = onLost;
    this.#onNotification = onNotification;
    this.#admit = admit;
  }

  /**
   * The client, for several queries in one round trip or for a transaction.
   * @throws ConnectionLost when the database cannot be reached; no query was sent then.
   */
  client(): Promise<pg.Client> {
    // A late query must not open it again: nothing would close it, and the process would not end.
    if (this.#isClosed) return Promise.reject(new ConnectionLost('The connection was closed.'));
    this.#connecting ??= this.#connect();
    return this.#connecting;
  }

  /** Runs a query that changes nothing, and retries it if the connection breaks before the response. */
  async read<Row extends pg.QueryResultRow>(
    statement: Statement,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    try {
      return await this.write<Row>(statement, values);
    } catch (error) {
      if (!isRetryable(error)) throw error;
      return await this.write<Row>(statement, values);
    }
  }

  /** Runs one statement, which is a transaction of its own. */
  async write<Row extends pg.QueryResultRow>(
    statement: Statement,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    const client = await this.client();
    try {
      const { rows } = await client.query<Row>({ ...statement, values: values as unknown[] });
      return rows;
    } catch (error) {
      this.forgetEnded(client, error);
      throw error;
    }
  }

  /**
   * Discards a client when an error says that its session ended. The client itself emits that only later, and until
   * then callers would use the dead session.
   */
  forgetEnded(client: pg.Client, error: unknown): void {
    if (error instanceof pg.DatabaseError && isServerGone(error.code)) this.#forget(client);
  }

  /** Waits for queries in progress, then ends the connection, or cuts it where the server does not respond. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const client = await this.#connecting?.catch(() => undefined);
    this.#connecting = undefined;
    this.#connected = undefined;
    if (!client) return;
    const cutting = setTimeout(() => this.cut(), END_TIMEOUT_MS);
    await client.end();
    clearTimeout(cutting);
  }

  /** Cuts the connection for good. Queries in progress fail. */
  cut(): void {
    this.#isClosed = true;
    this.#newest?.connection.stream.destroy();
  }

  /** Cuts a session on another server than this one, or on any. Queries in progress fail, and the next one opens another. */
  leave(server?: ServerIdentity): void {
    const client = this.#connected;
    if (!client || (server && this.#server && isSameServer(server, this.#server))) return;
    this.#connected = undefined;
    this.#connecting = undefined;
    client.connection.stream.destroy();
    this.#onLost();
  }

  /**
   * Checks the connection without waiting for the response. After a failure of a host or a firewall, an idle
   * connection gets no error, and the next caller would wait in vain. A transaction is not probed: that would keep a
   * forgotten one from its time-out, and the ledger from everyone.
   */
  probe(question: Statement): void {
    if (!this.#connected || this.#isProbed || this.#connected.getTransactionStatus() !== 'I') return;
    this.#isProbed = true;
    this.#connected
      .query(question)
      .catch(() => undefined)
      .finally(() => {
        this.#isProbed = false;
      });
  }

  async #connect(): Promise<pg.Client> {
    try {
      return await firstServer(this.#url, (server) => this.#connectTo(server));
    } catch (cause) {
      const failed = this.#connecting;
      setTimeout(() => {
        if (this.#connecting === failed) this.#connecting = undefined;
      }, FAILURE_BACKOFF_MS).unref();
      throw new ConnectionLost('The database cannot be reached.', { cause });
    }
  }

  async #connectTo(url: string): Promise<pg.Client> {
    const client = newClient(url, { query_timeout: RESPONSE_TIMEOUT_MS });
    this.#newest = client;
    client.on('error', () => this.#forget(client));
    client.on('end', () => this.#forget(client));
    client.on('notification', ({ channel }) => this.#onNotification(channel));
    try {
      await client.connect();
      await client.query(this.#session);
      if (this.#admit) {
        const server = await readServer(client);
        this.#admit(server);
        this.#server = server;
      }
      this.#connected = client;
      return client;
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
  }

  #forget(client: pg.Client): void {
    if (this.#connected !== client) return;
    this.#connected = undefined;
    this.#connecting = undefined;
    this.#onLost();
  }
}

/**
 * Whether a query that changes nothing may be retried: its connection was lost. After a timeout the caller would wait
 * twice as long, and where no connection could be opened none can be opened now.
 */
export function isRetryable(error: unknown): boolean {
  return isConnectionLoss(error) && !(error instanceof ConnectionLost) && !isTimeout(error);
}

/** Whether an error is one of the connection, not of a statement that the server refused. */
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
