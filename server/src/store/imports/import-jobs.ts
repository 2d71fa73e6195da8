import { randomUUID } from 'node:crypto';
import type { Faults, FileFault } from '@petstore-inventory/shared/pet-file/faults';
import { importProblem } from '@petstore-inventory/shared/pet-file/import-problems';
import type { Reading } from '@petstore-inventory/shared/pet-file/reading';
import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import { petIdAfter } from '@petstore-inventory/shared/pet-id';
import { toStorableText } from '@petstore-inventory/shared/storable-text';
import type { DiskLimits } from '../../domain/disk.ts';
import type {
  CheckProgress,
  CheckResult,
  CompareOptions,
  FoundStock,
  ImportJobs,
  ImportTask,
  PlacedRow,
  RefusedRow,
  UndoPage,
} from '../../domain/import-jobs.ts';
import {
  type ImportFailureCode,
  type ImportRow,
  MAX_IMPORT_ATTEMPTS,
  MAX_IMPORT_FAULTS,
} from '../../domain/management/imports.ts';
import { doubtfulPets } from '../../domain/management/row-matcher.ts';
import type { CodeFacts, CodeKey } from '../../domain/management/pet-codes.ts';
import { findCodeOwners } from '../pets/pet-codes.ts';
import { underLedgerLock } from '../sql-client.ts';
import type { ImportEngine } from './import-engine.ts';
import { CodeInUse, CodeMoved } from './import-codes.ts';
import { deleteRows, purgeImports, ROWS_PER_DELETION } from './import-purge.ts';
import { APPLY_LEASE_MS, CHECK_LEASE_MS, isFree, LostLease } from './import-lease.ts';
import { toImportRow } from './import-row.ts';
import { planUndoRows, type UndoneImport } from './import-undo.ts';
import {
  differingRows,
  givenRows,
  type PlannedRow,
  planRows,
  previewRows,
  refusedRows,
  STALE_ROWS,
} from './plan-sql.ts';

/** Rows of an undo that are planned under the lock of the ledger. */
const UNDONE_PER_BATCH = 500;

const IS_FREE = isFree('$2');

/** The import `$1`, if the runner `$2` holds it. A state follows. */
const IS_HELD = 'id = $1 AND lease_owner = $2 AND state =';

const CLAIM = `UPDATE imports SET lease_owner = $1, attempts = attempts + 1,
lease_until = CAST($2 AS bigint) + CASE WHEN state = 'checking' THEN ${CHECK_LEASE_MS} ELSE ${APPLY_LEASE_MS} END
WHERE ${IS_FREE} AND id = (SELECT id FROM imports WHERE state IN ('checking', 'applying') AND ${IS_FREE}
ORDER BY created_at, id LIMIT 1) AND state IN ('checking', 'applying')`;

const CLAIMED =
  'SELECT id, state, format, mode, reading, undoes, new_count + changed_count AS changes, attempts FROM imports WHERE lease_owner = $1';

const RENEW = `UPDATE imports SET lease_until = $3, updated_at = $4, read_bytes = $5 WHERE ${IS_HELD} 'checking'`;

const RELEASE = 'UPDATE imports SET lease_until = $3 WHERE id = $1 AND lease_owner = $2';

const PART = 'SELECT content FROM import_parts WHERE import_id = $1 AND number = $2';

const PLACE = 'SELECT line, element FROM import_rows WHERE import_id = $1 AND pet_id = CAST($2 AS bigint)';

const ADD_BAD_ROWS = `INSERT INTO import_bad_rows (import_id, number, content)
SELECT $1, count(*), CAST($2 AS text) FROM import_bad_rows WHERE import_id = CAST($1 AS text)`;

/** The greatest petId. */
const NEWEST_ID = 'SELECT CAST(max(pet_id) AS text) AS "petId" FROM pets';

const COUNTS = 'SELECT effect, count(*) AS count FROM import_rows WHERE import_id = $1 GROUP BY effect';

const FINISH_CHECK = `UPDATE imports SET state = $3, updated_at = $4, lease_until = 0, attempts = 0, read_bytes = byte_count,
faults = $5, fault_count = $6, new_count = $7, changed_count = $8, unchanged_count = $9, bad_row_count = $10, facts = $11, doubtful_count = $12, file_hash = $13 WHERE ${IS_HELD} 'checking'`;

/** Rows that only a code names: those of a pet that is there, and those that make one. */
const NAMED = `SELECT effect, count(*) AS count FROM import_rows WHERE import_id = $1 AND named_by IS NOT NULL GROUP BY effect`;

const APPLIER = 'SELECT applied_by AS "actor", request_id AS "requestId" FROM imports WHERE id = $1';

const APPLIED = `UPDATE imports SET state = 'applied', updated_at = $3, lease_until = 0,
applied_after = (SELECT coalesce(max(sequence), 0) FROM movements) WHERE ${IS_HELD} 'applying'`;

const UNDONE = `SELECT id, applied_after AS "appliedAfter", new_count + changed_count AS changes FROM imports
WHERE id = $1 AND state = 'applied' AND undone_by IS NULL`;
const NOTE_UNDO = 'UPDATE imports SET undone_by = $2 WHERE id = $1';

