/** A statement whose rows are arrays, which take half the time of objects. */
export interface RowStatement {
  readonly name: string;
  readonly text: string;
  readonly rowMode: 'array';
}

/** A value of a parameter. */
export type Parameter = string | number | null;
export type SqlValue = Parameter | Uint8Array;

/**
 * Reads rows of a database. Each statement sees one moment, and the next one may see a later one. Other work runs in
 * between: a database that returns immediately is read in another turn of the event loop each time.
 */
export interface RowReader {
  read<Row extends readonly unknown[]>(
    statement: RowStatement,
    values: readonly (string | number)[],
  ): Promise<readonly Row[]>;
}

/** What every engine does alike. Parameters are `$1`, `$2` and so on; a statement names each value that it is given. */
export interface SqlClient extends RowReader {
  /** The rows of a statement as objects. */
  all<Row>(sql: string, values?: readonly SqlValue[]): Promise<readonly Row[]>;
  /** Runs one statement. Returns the number of rows changed. */
  run(sql: string, values?: readonly SqlValue[]): Promise<number>;
  /** Runs a command in one write transaction: all of it, or nothing. Transactions of one client run one after the other. */
  transaction<T>(command: () => Promise<T>): Promise<T>;
  /** Runs a command that only reads, and sees one moment of the database however long it takes. */
  snapshot<T>(command: () => Promise<T>): Promise<T>;
}

/** A client for functions that only read. */
export type SqlReader = Pick<SqlClient, 'all'>;

/** A client whose transactions may write beside the ledger. */
export interface LockingClient extends SqlClient {
  readonly dialect: SqlDialect;
  /** Whether writers get the lock in the order in which they wait for it. */
  readonly isLockFair: boolean;
  /** The time by the clock of the service's instances, in milliseconds. */
  now(): Promise<number>;
  /** Within a transaction, keeps other processes from writing to the ledger until it ends. */
  lockLedger(): Promise<void>;
}

/** Runs a command under the lock of the ledger, all of it or nothing. It gets the time, read under the lock. */
export function underLedgerLock<T>(client: LockingClient, command: (atMs: number) => Promise<T>): Promise<T> {
  return client.transaction(async () => {
    // Together they are one round trip, in which others wait. The clock is read after the lock was given.
    const [, atMs] = await Promise.all([client.lockLedger(), client.now()]);
    return command(atMs);
  });
}

/** The few parts of shared statements that differ. */
export interface SqlDialect {
  /** What follows a text in ORDER BY to sort it by its bytes. */
  readonly bytewise: string;
  /** Ends a SELECT within a transaction whose rows no other transaction changes until it ends. */
  readonly forUpdate: string;
  /** The function that returns the elements of a JSON array as rows with a `value`. */
  readonly jsonElements: 'json_each' | 'jsonb_array_elements';
  /** The function that returns a JSON array of its arguments. */
  readonly jsonArray: 'json_array' | 'json_build_array';
  /**
   * A condition and an order: the rows of an index on two columns whose first one is `$1`, from `$2` of the second one on.
   * SQLite finds the place in the index only by an equation; with one, PostgreSQL may read along another index of the second.
   */
  readonly entriesFrom: (first: string, second: string) => string;
  /** Notifies the instances, with the commit, of a changed webhook endpoint; `undefined` where one process serves alone. */
  readonly notifyEndpoints: string | undefined;
  /** Rows that a statement writes best: one where it stays prepared in this process, many where each is a round trip. */
  readonly rowsPerStatement: number;
  /** Leases per transaction: few where changes of stock wait for it, many where each transaction is several round trips. */
  readonly leasesPerTransaction: number;
}

/** A statement with its name, by which a server that prepares it knows it. */
export function rowStatement(name: string, text: string): RowStatement {
  return { name, text, rowMode: 'array' };
}

/** Runs commands one after the other, whatever the result of each. */
export class Sequentially {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(command: () => Promise<T>): Promise<T> {
    const result = this.#last.then(command);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
