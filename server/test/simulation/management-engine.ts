import type { ImportResult } from '../../src/domain/admin-store.ts';
import type { ImportAuthor, ImportSource, ImportTransaction } from '../../src/store/imports/import-engine.ts';
import type { RowStatement, SqlValue } from '../../src/store/sql-client.ts';
import { SqliteAdminEngine } from '../../src/store/sqlite/admin/engine.ts';
import { positional } from '../../src/store/sqlite/statements.ts';
import type { SimulatedConnection } from './connection.ts';
import { roundTrip, Rollback, type SessionOptions } from './session.ts';

/**
 * The copy of the rows needs no lock, and no lease is renewed meanwhile: one ends after 15 s, the other after 60 s, and others
 * look for such work every 15 s.
 */
const LONG_COPIES_MS = [32_000, 80_000];

/** The engine of a management thread. Its calls are round trips as those of `SimulatedSession`. */
export class ManagementEngine extends SqliteAdminEngine {
  /** The pause between transactions is of real time. */
  override readonly isLockFair = true;
  readonly #connection: SimulatedConnection;
  readonly #options: SessionOptions;
  #isInTransaction = false;

  constructor(connection: SimulatedConnection, options: SessionOptions) {
    super(connection.asDatabase(), 'simulation');
    this.#connection = connection;
    this.#options = options;
  }

  override async now(): Promise<number> {
    return this.#options.scheduler.nowMs;
  }

  override keepReserve(): void {}

  override all<Row>(sql: string, values: readonly SqlValue[] = []): Promise<readonly Row[]> {
    return this.#isInTransaction
      ? super.all<Row>(sql, values)
      : this.#trip(() => super.all<Row>(sql, values));
  }

  /** That of the service lets other work have a turn of the real event loop. */
  override async read<Row extends readonly unknown[]>(
    { text }: RowStatement,
    values: readonly (string | number)[],
  ): Promise<readonly Row[]> {
    const statement = this.#connection.prepare(positional(text));
    statement.setReturnArrays(true);
    const rows = async () => statement.all(...values) as unknown as Row[];
    return this.#isInTransaction ? rows() : this.#trip(rows);
  }

  override run(sql: string, values: readonly SqlValue[] = []): Promise<number> {
    return this.#isInTransaction ? super.run(sql, values) : this.#trip(() => super.run(sql, values));
  }

  override transaction<T>(command: () => Promise<T>): Promise<T> {
    return this.#trip((isRolledBack) => super.transaction(() => thenLost(command, isRolledBack)));
  }

  override snapshot<T>(command: () => Promise<T>): Promise<T> {
    return this.#trip(() => super.snapshot(command));
  }

  override async importPets(
    source: ImportSource,
    author: ImportAuthor,
    within?: ImportTransaction,
  ): Promise<ImportResult> {
    const { scheduler, faults, life, name } = this.#options;
    const isSlow = !faults.isOver && scheduler.random.chance(0.05);
    if (isSlow) await scheduler.wait(scheduler.random.pick(LONG_COPIES_MS), `${name} copies rows`, life);
    return this.#trip((isRolledBack) => {
      const end = (result: ImportResult) => thenLost(async () => within?.end?.(result), isRolledBack);
      return super.importPets(source, author, { begin: async () => within?.begin(), end });
    });
  }

  #trip<T>(work: (isRolledBack: boolean) => Promise<T>): Promise<T> {
    return roundTrip(this.#options, async (isRolledBack) => {
      this.#isInTransaction = true;
      try {
        return await work(isRolledBack);
      } finally {
        this.#isInTransaction = false;
      }
    });
  }
}

async function thenLost<T>(command: () => Promise<T>, isRolledBack: boolean): Promise<T> {
  const result = await command();
  if (isRolledBack) throw new Rollback('The session was lost before its commit.');
  return result;
}
