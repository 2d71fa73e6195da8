import { randomUUID } from 'node:crypto';
import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import type { BulkOutcome, BulkReason, BulkState, PetStatus } from '@petstore-inventory/shared/words';
import { isDiskFull } from '../../domain/disk.ts';
import {
  type BulkFailureCode,
  BULK_KEPT_MS,
  type BulkFacts,
  type BulkJobs,
  type BulkPreview,
  type BulkRow,
  type BulkValues,
  addedCodes,
  codeFault,
  codesAfter,
  hasValues,
  type PetSelection,
  requireBulkValues,
  setsCodes,
} from '../../domain/management/bulk-changes.ts';
import { MAX_IMPORT_ATTEMPTS } from '../../domain/management/imports.ts';
import { keyText, type PetCodes } from '../../domain/management/pet-codes.ts';
import type { ManagedPet, PetPosition } from '../../domain/management/pets.ts';
import { ImportedWords } from '../imports/pet-import.ts';
import { findCodeOwners } from '../pets/pet-codes.ts';
import { toBarcodes } from '../pets/pet-sql.ts';
import { readPets } from '../pets/read-pets.ts';
import { listPets } from '../pets/search-pets.ts';
import type { AdminEngine } from './admin-engine.ts';
import { runBatch } from './batches.ts';
import {
  BULK_COLUMNS,
  type BulkCounts,
  type BulkRecord,
  NO_COUNTS,
  readCounts,
  readSelection,
  recordEnd,
  shownCodes,
  toFacts,
} from './bulk-changes.ts';

/** Pets per transaction: others write in between. */
const PETS_PER_BATCH = 250;
/** A runner renews its lease with each batch. */
const LEASE_MS = 15_000;
/** Before another try of a change whose database failed. */
const RETRY_DELAY_MS = 5_000;
const ROWS_PER_DELETION = 2_000;

/** The change `$1`, if the runner `$2` holds it. */
const IS_HELD = `id = $1 AND lease_owner = $2 AND state IN ('planning', 'applying', 'undoing')`;

const CLAIM = `UPDATE bulk_changes SET lease_owner = $1, attempts = attempts + 1,
lease_until = CAST($2 AS bigint) + ${LEASE_MS}
WHERE lease_until <= $2 AND id = (SELECT id FROM bulk_changes WHERE state IN ('planning', 'applying', 'undoing')
AND lease_until <= $2 ORDER BY updated_at, id LIMIT 1)`;

const CLAIMED = `SELECT ${BULK_COLUMNS}, position, attempts, request_id AS "requestId" FROM bulk_changes
WHERE lease_owner = $1`;

/** A batch that is written proves that the attempt is no endless loop. */
const RENEW = `UPDATE bulk_changes SET lease_until = $3, updated_at = $4, counts = $5, position = $6, attempts = 1 WHERE ${IS_HELD}`;
const HOLDS = `SELECT counts FROM bulk_changes WHERE ${IS_HELD}`;
const RELEASE = 'UPDATE bulk_changes SET lease_until = $3 WHERE id = $1 AND lease_owner = $2';
const FINISH = `UPDATE bulk_changes SET state = $3, updated_at = $4, counts = $5, lease_until = 0, attempts = 0, failure = $6,
position = NULL WHERE ${IS_HELD}`;

const addRows = (elements: string): string => `INSERT INTO bulk_rows
(change_id, pet_id, outcome, reason, found_sequence, category, status, low_stock_at, restock_at, archived_at, sku, barcodes, code_owner)
SELECT $1, CAST(value ->> 0 AS bigint), value ->> 1, value ->> 2, CAST(value ->> 3 AS bigint), value ->> 4, value ->> 5,
CAST(value ->> 6 AS bigint), CAST(value ->> 7 AS bigint), CAST(value ->> 8 AS bigint),
value ->> 9, value ->> 10, CAST(value ->> 11 AS bigint)
FROM ${elements}($2) WHERE true ON CONFLICT DO NOTHING`;

const given = (elements: string, parameter: string): string =>
  `(SELECT CAST(value ->> 0 AS bigint) FROM ${elements}(${parameter}))`;

const setOutcomes = (elements: string): string =>
  `UPDATE bulk_rows SET outcome = $2 WHERE change_id = $1 AND pet_id IN ${given(elements, '$3')}`;

const COUNTS = 'SELECT outcome, count(*) AS count FROM bulk_rows WHERE change_id = $1 GROUP BY outcome';

