import { randomUUID } from 'node:crypto';
import type { ImportJobs, ImportTask, PlacedRow, RepeatedRow } from '../../domain/import-jobs.ts';
import {
  type Faults,
  type FileFault,
  type ImportRow,
  MAX_IMPORT_FAULTS,
} from '../../domain/management/imports.ts';
import type { ImportResult } from '../../domain/store.ts';
import type { ImportEngine } from './import-engine.ts';
import { purgeImports } from './import-purge.ts';
import { toImportRow } from './import-row.ts';
import { differingRows, givenRows, type PlannedRow, planRows, repeatedRows, STALE_ROWS } from './plan-sql.ts';

/** A runner renews its lease with each piece of a file. */
const CHECK_LEASE_MS = 15_000;
/** The transaction cannot renew it. A runner that takes over too early waits for that transaction, and finds it applied. */
const APPLY_LEASE_MS = 60_000;
/** A file that ends the process of its runner does that to no more than so many. */
const MAX_ATTEMPTS = 10;
const ROWS_PER_DELETION = 10_000;

const CLAIM = `UPDATE imports SET lease_owner = $1, attempts = attempts + 1,
lease_until = CAST($2 AS bigint) + CASE WHEN state = 'checking' THEN ${CHECK_LEASE_MS} ELSE ${APPLY_LEASE_MS} END
WHERE lease_until <= $2 AND id = (SELECT id FROM imports WHERE state IN ('checking', 'applying') AND lease_until <= $2
ORDER BY created_at, id LIMIT 1) AND state IN ('checking', 'applying')`;

const CLAIMED = 'SELECT id, state, format, attempts FROM imports WHERE lease_owner = $1';

const IS_HELD = 'id = $1 AND lease_owner = $2 AND state =';

const RENEW = `UPDATE imports SET lease_until = $3, updated_at = $4, read_bytes = $5 WHERE ${IS_HELD} 'checking'`;

const FINISH_CHECK = `UPDATE imports SET state = $3, updated_at = $4, lease_until = 0, attempts = 0, read_bytes = byte_count,
faults = $5, fault_count = $6, new_count = $7, changed_count = $8, unchanged_count = $9 WHERE ${IS_HELD} 'checking'`;

const COUNTS = 'SELECT effect, count(*) AS count FROM import_rows WHERE import_id = $1 GROUP BY effect';

const APPLIED = `UPDATE imports SET state = 'applied', updated_at = $3, lease_until = 0 WHERE ${IS_HELD} 'applying'`;

const NOTE_RESULT =
  'UPDATE imports SET new_count = $2, changed_count = $3, unchanged_count = $4 WHERE id = $1';

const STALE = `UPDATE imports SET state = 'stale', updated_at = $3, lease_until = 0, attempts = 0, faults = $4, fault_count = $5
WHERE ${IS_HELD} 'applying'`;

const FAIL = `UPDATE imports SET state = 'failed', updated_at = $3, lease_until = 0, failure = $4 WHERE id = $1 AND lease_owner = $2
AND state IN ('checking', 'applying')`;

const RELEASE = 'UPDATE imports SET lease_until = $3 WHERE id = $1 AND lease_owner = $2';

interface ClaimedRow extends Omit<ImportTask, 'owner'> {
  readonly attempts: number;
}

/** Thrown within the transaction of an import, which is then rolled back. */
class StalePlan extends Error {
  readonly faults: Faults;

  constructor(faults: Faults) {
    super('The stock changed after the plan.');
    this.faults = faults;
  }
}

class LostLease extends Error {}

/** The work on imports, for either engine. */
export class SqlImportJobs implements ImportJobs {
  readonly #engine: ImportEngine;

  constructor(engine: ImportEngine) {
    this.#engine = engine;
  }

