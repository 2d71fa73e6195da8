import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** What a connection is for. Its statements, and how they read values, are those of the same use. */
export type ConnectionUse = 'write' | 'orders' | 'send' | 'read events' | 'manage' | 'jobs' | 'verify';

/** SQLITE_FULL and SQLITE_IOERR_FSYNC (sqlite.org/rescode.html). */
const ERROR_CODES = { full: 13, unconfirmed: 1_034 } as const;

/** What `exec` runs often. */
const FREQUENT = /^(?:BEGIN|COMMIT|ROLLBACK)/;

/** A connection to SQLite with all statements that it has prepared. */
interface Opened {
  readonly database: DatabaseSync;
  readonly statements: Map<string, StatementSync>;
}

/** Called when a connection, of any process, has committed. */
export type CommitListener = () => void;

const free = new Map<ConnectionUse, Opened[]>();

/** A connection of a process. Its next commit can fail, as that of a disk that is full or does not confirm. */
export class SimulatedConnection {
  readonly #use: ConnectionUse;
  readonly #hasCommitted: CommitListener;
  #opened: Opened | undefined;
  nextCommit: keyof typeof ERROR_CODES | 'none' = 'none';
  /** Whether the disk still fails: the page that would replace a failed commit is not written either. */
  isStillFailing: () => boolean = () => false;
  onCommit: () => void = () => undefined;
  onFailure: () => void = () => undefined;

  static open(url: string, use: ConnectionUse, hasCommitted: CommitListener): SimulatedConnection {
    return new SimulatedConnection(use, free.get(use)?.pop() ?? opened(url), hasCommitted);
  }

  private constructor(use: ConnectionUse, connection: Opened, hasCommitted: CommitListener) {
    this.#use = use;
    this.#hasCommitted = hasCommitted;
    this.#opened = connection;
  }

  /** For code of the service, which uses only the methods below. */
  asDatabase(): DatabaseSync {
    return this as unknown as DatabaseSync;
  }

  get isOpen(): boolean {
    return this.#opened !== undefined;
  }

  get isTransaction(): boolean {
    return this.#connection().database.isTransaction;
  }

  prepare(sql: string): StatementSync {
    const { database, statements } = this.#connection();
    let statement = statements.get(sql);
    if (!statement) {
      statement = database.prepare(sql);
      // It reports the id of the last row, which may be a petId that does not fit a number.
      if (FREQUENT.test(sql)) statement.setReadBigInts(true);
      statements.set(sql, statement);
    }
    return sql === 'COMMIT' ? this.#committing(statement) : statement;
  }

  exec(sql: string): void {
    if (sql.startsWith('PRAGMA user_version') && this.isStillFailing())
      throw failure(ERROR_CODES.unconfirmed);
    const { database, statements } = this.#connection();
    if (statements.has(sql) || FREQUENT.test(sql)) this.prepare(sql).run();
    else database.exec(sql);
  }

  /** Rolls back, as the end of a process does. */
  close(): void {
    const connection = this.#connection();
    if (connection.database.isTransaction) connection.database.exec('ROLLBACK');
    this.#opened = undefined;
    const others = free.get(this.#use);
    if (others) others.push(connection);
    else free.set(this.#use, [connection]);
  }

  #connection(): Opened {
    if (!this.#opened) throw new Error('The connection is closed.');
    return this.#opened;
  }

  #committing(statement: StatementSync): StatementSync {
    const run = (...values: SQLInputValue[]) => {
      if (this.nextCommit !== 'none') {
        this.onFailure();
        throw failure(ERROR_CODES[this.nextCommit]);
      }
      const result = statement.run(...values);
      this.onCommit();
      this.#hasCommitted();
      return result;
    };
    return { run } as unknown as StatementSync;
  }
}

function opened(url: string): Opened {
  const database = new DatabaseSync(url);
  database.exec('PRAGMA journal_mode = memory; PRAGMA foreign_keys = 1; PRAGMA trusted_schema = 0');
  return { database, statements: new Map() };
}

function failure(errcode: number): Error {
  return Object.assign(new Error(`simulated error ${errcode}`), { errcode });
}