const NEXT = `SELECT CAST(pet_id AS text) AS "petId", found_sequence AS "foundSequence", category, status,
low_stock_at AS "lowStockAt", restock_at AS "restockAt", archived_at AS "archivedAtMs", sku, barcodes FROM bulk_rows
WHERE change_id = $1 AND outcome = $2 ORDER BY pet_id LIMIT $3`;

const KEEP_QUANTITY = `UPDATE incoming SET quantity = inventory.quantity FROM inventory
WHERE inventory.pet_id = incoming.pet_id`;

const setArchived = (elements: string): string =>
  `UPDATE pets SET archived_at = $2, taken_codes = NULL WHERE pet_id IN ${given(elements, '$1')}`;

const withTakenCodes = (elements: string): string => `SELECT CAST(pet_id AS text) AS "petId" FROM pets
WHERE taken_codes IS NOT NULL AND pet_id IN ${given(elements, '$1')}`;

const EXPIRED = `SELECT id FROM bulk_changes
WHERE state NOT IN ('planning', 'applying', 'undoing') AND updated_at <= $1 ORDER BY created_at, id LIMIT 1`;
/** A plan that was never applied has no use after it was cancelled. */
const NEEDLESS = `SELECT change_id AS id FROM bulk_rows JOIN bulk_changes ON bulk_changes.id = change_id
WHERE state = 'cancelled' AND applied_by IS NULL LIMIT 1`;
const DELETE_ROWS = `DELETE FROM bulk_rows WHERE change_id = $1 AND pet_id IN
(SELECT pet_id FROM bulk_rows WHERE change_id = $1 ORDER BY pet_id LIMIT ${ROWS_PER_DELETION})`;

class LostLease extends Error {}

interface Task {
  readonly id: string;
  readonly owner: string;
  readonly state: BulkState;
  readonly selection: PetSelection;
  readonly values: BulkValues;
  readonly author: { readonly actor: string; readonly requestId: string | null };
}

/** A pet to write, as it was planned. */
interface PlannedPet extends BulkFacts {
  readonly petId: bigint;
  readonly foundSequence: number;
}

/** Where a plan continues: after a pet of a filter, or at a place in the list of named ones. */
type Position = (Omit<PetPosition, 'petId'> & { readonly petId: string }) | { readonly place: number } | null;

/** A row to store: the pet, its outcome, why it is refused, and its present values. */
type PlanRow = readonly [string, BulkOutcome, BulkReason | null, ...(string | number | null)[]];

/** A part of a plan. A named pet that does not exist is its petId. */
interface PlanPage {
  readonly rows: readonly PlanRow[];
  readonly pets: readonly (ManagedPet | bigint)[];
  readonly next: Position;
}

/** The work on bulk changes, for either engine. */
export class SqlBulkJobs implements BulkJobs {
  readonly #engine: AdminEngine;
  readonly #elements: string;
  readonly #petsPerBatch: number;

  /** @param petsPerBatch Another number for tests. */
  constructor(engine: AdminEngine, petsPerBatch = PETS_PER_BATCH) {
    this.#engine = engine;
    this.#petsPerBatch = petsPerBatch;
    this.#elements = engine.dialect.jsonElements;
  }

  async runNext(isStopping: () => boolean = () => false): Promise<boolean> {
    const claimed = await this.#claim();
    if (claimed === undefined) return false;
    const { task, position, attempts } = claimed;
    try {
      if (attempts > MAX_IMPORT_ATTEMPTS) await this.#end(task, 'failed', 'interrupted');
      else if (task.state === 'planning') await this.#plan(task, position, isStopping);
      else await this.#write(task, isStopping);
    } catch (error) {
      if (error instanceof LostLease) return true;
      if (isDiskFull(error)) await this.#engine.cleanUp(() => this.#ended(task, 'failed', 'disk_full'));
      else {
        // A lost connection cannot release it; then it waits for the end of the lease.
        await this.#release(task, RETRY_DELAY_MS).catch(() => undefined);
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
        const [pet, petId, owner] = [pets[i], BigInt(text), stored.at(-1)];
        const before = typeof pet === 'object' ? toFacts(pet) : null;
        first.push({
          petId,
          name: typeof pet === 'object' ? pet.name : null,
          outcome,
          reason,
          codeOwner: reason === 'code_in_use' ? BigInt(owner as string) : null,
          before,
          codes: before && shownCodes(values, petId, before),
        });
      }
      position = next;
    } while (position !== null);
    return { counts, rows: first };
  }