  async claim(): Promise<ImportTask | undefined> {
    const owner = randomUUID();
    for (;;) {
      const row = await this.#engine.transaction(async () => {
        if ((await this.#engine.run(CLAIM, [owner, await this.#engine.now()])) === 0) return undefined;
        return (await this.#engine.all<ClaimedRow>(CLAIMED, [owner]))[0];
      });
      if (row === undefined) return undefined;
      const { attempts, ...task } = row;
      if (attempts <= MAX_ATTEMPTS) return { ...task, owner };
      await this.#fail({ ...task, owner });
    }
  }

  async clearRows(task: ImportTask): Promise<boolean> {
    const sql = `DELETE FROM import_rows WHERE import_id = $1 AND pet_id IN
(SELECT pet_id FROM import_rows WHERE import_id = $1 ORDER BY pet_id LIMIT ${ROWS_PER_DELETION})`;
    for (;;) {
      const deleted = await this.#whileHeld(task, 0, () => this.#engine.run(sql, [task.id]));
      if (deleted === undefined) return false;
      if (deleted < ROWS_PER_DELETION) return true;
    }
  }

  async readPart({ id }: ImportTask, number: number): Promise<Uint8Array | undefined> {
    const sql = 'SELECT content FROM import_parts WHERE import_id = $1 AND number = $2';
    return (await this.#engine.all<{ content: Uint8Array }>(sql, [id, number]))[0]?.content;
  }

  addRows(
    task: ImportTask,
    rows: readonly PlacedRow[],
    readBytes: number,
  ): Promise<readonly RepeatedRow[] | undefined> {
    return this.#whileHeld(task, readBytes, async () => {
      if (rows.length === 0) return [];
      const { dialect } = this.#engine;
      const values = [task.id, givenRows(rows)];
      if ((await this.#engine.run(planRows(dialect), values)) === rows.length) return [];
      const repeated = await this.#engine.all<{ number: number; earlierLine: number }>(
        repeatedRows(dialect),
        values,
      );
      return repeated.map(({ number, earlierLine }) => ({ ...(rows[number] as PlacedRow), earlierLine }));
    });
  }

  async compare(rows: readonly PlacedRow[]): Promise<readonly ImportRow[]> {
    const sql = differingRows(this.#engine.dialect);
    return (await this.#engine.all<PlannedRow>(sql, [givenRows(rows)])).map(toImportRow);
  }

  async finishCheck(task: ImportTask, { faults, faultCount }: Faults): Promise<void> {
    const rows = await this.#engine.all<{ effect: string; count: number }>(COUNTS, [task.id]);
    const counts = new Map(rows.map(({ effect, count }) => [effect, count]));
    await this.#engine.transaction(async () =>
      this.#engine.run(FINISH_CHECK, [
        task.id,
        task.owner,
        faultCount === 0 ? 'planned' : 'invalid',
        await this.#engine.now(),
        JSON.stringify(faults),
        faultCount,
        ...['new', 'changed', 'unchanged'].map((effect) => counts.get(effect) ?? 0),
      ]),
    );
  }

  async apply(task: ImportTask): Promise<void> {
    const { id, owner } = task;
    const sql = 'SELECT applied_by AS "actor", request_id AS "requestId" FROM imports WHERE id = $1';
    const [author] = await this.#engine.all<{ actor: string; requestId: string | null }>(sql, [id]);
    if (author === undefined) return;
    try {
      await this.#engine.importPets(
        { importId: id },
        { ...author, atMs: undefined },
        { begin: () => this.#beginApply(task), end: (result) => this.#noteResult(id, result) },
      );
    } catch (error) {
      if (error instanceof LostLease) return;
      if (!(error instanceof StalePlan)) throw error;
      const { faults, faultCount } = error.faults;
      const nowMs = await this.#engine.now();
      const values = [id, owner, nowMs, JSON.stringify(faults), faultCount];
      await this.#engine.transaction(() => this.#engine.run(STALE, values));
    }
  }

  async release({ id, owner }: ImportTask, delayMs: number): Promise<void> {
    const untilMs = (await this.#engine.now()) + delayMs;
    await this.#engine.transaction(() => this.#engine.run(RELEASE, [id, owner, untilMs]));
  }

  purge(): Promise<boolean> {
    return purgeImports(this.#engine);
  }

  /** Runs work in a transaction that renews the lease; `undefined` if another runner has it, or the import is cancelled. */
  #whileHeld<T>(task: ImportTask, readBytes: number, work: () => Promise<T>): Promise<T | undefined> {
    return this.#engine.transaction(async () => {
      const nowMs = await this.#engine.now();
      const values = [task.id, task.owner, nowMs + CHECK_LEASE_MS, nowMs, readBytes];
      return (await this.#engine.run(RENEW, values)) === 0 ? undefined : work();
    });
  }

  async #beginApply({ id, owner }: ImportTask): Promise<void> {
    if ((await this.#engine.run(APPLIED, [id, owner, await this.#engine.now()])) === 0) throw new LostLease();
    const stale = await this.#engine.all<{
      petId: string;
      line: number;
      element: number | null;
      total: number;
    }>(STALE_ROWS, [id, MAX_IMPORT_FAULTS]);
    if (stale.length === 0) return;
    const faults = stale.map(
      ({ petId, line, element }): FileFault => ({
        line,
        element,
        field: null,
        message: `pet ${petId} changed after the plan.`,
      }),
    );
    throw new StalePlan({ faults, faultCount: stale[0]?.total ?? 0 });
  }

  async #noteResult(id: string, { created, changed, unchanged }: ImportResult): Promise<void> {
    await this.#engine.run(NOTE_RESULT, [id, created, changed, unchanged]);
  }

  async #fail({ id, owner }: ImportTask): Promise<void> {
    const reason = `It was interrupted ${MAX_ATTEMPTS} times.`;
    const nowMs = await this.#engine.now();
    await this.#engine.transaction(() => this.#engine.run(FAIL, [id, owner, nowMs, reason]));
  }
}
