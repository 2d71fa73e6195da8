import { ImportRunner } from '../../src/management/jobs/import-runner.ts';
import { SqlBulkChangeStore } from '../../src/store/admin/bulk-changes/bulk-change-store.ts';
import type { StockRules } from '../../src/domain/ledger/ledger-transaction.ts';
import { SqlBulkJobs } from '../../src/store/admin/bulk-changes/bulk-jobs.ts';
import { SqlStocktakeStore } from '../../src/store/admin/stocktake-store.ts';
import { IMPORT_WORK, SqlImportJobs } from '../../src/store/imports/import-jobs.ts';
import { SqlImportStore } from '../../src/store/imports/import-store.ts';
import type { SimulatedConnection } from './connection.ts';
import { ManagementEngine } from './management-engine.ts';
import type { SessionOptions } from './session.ts';

/** A shop has few pets here. */
const PETS_PER_BATCH = 2;
const MAX_QUANTITY = 60;
const LOOK_MS = 15_000;
const FAILURE_BACKOFF_MS = 5_000;

/** What people do with imports, bulk changes and stock-takes, on the management thread of an instance. */
export interface Management {
  readonly imports: SqlImportStore;
  readonly bulkChanges: SqlBulkChangeStore;
  readonly stocktakes: SqlStocktakeStore;
}

export function managementOn(
  connection: SimulatedConnection,
  options: SessionOptions,
  rules: StockRules,
): Management {
  const engine = new ManagementEngine(connection, options);
  return {
    imports: new SqlImportStore(engine),
    bulkChanges: new SqlBulkChangeStore(engine),
    stocktakes: new SqlStocktakeStore(engine, rules),
  };
}

/** The thread of the jobs of an instance: it works until nothing needs work, and looks again from time to time. */
export class SimulatedJobs {
  readonly #engine: ManagementEngine;
  readonly #options: SessionOptions;
  readonly #runner: ImportRunner;
  readonly #importJobs: SqlImportJobs;
  readonly #bulkJobs: SqlBulkJobs;
  #isStopping = false;
  #woken = new AbortController();

  constructor(connection: SimulatedConnection, options: SessionOptions) {
    this.#engine = new ManagementEngine(connection, options);
    this.#options = options;
    this.#importJobs = new SqlImportJobs(this.#engine);
    this.#runner = new ImportRunner(this.#importJobs, MAX_QUANTITY, () => this.#isStopping);
    this.#bulkJobs = new SqlBulkJobs(this.#engine, PETS_PER_BATCH);
  }

  wake(): void {
    // Without a reason, each abort makes an error with its stack.
    this.#woken.abort('woken');
  }

  /** Returns after a stop. It never returns after the end of its life. */
  async run(): Promise<void> {
    while (!this.#isStopping) {
      const waitMs = await this.#work().then(
        (hasWorked) => (hasWorked ? 0 : LOOK_MS),
        () => FAILURE_BACKOFF_MS,
      );
      if (waitMs > 0) await this.#rest(waitMs);
    }
  }

  stop(): void {
    this.#isStopping = true;
    this.wake();
  }

  async #work(): Promise<boolean> {
    this.#woken = new AbortController();
    const { scheduler, life } = this.#options;
    // What a lost life has not finished fails on its closed connection.
    if (!life.isAlive) return new Promise(() => undefined);
    const found = await this.#engine.all(IMPORT_WORK, [scheduler.nowMs - 7 * 86_400_000]);
    if (found.length === 0 || this.#isStopping) return false;
    const isStopping = () => this.#isStopping;
    for (const next of [
      () => this.#runner.runNext(),
      () => this.#bulkJobs.runNext(isStopping),
      () => this.#importJobs.purge(),
      () => this.#bulkJobs.purge(),
    ]) {
      if (await next()) return true;
    }
    return false;
  }

  #rest(ms: number): Promise<void> {
    const { scheduler, life, name } = this.#options;
    return scheduler.wait(ms, `${name} rests`, life, [this.#woken.signal]);
  }
}