  async purge(): Promise<boolean> {
    const expired = await this.#engine.all<{ id: string }>(EXPIRED, [
      (await this.#engine.now()) - BULK_KEPT_MS,
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

  async #claim() {
    // An owner names one lease.
    const owner = randomUUID();
    const row = await this.#engine.transaction(async () => {
      if ((await this.#engine.run(CLAIM, [owner, await this.#engine.now()])) === 0) return undefined;
      const sql = CLAIMED;
      return (
        await this.#engine.all<
          BulkRecord & { position: string | null; attempts: number; requestId: string | null }
        >(sql, [owner])
      )[0];
    });
    if (!row) return undefined;
    const { id, state, selection, newValues, position, attempts, appliedBy, undoneBy, requestId } = row;
    const actor = (state === 'undoing' ? undoneBy : appliedBy) ?? row.createdBy;
    const task: Task = {
      id,
      owner,
      state,
      selection: readSelection(selection),
      values: JSON.parse(newValues) as BulkValues,
      author: { actor, requestId },
    };
    return { task, attempts, position: JSON.parse(position ?? 'null') as Position };
  }

  /** Finds the pets and compares them with the new values, in batches. */
  async #plan(task: Task, from: Position, isStopping: () => boolean): Promise<void> {
    let position = from;
    do {
      if (isStopping()) return this.#release(task, 0);
      const { rows, next } = await this.#page(task, position);
      await this.#batch(task, next, async (counts) => {
        await this.#engine.run(addRows(this.#elements), [task.id, JSON.stringify(rows)]);
        for (const [, outcome] of rows) counts[outcome] += 1;
      });
      position = next;
    } while (position !== null);
    await this.#end(task, 'planned');
  }

  /** The next pets of the selection, as rows to store. */
  async #page(
    { selection, values }: Pick<Task, 'selection' | 'values'>,
    position: Position,
  ): Promise<PlanPage> {
    if ('petIds' in selection) {
      const place = position && 'place' in position ? position.place : 0;
      const petIds = selection.petIds.slice(place, place + this.#petsPerBatch);
      const found = await this.#engine.snapshot(() => readPets(this.#engine, petIds));
      const pets = petIds.map((petId) => found.get(petId) ?? petId);
      const end = place + petIds.length;
      const next: Position = end < selection.petIds.length ? { place: end } : null;
      return { rows: await this.#rowsOf(pets, values), pets, next };
    }
    const after =
      position && 'petId' in position ? { after: { ...position, petId: BigInt(position.petId) } } : {};
    const query = { ...selection.filter, ...after, limit: this.#petsPerBatch };
    const page = await this.#engine.snapshot(() => listPets(this.#engine, query));
    const next: Position = page.next ? { ...page.next, petId: String(page.next.petId) } : null;
    return { rows: await this.#rowsOf(page.pets, values), pets: page.pets, next };
  }

  async #rowsOf(pets: readonly (ManagedPet | bigint)[], values: BulkValues): Promise<readonly PlanRow[]> {
    const archived = pets.filter(
      (pet) => typeof pet !== 'bigint' && pet.archivedAtMs !== null,
    ) as ManagedPet[];
    const lost = values.archived === false ? await this.#withTakenCodes(archived) : new Set<bigint>();
    const existing = pets.filter((pet) => typeof pet !== 'bigint');
    const owners = await this.#otherOwners(existing, ({ petId, ...pet }) => codesAfter(values, petId, pet));
    return pets.map((pet) => {
      if (typeof pet === 'bigint') return [String(pet), 'refused', 'not_found'] as const;
      const owner = owners.get(pet.petId);
      const [outcome, reason] = outcomeOf(pet, values, lost.has(pet.petId), owner !== undefined);
      const { petId, lastSequence, category, status, lowStockAt, restockAt, archivedAtMs } = pet;
      return [
        String(petId),
        outcome,
        reason,
        lastSequence,
        category,
        status,
        lowStockAt,
        restockAt,
        archivedAtMs,
        pet.sku,
        pet.barcodes.length === 0 ? null : JSON.stringify(pet.barcodes),
        owner === undefined ? null : String(owner),
      ] as const;
    });
  }

  /** Those of the pets that lack a code which another pet has, with that pet. @param codesOf Those that a pet gets. */
  async #otherOwners<Pet extends PetCodes & { readonly petId: bigint }>(
    pets: readonly Pet[],
    codesOf: (pet: Pet) => PetCodes,
  ): Promise<ReadonlyMap<bigint, bigint>> {
    const added = new Map(pets.map((pet) => [pet.petId, addedCodes(pet, codesOf(pet))]));
    const owners = await findCodeOwners(this.#engine, [...added.values()].flat());
    const others = new Map<bigint, bigint>();
    for (const [petId, codes] of added) {
      const found = codes.map((code) => owners.get(keyText(code))).find((owner) => owner !== undefined);
      if (found && found.petId !== petId) others.set(petId, found.petId);
    }
    return others;
  }

  /** Those of the pets from which other pets took codes. */
  async #withTakenCodes(pets: readonly { readonly petId: bigint }[]): Promise<Set<bigint>> {
    if (pets.length === 0) return new Set();
    const sql = withTakenCodes(this.#elements);
    const rows = await this.#engine.all<{ petId: string }>(sql, [idsJson(pets.map(({ petId }) => petId))]);
    return new Set(rows.map(({ petId }) => BigInt(petId)));
  }

  /** Changes or undoes the pets, in batches. */
  async #write(task: Task, isStopping: () => boolean): Promise<void> {
    const from: BulkOutcome = task.state === 'undoing' ? 'changed' : 'planned';
    for (;;) {
      if (isStopping()) return this.#release(task, 0);
      const rows = await this.#engine.all<
        Omit<PlannedPet, 'petId' | 'isArchived' | 'barcodes'> & {
          petId: string;
          archivedAtMs: number | null;
          barcodes: string | null;
        }
      >(NEXT, [task.id, from, this.#petsPerBatch]);
      if (rows.length === 0) return this.#end(task, task.state === 'undoing' ? 'undone' : 'applied');
      const pets = rows.map(({ petId, foundSequence, barcodes, ...row }): PlannedPet => ({
        ...toFacts({ ...row, barcodes: toBarcodes(barcodes) }),
        petId: BigInt(petId),
        foundSequence,
      }));
      await runBatch(this.#engine, () =>
        task.values.archived === undefined ? this.#edit(task, pets) : this.#archive(task, pets),
      );
    }
  }

  /** Gives pets other values, with a movement of each, as an import does. */
  async #edit(task: Task, pets: readonly PlannedPet[]): Promise<void> {
    let left: readonly bigint[] = [];
    const begin = async () => {
      left = await this.#changedSince(task, pets);
      for (const table of ['incoming', ...ImportedWords.tables]) {
        await this.#engine.run(`DELETE FROM ${table} WHERE pet_id IN ${given(this.#elements, '$1')}`, [
          idsJson(left),
        ]);
      }
      await this.#engine.run(KEEP_QUANTITY);
    };
    const end = () => this.#note(task, pets, left);
    const rows = pets.map((pet) => rowOf(pet, task));
    await this.#engine.importPets(rows, { ...task.author, atMs: undefined }, { begin, end });
  }

  async #archive(task: Task, pets: readonly PlannedPet[]): Promise<void> {
    await this.#engine.transaction(async () => {
      await this.#engine.lockLedger();
      const left = await this.#changedSince(task, pets);
      const isArchiving = task.values.archived === (task.state === 'applying');
      const changed = idsJson(without(pets, left));
      await this.#engine.run(setArchived(this.#elements), [
        changed,
        isArchiving ? await this.#engine.now() : null,
      ]);
      await this.#note(task, pets, left);
    });
  }

  /**
   * The pets that must stay as they are, under the lock of the ledger: before a change those that are not as they were
   * planned, before an undo those that do not have the values of the change any more.
   */
  async #changedSince(task: Task, pets: readonly PlannedPet[]): Promise<readonly bigint[]> {
    const now = await readPets(
      this.#engine,
      pets.map(({ petId }) => petId),
    );
    const lost = task.values.archived === undefined ? new Set<bigint>() : await this.#withTakenCodes(pets);
    const present = pets.map(({ petId }) => now.get(petId)).filter((pet) => pet !== undefined);
    const asPlanned = new Map(pets.map((pet) => [pet.petId, pet]));
    const owners = await this.#otherOwners(present, (pet) => {
      const { sku, barcodes } = codesOf(asPlanned.get(pet.petId) ?? pet, task);
      return { sku: sku === undefined ? pet.sku : sku, barcodes: barcodes ?? pet.barcodes };
    });
    const isLeft = (planned: PlannedPet) => {
      const pet = now.get(planned.petId);
      if (!pet || lost.has(planned.petId) || owners.has(planned.petId)) return true;
      if (task.state === 'applying') {
        return pet.lastSequence !== planned.foundSequence || toFacts(pet).isArchived !== planned.isArchived;
      }
      const codes = codesAfter(task.values, planned.petId, planned);
      return (
        !hasValues(task.values, toFacts(pet), codes) || (task.values.archived === false && !isEmpty(pet))
      );
    };
    return pets.filter(isLeft).map(({ petId }) => petId);
  }

  /** Records the result of a batch in its transaction. @param left The pets that stayed. */
  async #note(task: Task, pets: readonly PlannedPet[], left: readonly bigint[]): Promise<void> {
    const isUndo = task.state === 'undoing';
    const [from, done, stayed] = isUndo
      ? (['changed', 'undone', 'kept'] as const)
      : (['planned', 'changed', 'stale'] as const);
    await this.#renewed(task, null, async (counts) => {
      for (const [outcome, petIds] of [
        [done, without(pets, left)],
        [stayed, left],
      ] as const) {
        await this.#engine.run(setOutcomes(this.#elements), [task.id, outcome, idsJson(petIds)]);
        counts[outcome] += petIds.length;
        counts[from] -= petIds.length;
      }
    });
  }

  #batch(task: Task, position: Position, work: (counts: BulkCounts) => Promise<void>): Promise<void> {
    return runBatch(this.#engine, () => this.#engine.transaction(() => this.#renewed(task, position, work)));
  }

  /** Within a transaction, does work for a change that this runner still holds. @throws LostLease otherwise. */
  async #renewed(task: Task, position: Position, work: (counts: BulkCounts) => Promise<void>): Promise<void> {
    const [held] = await this.#engine.all<{ counts: string }>(HOLDS, [task.id, task.owner]);
    if (!held) throw new LostLease();
    const counts = readCounts(held.counts);
    await work(counts);
    const nowMs = await this.#engine.now();
    const stored = position === null ? null : JSON.stringify(position);
    const values = [task.id, task.owner, nowMs + LEASE_MS, nowMs, JSON.stringify(counts), stored];
    if ((await this.#engine.run(RENEW, values)) === 0) throw new LostLease();
  }

  #end(task: Task, state: BulkState, failure: BulkFailureCode | null = null): Promise<void> {
    return this.#engine.transaction(() => this.#ended(task, state, failure));
  }

  async #ended(task: Task, state: BulkState, failure: BulkFailureCode | null): Promise<void> {
    const rows = await this.#engine.all<{ outcome: BulkOutcome; count: number }>(COUNTS, [task.id]);
    const counts = JSON.stringify(
      Object.fromEntries(rows.map(({ outcome, count }) => [outcome, Number(count)])),
    );
    const values = [task.id, task.owner, state, await this.#engine.now(), counts, failure];
    if ((await this.#engine.run(FINISH, values)) === 1) await recordEnd(this.#engine, task.id, task.state);
  }

  async #release({ id, owner }: Task, delayMs: number): Promise<void> {
    const untilMs = (await this.#engine.now()) + delayMs;
    await this.#engine.transaction(() => this.#engine.run(RELEASE, [id, owner, untilMs]));
  }
}

/** What a change will do to a pet, and why it cannot. */
function outcomeOf(
  pet: ManagedPet,
  values: BulkValues,
  hasLostCodes: boolean,
  isCodeInUse: boolean,
): readonly [BulkOutcome, BulkReason | null] {
  const codes = codesAfter(values, pet.petId, pet);
  const fault = codeFault(values, pet, codes);
  if (fault !== undefined) return ['refused', fault];
  if (hasValues(values, toFacts(pet), codes)) return ['unchanged', null];
  if (isCodeInUse) return ['refused', 'code_in_use'];
  if (values.archived === true && !isEmpty(pet)) return ['refused', 'has_stock'];
  return hasLostCodes ? ['refused', 'codes_taken'] : ['planned', null];
}

function isEmpty({ quantity, reserved }: Pick<ManagedPet, 'quantity' | 'reserved'>): boolean {
  return quantity === 0 && reserved === 0;
}

/** A pet as a row of an import. Its quantity is that of the stock, which is read under the lock. */
function rowOf(pet: PlannedPet, task: Task): PetRow {
  const isUndo = task.state === 'undoing';
  const { category, status, thresholds } = task.values;
  const { sku, barcodes = null } = codesOf(pet, task);
  const row = { petId: pet.petId, name: null, quantity: 0 };
  const earlier = { lowStockAt: pet.lowStockAt, restockAt: pet.restockAt };
  return {
    ...row,
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

function without(pets: readonly PlannedPet[], left: readonly bigint[]): readonly bigint[] {
  const gone = new Set(left);
  return pets.map(({ petId }) => petId).filter((petId) => !gone.has(petId));
}

function idsJson(petIds: readonly bigint[]): string {
  return JSON.stringify(petIds.map((petId) => [String(petId)]));
}
