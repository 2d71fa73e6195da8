import { randomUUID } from 'node:crypto';
import type { Faults } from '@petstore-inventory/shared/pet-file/faults';
import type { DiskLimits } from '../../domain/disk.ts';
import type {
  CheckProgress,
  CompareOptions,
  ImportJobs,
  ImportTask,
  PlacedRow,
  RefusedRow,
} from '../../domain/import-jobs.ts';
import { wrongSums } from '../../domain/management/import-sums.ts';
import {
  type ImportFailureCode,
  type ImportRow,
  MAX_IMPORT_ATTEMPTS,
} from '../../domain/management/imports.ts';
import { applyPlan } from './apply-plan.ts';
import { addRows, clearRows, findRefused, finishCheck } from './check-file.ts';
import type { ImportEngine } from './import-engine.ts';
import { APPLY_LEASE_MS, CHECK_LEASE_MS } from './import-lease.ts';
import { purgeImports } from './import-purge.ts';
import { toImportRow } from './import-row.ts';
import { differingRows, givenRows, type PlannedRow } from './plan-sql.ts';

const CLAIM = `UPDATE imports SET lease_owner = $1, attempts = attempts + 1,
lease_until = CAST($2 AS bigint) + CASE WHEN state = 'checking' THEN ${CHECK_LEASE_MS} ELSE ${APPLY_LEASE_MS} END
WHERE lease_until <= $2 AND id = (SELECT id FROM imports WHERE state IN ('checking', 'applying') AND lease_until <= $2
ORDER BY created_at, id LIMIT 1) AND state IN ('checking', 'applying')`;

const CLAIMED =
  'SELECT id, state, format, mode, new_count + changed_count AS changes, attempts FROM imports WHERE lease_owner = $1';

const FAIL = `UPDATE imports SET state = 'failed', updated_at = $3, lease_until = 0, failure = $4 WHERE id = $1 AND lease_owner = $2
AND state IN ('checking', 'applying')`;

const RELEASE = 'UPDATE imports SET lease_until = $3 WHERE id = $1 AND lease_owner = $2';

interface ClaimedRow extends Omit<ImportTask, 'owner'> {
  readonly attempts: number;
}

/** The work on imports, for either engine. */
export class SqlImportJobs implements ImportJobs {
  readonly #engine: ImportEngine;

  constructor(engine: ImportEngine) {
    this.#engine = engine;
  }

  async claim(): Promise<ImportTask | undefined> {
    for (;;) {
      // An owner names one lease: `CLAIMED` must not find an import that this call failed before.
      const owner = randomUUID();
      const row = await this.#engine.transaction(async () => {
        if ((await this.#engine.run(CLAIM, [owner, await this.#engine.now()])) === 0) return undefined;
        return (await this.#engine.all<ClaimedRow>(CLAIMED, [owner]))[0];
      });
      if (row === undefined) return undefined;
      const { attempts, ...task } = row;
      if (attempts <= MAX_IMPORT_ATTEMPTS) return { ...task, owner };
      await this.fail({ ...task, owner }, 'interrupted');
    }
  }

  clearRows(task: ImportTask): Promise<boolean> {
    return clearRows(this.#engine, task);
  }

  async readPart({ id }: ImportTask, number: number): Promise<Uint8Array | undefined> {
    const sql = 'SELECT content FROM import_parts WHERE import_id = $1 AND number = $2';
    return (await this.#engine.all<{ content: Uint8Array }>(sql, [id, number]))[0]?.content;
  }

  addRows(
    task: ImportTask,
    rows: readonly PlacedRow[],
    progress: CheckProgress,
  ): Promise<readonly RefusedRow[] | undefined> {
    return addRows(this.#engine, task, rows, progress);
  }

  async compare(
    rows: readonly PlacedRow[],
    { mode, maxQuantity }: CompareOptions,
  ): Promise<readonly ImportRow[]> {
    if (mode === 'add') {
      const refused = await findRefused(this.#engine, { id: '', mode }, rows, maxQuantity);
      const sums = refused.map(({ row, found }) => ({ petId: row.petId, found, added: row.quantity }));
      if (sums.length > 0) throw wrongSums(sums, sums.length, maxQuantity);
    }
    const sql = differingRows(this.#engine.dialect, mode);
    return (await this.#engine.all<PlannedRow>(sql, [givenRows(rows)])).map(toImportRow);
  }

  finishCheck(task: ImportTask, faults: Faults): Promise<void> {
    return finishCheck(this.#engine, task, faults);
  }

  apply(task: ImportTask): Promise<void> {
    return applyPlan(this.#engine, task);
  }

  async release({ id, owner }: ImportTask, delayMs: number): Promise<void> {
    const untilMs = (await this.#engine.now()) + delayMs;
    await this.#engine.transaction(() => this.#engine.run(RELEASE, [id, owner, untilMs]));
  }

  async fail({ id, owner }: ImportTask, reason: ImportFailureCode): Promise<void> {
    const nowMs = await this.#engine.now();
    await this.#engine.cleanUp(() => this.#engine.run(FAIL, [id, owner, nowMs, reason]));
  }

  freeBytes({ capacityBytes }: DiskLimits): Promise<number | undefined> {
    return this.#engine.freeBytes(capacityBytes);
  }

  purge(): Promise<boolean> {
    return purgeImports(this.#engine);
  }
}
