import { isDiskFull } from '../../../domain/disk.ts';
import {
  BULK_KEPT_MS,
  type BulkJobs,
  type BulkPreview,
  type BulkRow,
  type BulkValues,
  type PetSelection,
  requireBulkValues,
} from '../../../domain/management/bulk-changes.ts';
import { MAX_IMPORT_ATTEMPTS } from '../../../domain/management/imports.ts';
import { LostLease } from '../../imports/import-lease.ts';
import type { AdminEngine } from '../admin-engine.ts';
import { runBatch } from '../../batches.ts';
import { type BulkCounts, NO_COUNTS, shownCodes, toFacts } from './bulk-change-store.ts';
import { BulkLease, type Position, type Task } from './bulk-lease.ts';
import { addRows, type PlanPage, readPlanPage } from './bulk-plan.ts';
import { BulkWriter } from './bulk-writer.ts';

/** Pets per transaction: others write in between. */
const PETS_PER_BATCH = 250;
/** Before another try of a change whose database failed. */
const RETRY_DELAY_MS = 5_000;
const ROWS_PER_DELETION = 2_000;
/** An undo that begins in the last millisecond is committed before its rows are deleted. */
const DELETION_DELAY_MS = 60_000;

const EXPIRED = `SELECT id FROM bulk_changes
WHERE state NOT IN ('planning', 'applying', 'undoing') AND updated_at <= $1 ORDER BY created_at, id LIMIT 1`;
/** A plan that was never applied has no use after it was cancelled. */
const NEEDLESS = `SELECT change_id AS id FROM bulk_rows JOIN bulk_changes ON bulk_changes.id = change_id
WHERE state = 'cancelled' AND applied_by IS NULL LIMIT 1`;
const DELETE_ROWS = `DELETE FROM bulk_rows WHERE change_id = $1 AND pet_id IN
(SELECT pet_id FROM bulk_rows WHERE change_id = $1 ORDER BY pet_id LIMIT ${ROWS_PER_DELETION})`;

/** The work on bulk changes, for either engine. */
export class SqlBulkJobs implements BulkJobs {
  readonly #engine: AdminEngine;
  readonly #lease: BulkLease;
  readonly #writer: BulkWriter;
  readonly #petsPerBatch: number;

  /** @param petsPerBatch Another number for tests. */
  constructor(engine: AdminEngine, petsPerBatch = PETS_PER_BATCH) {
    this.#engine = engine;
    this.#petsPerBatch = petsPerBatch;
    this.#lease = new BulkLease(engine);
    this.#writer = new BulkWriter(engine, this.#lease, petsPerBatch);
  }

  async runNext(isStopping: () => boolean = () => false): Promise<boolean> {
    const claimed = await this.#lease.claim();
    if (claimed === undefined) return false;
    const { task, position, attempts } = claimed;
    try {
      if (attempts > MAX_IMPORT_ATTEMPTS) await this.#lease.end(task, 'failed', 'interrupted');
      else if (task.state === 'planning') await this.#plan(task, position, isStopping);
      else await this.#writer.write(task, isStopping);
    } catch (error) {
      if (error instanceof LostLease) return true;
      if (isDiskFull(error))
        await this.#engine.cleanUp(() => this.#lease.endWithin(task, 'failed', 'disk_full'));
      else {
        // A lost connection cannot release it; then it waits for the end of the lease.
        await this.#lease.release(task, RETRY_DELAY_MS).catch(() => undefined);
        throw error;
      }
    }
    return true;
  }

  async preview(selection: PetSelection, given: BulkValues, shown: number): Promise<BulkPreview> {
    const values = requireBulkValues(given);
    const counts = { ...NO_COUNTS };
    const first: BulkRow[] = [];
    let position: Position = null;
    do {
      const { rows, pets, next } = await this.#page({ selection, values }, position);
      for (const [i, [text, outcome, reason, ...stored]] of rows.entries()) {
        counts[outcome] += 1;
        if (outcome === 'unchanged' || first.length === shown) continue;
        const [pet, petId] = [pets[i], BigInt(text)];
        const [ordered = null, , owner] = stored.slice(-3);
        const before = typeof pet === 'object' ? toFacts(pet) : null;
        first.push({
          petId,
          name: typeof pet === 'object' ? pet.name : null,
          outcome,
          reason,
          codeOwner: reason === 'code_in_use' ? BigInt(owner as string) : null,
          before,
          codes: before && shownCodes(values, petId, before),
          ordered: ordered as number | null,
        });
      }
      position = next;
    } while (position !== null);
    return { counts, rows: first };
  }

  async purge(): Promise<boolean> {
    const expired = await this.#engine.all<{ id: string }>(EXPIRED, [
      (await this.#engine.now()) - BULK_KEPT_MS - DELETION_DELAY_MS,
    ]);
    const [found] = expired.length > 0 ? expired : await this.#engine.all<{ id: string }>(NEEDLESS);
    if (!found) return false;
    await runBatch(this.#engine, () =>
      this.#engine.cleanUp(async () => {
        const rows = await this.#engine.run(DELETE_ROWS, [found.id]);
        if (rows === 0) await this.#engine.run('DELETE FROM bulk_changes WHERE id = $1', [found.id]);
      }),
    );
    return true;
  }

  /** Finds the pets and compares them with the new values, in batches. */
  async #plan(task: Task, from: Position, isStopping: () => boolean): Promise<void> {
    let position = from;
    do {
      if (isStopping()) return this.#lease.release(task, 0);
      const { rows, next } = await this.#page(task, position);
      const store = async (counts: BulkCounts) => {
        await this.#engine.run(addRows(this.#engine.dialect.jsonElements), [task.id, JSON.stringify(rows)]);
        for (const [, outcome] of rows) counts[outcome] += 1;
      };
      await runBatch(this.#engine, () =>
        this.#engine.transaction(() => this.#lease.renewWithin(task, next, store)),
      );
      position = next;
    } while (position !== null);
    await this.#lease.end(task, 'planned');
  }

  #page(of: Pick<Task, 'selection' | 'values'>, position: Position): Promise<PlanPage> {
    return readPlanPage(this.#engine, of, position, this.#petsPerBatch);
  }
}
