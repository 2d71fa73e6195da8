import pg from 'pg';

/** OID of int8 (src/include/catalog/pg_type.dat). */
const INT8 = 20;
const CONNECT_TIMEOUT_MS = 3_000;
/** A connection that is silent for so long with a question open is given up; the server gives up before. */
const RESPONSE_TIMEOUT_MS = 5_000;
/** For so long after a failed attempt nobody tries again: each of many requests would. */
const FAILURE_BACKOFF_MS = 200;
/** A server that runs ends its side of a connection at once. */
const END_TIMEOUT_MS = 1_000;

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
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    pipeline: true,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? readInt8 : pg.types.getTypeParser(oid, format),
    },
    ...limits,
  } as pg.ClientConfig);
}

export interface ConnectionOptions {
  /** Statements for each new session, beside those that all have. */
  readonly session?: string;
  readonly onLost?: () => void;
  /** Called for each notification of a channel on which a session listens. */
  readonly onNotification?: () => void;
}

/**
 * One connection of a serving process, opened when it is needed and again after it was lost. A lost connection
 * fails what was under way, and nothing else.
 */
export class Connection {
  readonly #url: string;
  readonly #session: string;
  readonly #onLost: () => void;
  readonly #onNotification: () => void;
  #connecting: Promise<pg.Client> | undefined;
  #connected: pg.Client | undefined;
  /** The client of the last attempt, whatever came of it. */
  #newest: pg.Client | undefined;
  #isProbed = false;
  #isClosed = false;

  constructor(
    url: string,
    { session = '', onLost = () => {}, onNotification = () => {} }: ConnectionOptions = {},
  ) {
    this.#url = url;
    this.#session = `${SESSION}; ${session}`;
    this.#onLost = onLost;
    this.#onNotification = onNotification;
  }

  /**
   * The connection to ask several things in one round trip, or in a transaction.
   * @throws ConnectionLost when the database cannot be reached; nothing was asked then.
   */
  client(): Promise<pg.Client> {
    // A question that is late must not open it again: nobody would close it, and the process would not end.
    if (this.#isClosed) return Promise.reject(new ConnectionLost('The connection was closed.'));
    this.#connecting ??= this.#connect();
    return this.#connecting;
  }

  /** Asks a question that changes nothing; once more if the connection breaks before the answer. */
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

  /** Carries out one statement, which is a transaction of its own. */
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
   * Forgets a client when an answer says that its session is over. The client itself tells so only a moment later,
   * and whoever asks again before would ask the dead.
   */
  forgetEnded(client: pg.Client, error: unknown): void {
    if (error instanceof pg.DatabaseError && isServerGone(error.code)) this.#forget(client);
  }

  /** Waits for what was asked, then ends the connection, or cuts it where nobody hears of the end. */
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

  /** Breaks the connection off, for good: what is under way fails. */
  cut(): void {
    this.#isClosed = true;
    this.#newest?.connection.stream.destroy();
  }

  /**
   * Asks whether the server is still there, without waiting for the answer. A host that fails, or a firewall that
   * forgets a connection, says nothing, and the next caller would wait in vain.
   */
  probe(question: Statement): void {
    if (!this.#connected || this.#isProbed) return;
    this.#isProbed = true;
    this.#connected
      .query(question)
      .catch(() => undefined)
      .finally(() => {
        this.#isProbed = false;
      });
  }

  async #connect(): Promise<pg.Client> {
    const client = newClient(this.#url, { query_timeout: RESPONSE_TIMEOUT_MS });
    this.#newest = client;
    // Without a listener, the loss of an idle connection would end the process.
    client.on('error', () => this.#forget(client));
    client.on('end', () => this.#forget(client));
    client.on('notification', this.#onNotification);
    try {
      await client.connect();
      await client.query(this.#session);
      this.#connected = client;
      return client;
    } catch (cause) {
      const failed = this.#connecting;
      setTimeout(() => {
        if (this.#connecting === failed) this.#connecting = undefined;
      }, FAILURE_BACKOFF_MS).unref();
      client.end().catch(() => {});
      throw new ConnectionLost('The database cannot be reached.', { cause });
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
 * Whether a question that changes nothing may be asked once more: its connection was lost. One that was not answered
 * in time would keep its caller waiting twice as long, and a connection that was not to be had is not to be had now.
 */
export function isRetryable(error: unknown): boolean {
  return isConnectionLoss(error) && !(error instanceof ConnectionLost) && !isTimeout(error);
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