const STALE = `UPDATE imports SET state = 'stale', updated_at = $3, lease_until = 0, attempts = 0, faults = $4, fault_count = $5
WHERE ${IS_HELD} 'applying'`;

const FAIL = `UPDATE imports SET state = 'failed', updated_at = $3, lease_until = 0, failure = $4 WHERE id = $1 AND lease_owner = $2
AND state IN ('checking', 'applying')`;

/** Whether any import or bulk change waits for a runner, or must be deleted; `$1` is the time since which an old one was not touched. */
export const IMPORT_WORK = `SELECT 1 FROM imports WHERE state IN ('receiving', 'checking', 'applying', 'deleted')
OR updated_at <= $1
UNION ALL SELECT 1 FROM bulk_changes WHERE state IN ('planning', 'applying', 'undoing') OR updated_at <= $1 LIMIT 1`;

/** Thrown within the transaction of an import, which is then rolled back. */
class StalePlan extends Error {
  readonly faults: Faults;

  constructor(faults: Faults) {
    super('The stock changed after the plan.');
    this.faults = faults;
  }
}

interface ClaimedRow extends Omit<ImportTask, 'owner' | 'reading'> {
  readonly reading: string;
  readonly attempts: number;
}

/** The work on imports, for either engine. */
export class SqlImportJobs implements ImportJobs {
  readonly #engine: ImportEngine;
  readonly #rowsPerDeletion: number;

