import type { StatementSync } from 'node:sqlite';
import type { LockingClient, RowStatement, SqlValue } from '../../src/store/sql-client.ts';
import { positional } from '../../src/store/sqlite/statements.ts';
import { inAsyncWriteTransaction } from '../../src/store/sqlite/transaction.ts';
import type { SimulatedConnection } from './connection.ts';
import type { Faults } from './faults.ts';
import type { Life, Scheduler } from './scheduler.ts';

export interface SessionOptions {
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly life: Life;
  readonly name: string;
}

/** Thrown within a transaction that is lost before its commit. */
export class Rollback extends Error {}

/**
 * A session of an instance on the database. Each statement and each transaction is a round trip that takes time and may
 * fail: before it has an effect, by a rollback, or after its commit. The effect itself happens at one moment.
 */
export class SimulatedSession implements LockingClient {
  readonly dialect = {
    bytewise: '',
    forUpdate: '',
    jsonElements: 'json_each' as const,
    jsonArray: 'json_array' as const,
    entriesFrom: () => '',
    notifyEndpoints: undefined,
    rowsPerStatement: 100,
    leasesPerTransaction: 10_000,
  };
  readonly isLockFair = true;
  readonly #database: SimulatedConnection;
  readonly #options: SessionOptions;
  #isInTransaction = false;

  constructor(database: SimulatedConnection, options: SessionOptions) {
    this.#database = database;
    this.#options = options;
  }

  async now(): Promise<number> {
    return this.#options.scheduler.nowMs;
  }

  async lockLedger(): Promise<void> {}

  all<Row>(sql: string, values: readonly SqlValue[] = []): Promise<readonly Row[]> {
    return this.#trip(async () => this.#prepared(sql).all(...values) as unknown as Row[]);
  }

  read<Row extends readonly unknown[]>(
    { text }: RowStatement,
    values: readonly (string | number)[],
  ): Promise<readonly Row[]> {
    return this.#trip(async () => {
      return this.#prepared(text, true).all(...values) as unknown as Row[];
    });
  }

  run(sql: string, values: readonly SqlValue[] = []): Promise<number> {
    return this.#trip(async () => Number(this.#prepared(sql).run(...values).changes));
  }

  transaction<T>(command: () => Promise<T>): Promise<T> {
    return this.#trip(async (isRolledBack) => {
      this.#isInTransaction = true;
      try {
        return await inAsyncWriteTransaction(this.#database.asDatabase(), async () => {
          const result = await command();
          if (isRolledBack) throw new Rollback('The session was lost before its commit.');
          return result;
        });
      } finally {
        this.#isInTransaction = false;
      }
    });
  }

  snapshot<T>(command: () => Promise<T>): Promise<T> {
    return this.transaction(command);
  }

  #trip<T>(work: (isRolledBack: boolean) => Promise<T>): Promise<T> {
    return this.#isInTransaction ? work(false) : roundTrip(this.#options, work);
  }

  /** Another part may have used the same statement with another form of its rows. */
  #prepared(sql: string, areArrays = false): StatementSync {
    const statement = this.#database.prepare(positional(sql));
    statement.setReturnArrays(areArrays);
    return statement;
  }
}

/** Runs work that takes no time after the way to the database, and before the way back. */
export async function roundTrip<T>(
  { scheduler, faults, life, name }: SessionOptions,
  work: (isRolledBack: boolean) => Promise<T>,
): Promise<T> {
  const fault = faults.trip();
  await scheduler.wait(faults.tripMs(), `${name} ${fault}`, life);
  if (fault === 'refused') throw new Error('The database refused the session.');
  const result = await work(fault === 'rolled back');
  await scheduler.wait(faults.tripMs(), `${name} answered`, life);
  if (fault !== 'none') throw new Error('The session was lost before its answer.');
  return result;
}
