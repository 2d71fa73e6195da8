import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import type { BulkOutcome, PetStatus } from '@petstore-inventory/shared/words';
import { type BulkFacts, codesAfter, hasValues, setsCodes } from '../../../domain/management/bulk-changes.ts';
import type { PetCodes } from '../../../domain/management/pet-codes.ts';
import type { AdminEngine } from '../admin-engine.ts';
import { runBatch } from '../../batches.ts';
import { ImportedWords } from '../../imports/import-words.ts';
import { toBarcodes } from '../../pets/pet-sql.ts';
import { readPets } from '../../pets/read-pets.ts';
import { readReorders, UNORDERED } from '../../reorders/stored-reorders.ts';
import { withSuppliers, writeSuppliers } from '../../pets/suppliers.ts';
import { underLedgerLock } from '../../sql-client.ts';
import { toFacts } from './bulk-change-store.ts';
import type { BulkLease, Task } from './bulk-lease.ts';
import { writeOrders } from './bulk-orders.ts';
import { isEmpty } from './bulk-plan.ts';
import { given, otherOwners, petIdsJson, petsWithTakenCodes } from './code-conflicts.ts';

const setOutcomes = (elements: string): string =>
  `UPDATE bulk_rows SET outcome = $2 WHERE change_id = $1 AND pet_id IN ${given(elements, '$3')}`;

const NEXT = `SELECT CAST(pet_id AS text) AS "petId", found_sequence AS "foundSequence", category, status,
low_stock_at AS "lowStockAt", restock_at AS "restockAt", archived_at AS "archivedAtMs", sku, barcodes, supplier, ordered,
reorder_tag AS "reorderTag" FROM bulk_rows
WHERE change_id = $1 AND outcome = $2 ORDER BY pet_id LIMIT $3`;

const KEEP_QUANTITY = `UPDATE incoming SET quantity = inventory.quantity FROM inventory
WHERE inventory.pet_id = incoming.pet_id`;

const setArchived = (elements: string): string =>
  `UPDATE pets SET archived_at = $2, taken_codes = NULL WHERE pet_id IN ${given(elements, '$1')}`;

/**
 * Pets that were deleted after one of the movements of `$1`, arrays of their newest movement and their petId: only an unused pet
 * is deleted. Where a prune may have deleted the deletion, the activity log has it, after the line of the change `$2`. Without such
 * a prune the log is not asked: a pet that was deleted before the change was planned has its line there too.
 */
const deletedAfter = (elements: string): string => `SELECT CAST(pet_id AS text) AS "petId" FROM movements
WHERE kind = 'import' AND reverted_sequence IS NOT NULL AND reverted_sequence IN ${given(elements, '$1')}
UNION SELECT target FROM activity WHERE action || '' = 'pets.delete' AND target IN (
  SELECT value ->> 1 FROM ${elements}($1) WHERE CAST(value ->> 0 AS bigint) < (SELECT max(sequence) FROM ledger_start)
) AND id > (SELECT max(id) FROM activity WHERE action = 'bulk-changes.create' AND target = $2)`;

/** A pet to write, as it was planned. */
interface PlannedPet extends BulkFacts {
  readonly petId: bigint;
  readonly foundSequence: number;
  /** Units that the change orders. */
  readonly ordered: number | null;
  /** Of what is ordered: before the change as planned, after it as it was made. */
  readonly reorderTag: string | null;
}

/** Writes the planned pets of a change, or sets them back. */
export class BulkWriter {
  readonly #engine: AdminEngine;
  readonly #lease: BulkLease;
  readonly #elements: string;
  readonly #petsPerBatch: number;

  constructor(engine: AdminEngine, lease: BulkLease, petsPerBatch: number) {
    this.#engine = engine;
    this.#lease = lease;
    this.#elements = engine.dialect.jsonElements;
    this.#petsPerBatch = petsPerBatch;
  }