  /** @param rowsPerDeletion Another number for tests. */
  constructor(engine: ImportEngine, rowsPerDeletion = ROWS_PER_DELETION) {
    this.#engine = engine;
    this.#rowsPerDeletion = rowsPerDeletion;
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
      const { attempts, reading, ...rest } = row;
      const task = { ...rest, reading: JSON.parse(reading) as Reading, owner };
      if (attempts <= MAX_IMPORT_ATTEMPTS) return task;
      await this.fail(task, 'interrupted');
    }
  }

  async clearRows(task: ImportTask): Promise<boolean> {
    for (;;) {
      const deleted = await this.#engine.cleanUp(() =>
        this.#renewed(task, 0, async () => {
          return deleteRows(this.#engine, task.id, this.#rowsPerDeletion);
        }),
      );
      if (deleted === undefined) return false;
      if (deleted < this.#rowsPerDeletion) return true;
    }
  }

  async readPart({ id }: ImportTask, number: number): Promise<Uint8Array | undefined> {
    return (await this.#engine.all<{ content: Uint8Array }>(PART, [id, number]))[0]?.content;
  }

  addRows(
    task: ImportTask,
    rows: readonly PlacedRow[],
    { readBytes, maxQuantity, badRows }: CheckProgress,
  ): Promise<readonly RefusedRow[] | undefined> {
    const add = async () => {
      if (badRows !== '') await this.#engine.run(ADD_BAD_ROWS, [task.id, toStorableText(badRows)]);
      if (rows.length === 0) return [];
      const values = [task.id, givenRows(rows), maxQuantity];
      const added = await this.#engine.run(planRows(this.#engine.dialect, task.mode), values);
      return added === rows.length ? [] : this.#findRefused(task, rows, maxQuantity);
    };
    return this.#engine.transaction(() => this.#renewed(task, readBytes, add));
  }

  async addUndo(
    task: ImportTask,
    after: bigint | undefined,
    maxQuantity: number,
  ): Promise<UndoPage | 'gone' | undefined> {
    const from = petIdAfter(after);
    if (from === undefined) return { faults: [], last: undefined };
    const isUndoable = "effect <> 'unchanged'";
    const values = [task.undoes ?? '', String(from), UNDONE_PER_BATCH];
    const rows = await this.#engine.all<PlannedRow>(previewRows(isUndoable), values);
    const last = rows.length < UNDONE_PER_BATCH ? undefined : BigInt((rows.at(-1) as PlannedRow).petId);
    return underLedgerLock(this.#engine, () =>
      this.#renewed(task, 0, async () => {
        const [undone] = await this.#engine.all<UndoneImport>(UNDONE, [task.undoes]);
        if (!undone) return 'gone';
        return { faults: await planUndoRows(this.#engine, task.id, undone, rows, maxQuantity), last };
      }),
    );
  }

  async findCodes(keys: readonly CodeKey[]): Promise<CodeFacts> {
    const found = await findCodeOwners(this.#engine, keys);
    const owners = new Map(Array.from(found, ([key, { petId }]) => [key, petId]));
    const [row] = await this.#engine.all<{ petId: string | null }>(NEWEST_ID);
    const newest = row?.petId ?? null;
    return { owners, newestId: newest === null ? undefined : BigInt(newest) };
  }

  async compare(rows: readonly PlacedRow[], { mode }: CompareOptions): Promise<readonly ImportRow[]> {
    const sql = differingRows(this.#engine.dialect, mode);
    return (await this.#engine.all<PlannedRow>(sql, [givenRows(rows)])).map(toImportRow);
  }

  async findWrongSums(rows: readonly PetRow[], maxQuantity: number): Promise<readonly FoundStock[]> {
    const placed = rows.map((row, line) => ({ row, line, element: null }));
    const refused = await this.#findRefused({ id: '', mode: 'add' }, placed, maxQuantity);
    return refused.map(({ row, found }) => ({ petId: row.petId, found }));
  }

  async finishCheck(
    { id, owner }: ImportTask,
    { faults, faultCount, badRowCount, facts, fileHash }: CheckResult,
  ): Promise<void> {
    const rows = await this.#engine.all<{ effect: string; count: number }>(COUNTS, [id]);
    const counts = new Map(rows.map(({ effect, count }) => [effect, count]));
    const named = new Map(
      (await this.#engine.all<{ effect: string; count: number }>(NAMED, [id])).map((row) => [
        row.effect,
        row.count,
      ]),
    );
    const found = (named.get('changed') ?? 0) + (named.get('unchanged') ?? 0);
    await this.#engine.transaction(async () =>
      this.#engine.run(FINISH_CHECK, [
        id,
        owner,
        faultCount === 0 ? 'planned' : 'invalid',
        await this.#engine.now(),
        JSON.stringify(faults),
        faultCount,
        ...['new', 'changed', 'unchanged'].map((effect) => counts.get(effect) ?? 0),
        badRowCount,
        facts === undefined ? null : JSON.stringify(facts),
        doubtfulPets(named.get('new') ?? 0, found),
        fileHash ?? null,
      ]),
    );
  }

  async apply(task: ImportTask): Promise<void> {
    const { id, owner } = task;
    const [author] = await this.#engine.all<{ actor: string; requestId: string | null }>(APPLIER, [id]);
    if (author === undefined) return;
    try {
      const begin = () => this.#beginApplying(task);
      const named = { ...author, atMs: undefined, referenceId: id };
      await this.#engine.importPets({ importId: id }, named, { begin });
    } catch (error) {
      if (error instanceof LostLease) return;
      const isStale = error instanceof CodeInUse || error instanceof CodeMoved;
      const found = isStale ? await this.#staleFaults(id, error) : error;
      if (!(found instanceof StalePlan)) throw found;
      const { faults, faultCount } = found.faults;
      const values = [id, owner, await this.#engine.now(), JSON.stringify(faults), faultCount];
      await this.#engine.transaction(() => this.#engine.run(STALE, values));
    }
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
    return purgeImports(this.#engine, this.#rowsPerDeletion);
  }

  /** Changes the state first, so that of two runners only one writes. */
  async #beginApplying({ id, owner, undoes }: ImportTask): Promise<void> {
    if ((await this.#engine.run(APPLIED, [id, owner, await this.#engine.now()])) === 0) throw new LostLease();
    // Another undo that was applied after the plan has changed its pets, so this is rolled back.
    if (undoes !== null) await this.#engine.run(NOTE_UNDO, [undoes, id]);
    const stale = await this.#engine.all<{
      petId: string;
      line: number;
      element: number | null;
      total: number;
    }>(STALE_ROWS, [id, MAX_IMPORT_FAULTS]);
    if (stale.length === 0) return;
    const faults = stale.map(({ petId, line, element }): FileFault => {
      return { line, element, field: null, ...importProblem('stock_changed', { petId }), row: null };
    });
    throw new StalePlan({ faults, faultCount: stale[0]?.total ?? 0 });
  }

  /** A code that another pet has got after the plan, or that no longer names the pet of its row. */
  async #staleFaults(importId: string, error: CodeInUse | CodeMoved): Promise<StalePlan> {
    const { petId, shownCode: code } = error;
    const [row] = await this.#engine.all<{ line: number; element: number | null }>(PLACE, [
      importId,
      String(petId),
    ]);
    const problem =
      error instanceof CodeInUse
        ? importProblem('code_in_use', { code, petId: error.ownerId })
        : importProblem('code_moved', { code, petId });
    const place = { line: row?.line ?? null, element: row?.element ?? null };
    return new StalePlan({ faults: [{ ...place, field: null, ...problem, row: null }], faultCount: 1 });
  }

  /** The rows that are not in the plan, or could not be in one. */
  async #findRefused(
    { id, mode }: Pick<ImportTask, 'id' | 'mode'>,
    rows: readonly PlacedRow[],
    maxQuantity: number,
  ): Promise<readonly RefusedRow[]> {
    const refused = await this.#engine.all<{ number: number; earlierLine: number | null; found: number }>(
      refusedRows(this.#engine.dialect, mode),
      [id, givenRows(rows), maxQuantity],
    );
    return refused.map(({ number, ...reason }) => ({ ...(rows[number] as PlacedRow), ...reason }));
  }

  /** Renews the lease and runs work in a transaction; `undefined` if another runner has it, or the import is cancelled. */
  async #renewed<T>(task: ImportTask, readBytes: number, work: () => Promise<T>): Promise<T | undefined> {
    const nowMs = await this.#engine.now();
    const values = [task.id, task.owner, nowMs + CHECK_LEASE_MS, nowMs, readBytes];
    return (await this.#engine.run(RENEW, values)) === 0 ? undefined : work();
  }
}