  /** Changes or undoes the pets, in batches. */
  async write(task: Task, isStopping: () => boolean): Promise<void> {
    const from: BulkOutcome = task.state === 'undoing' ? 'changed' : 'planned';
    for (;;) {
      if (isStopping()) return this.#lease.release(task, 0);
      const rows = await this.#engine.all<
        Omit<PlannedPet, 'petId' | 'isArchived' | 'barcodes'> & {
          petId: string;
          archivedAtMs: number | null;
          barcodes: string | null;
        }
      >(NEXT, [task.id, from, this.#petsPerBatch]);
      if (rows.length === 0) return this.#lease.end(task, task.state === 'undoing' ? 'undone' : 'applied');
      const pets = rows.map(
        ({ petId, foundSequence, ordered, reorderTag, barcodes, ...row }): PlannedPet => ({
          ...toFacts({ ...row, barcodes: toBarcodes(barcodes) }),
          petId: BigInt(petId),
          foundSequence,
          ordered,
          reorderTag,
        }),
      );
      await runBatch(this.#engine, () => this.#writeBatch(task, pets));
    }
  }

  #writeBatch(task: Task, pets: readonly PlannedPet[]): Promise<void> {
    if (task.values.archived !== undefined) return this.#archive(task, pets);
    if (task.values.ordered !== undefined) return this.#order(task, pets);
    return task.values.supplier === undefined ? this.#edit(task, pets) : this.#supply(task, pets);
  }

  /** Gives pets other values, with a movement of each, as an import does. */
  async #edit(task: Task, pets: readonly PlannedPet[]): Promise<void> {
    let left: readonly bigint[] = [];
    const begin = async () => {
      left = await this.#changedSince(task, pets);
      for (const table of ['incoming', ...ImportedWords.tables]) {
        await this.#engine.run(`DELETE FROM ${table} WHERE pet_id IN ${given(this.#elements, '$1')}`, [
          petIdsJson(left),
        ]);
      }
      await this.#engine.run(KEEP_QUANTITY);
    };
    const end = () => this.#note(task, pets, left);
    const rows = pets.map((pet) => rowOf(pet, task));
    const author = { ...task.author, atMs: undefined, referenceId: task.id };
    await this.#engine.importPets(rows, author, { begin, end });
  }

  async #archive(task: Task, pets: readonly PlannedPet[]): Promise<void> {
    await underLedgerLock(this.#engine, async (nowMs) => {
      const left = await this.#changedSince(task, pets);
      const isArchiving = task.values.archived === (task.state === 'applying');
      const changed = petIdsJson(without(pets, left).map(({ petId }) => petId));
      await this.#engine.run(setArchived(this.#elements), [changed, isArchiving ? nowMs : null]);
      await this.#note(task, pets, left);
    });
  }

  /** Changes who sells the pets. Their stock has no movement of that. */
  async #supply(task: Task, pets: readonly PlannedPet[]): Promise<void> {
    const { supplier = null } = task.values;
    await underLedgerLock(this.#engine, async (nowMs) => {
      const left = await this.#changedSince(task, pets);
      const isUndo = task.state === 'undoing';
      const supplied = without(pets, left).map((pet) => ({
        petId: pet.petId,
        supplier: isUndo ? pet.supplier : supplier,
      }));
      await writeSuppliers(this.#engine, supplied, nowMs);
      await this.#note(task, pets, left);
    });
  }

  /** Marks pets as ordered, or takes that back. Their stock has no movement of that. */
  async #order(task: Task, pets: readonly PlannedPet[]): Promise<void> {
    const { supplier, expectedOn = null } = task.values;
    const isUndo = task.state === 'undoing';
    await underLedgerLock(this.#engine, async (atMs) => {
      const left = await this.#orderedSince(task, pets);
      const orders = without(pets, left).map((pet) => ({
        petId: pet.petId,
        supplier: isUndo || supplier === undefined ? pet.supplier : supplier,
        ordered: isUndo ? null : pet.ordered,
      }));
      const made = isUndo ? null : { expectedOn, orderedBy: task.author.actor };
      await writeOrders(this.#engine, orders, { id: task.id, made, atMs });
      await this.#note(task, pets, left);
    });
  }

  /** The pets whose present order must stay. Under the lock of the ledger: the order is another one by now, or units of it have arrived. */
  async #orderedSince(task: Task, pets: readonly PlannedPet[]): Promise<readonly bigint[]> {
    const petIds = pets.map(({ petId }) => petId);
    const found = await readPets(this.#engine, petIds);
    const deleted = await this.#deletedSince(task, pets);
    const reorders = await readReorders(this.#engine, petIds);
    const isLeft = ({ petId, reorderTag }: PlannedPet) => {
      // After a deletion another pet can have the petId.
      if (!found.has(petId) || deleted.has(petId)) return true;
      const { open, tag } = reorders.get(petId) ?? UNORDERED;
      return tag !== reorderTag || (open?.received ?? 0) > 0;
    };
    return pets.filter(isLeft).map(({ petId }) => petId);
  }

  /**
   * The pets that must stay as they are, under the lock of the ledger: before a change those that are not as they were
   * planned, before an undo those that do not have the values of the change any more.
   */
  async #changedSince(task: Task, pets: readonly PlannedPet[]): Promise<readonly bigint[]> {
    const found = await readPets(
      this.#engine,
      pets.map(({ petId }) => petId),
    );
    // A pet that an import has restored still lists the codes that it lost, and may be archived all the same.
    const isRestoring = task.values.archived === (task.state === 'undoing');
    const lost = isRestoring ? await petsWithTakenCodes(this.#engine, pets) : new Set<bigint>();
    const present = await withSuppliers(
      this.#engine,
      pets.map(({ petId }) => found.get(petId)).filter((pet) => pet !== undefined),
    );
    const now = new Map(present.map((pet) => [pet.petId, pet]));
    const asPlanned = new Map(pets.map((pet) => [pet.petId, pet]));
    const deleted = await this.#deletedSince(task, pets);
    const owners = await otherOwners(this.#engine, present, (pet) => {
      const { sku, barcodes } = codesOf(asPlanned.get(pet.petId) ?? pet, task);
      return { sku: sku === undefined ? pet.sku : sku, barcodes: barcodes ?? pet.barcodes };
    });
    const isLeft = (planned: PlannedPet) => {
      const pet = now.get(planned.petId);
      // After a deletion another pet can have the petId.
      if (!pet || deleted.has(planned.petId)) return true;
      if (lost.has(planned.petId) || owners.has(planned.petId)) return true;
      if (task.state === 'applying') {
        // A sale after the plan has nothing to do with who sells the pet.
        if (task.values.supplier !== undefined) return pet.supplier !== planned.supplier;
        return pet.lastSequence !== planned.foundSequence || toFacts(pet).isArchived !== planned.isArchived;
      }
      const codes = codesAfter(task.values, planned.petId, planned);
      return (
        !hasValues(task.values, toFacts(pet), codes) || (task.values.archived === false && !isEmpty(pet))
      );
    };
    return pets.filter(isLeft).map(({ petId }) => petId);
  }

  async #deletedSince({ id }: Task, pets: readonly PlannedPet[]): Promise<ReadonlySet<bigint>> {
    const found = JSON.stringify(pets.map(({ foundSequence, petId }) => [foundSequence, String(petId)]));
    const rows = await this.#engine.all<{ petId: string }>(deletedAfter(this.#elements), [found, id]);
    return new Set(rows.map(({ petId }) => BigInt(petId)));
  }

  /** Records the result of a batch in its transaction. @param left The pets that stayed. */
  async #note(task: Task, pets: readonly PlannedPet[], left: readonly bigint[]): Promise<void> {
    const isUndo = task.state === 'undoing';
    const [from, done, stayed] = isUndo
      ? (['changed', 'undone', 'kept'] as const)
      : (['planned', 'changed', 'stale'] as const);
    await this.#lease.renewWithin(task, null, async (counts) => {
      for (const [outcome, petIds] of [
        [done, without(pets, left).map(({ petId }) => petId)],
        [stayed, left],
      ] as const) {
        await this.#engine.run(setOutcomes(this.#elements), [task.id, outcome, petIdsJson(petIds)]);
        counts[outcome] += petIds.length;
        counts[from] -= petIds.length;
      }
    });
  }
}

/** A pet as a row of an import. Its quantity is that of the stock, which is read under the lock. */
function rowOf(pet: PlannedPet, task: Task): PetRow {
  const isUndo = task.state === 'undoing';
  const { category, status, thresholds } = task.values;
  const { sku, barcodes = null } = codesOf(pet, task);
  const earlier = { lowStockAt: pet.lowStockAt, restockAt: pet.restockAt };
  return {
    petId: pet.petId,
    name: null,
    quantity: 0,
    category: category === undefined ? null : ((isUndo ? pet.category : category) ?? ''),
    status: status === undefined ? null : ((isUndo ? pet.status : status) as PetStatus),
    thresholds: thresholds && (isUndo ? earlier : thresholds),
    ...(setsCodes(task.values) && { codes: { sku: sku === null ? '' : (sku ?? null), barcodes } }),
  };
}

/** The codes that a batch gives a pet. @param planned The pet as it was planned. */
function codesOf(planned: PetCodes & { readonly petId: bigint }, { state, values }: Task): Partial<PetCodes> {
  const { sku, barcodes } = state === 'undoing' ? planned : codesAfter(values, planned.petId, planned);
  const hasBarcodes = values.barcodes !== undefined || values.inStorePrefix !== undefined;
  return { ...(values.sku !== undefined && { sku }), ...(hasBarcodes && { barcodes }) };
}

/** @param left The pets that stay as they are. */
function without(pets: readonly PlannedPet[], left: readonly bigint[]): readonly PlannedPet[] {
  const staying = new Set(left);
  return pets.filter(({ petId }) => !staying.has(petId));
}
