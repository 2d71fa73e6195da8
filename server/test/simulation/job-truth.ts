import type { BulkOutcome, PetStatus } from '@petstore-inventory/shared/words';
import type { SimulatedDatabase } from './database.ts';
import type { Truth } from './truth.ts';
import type { Violations } from './violations.ts';

const BULK_ROWS = `SELECT change_id AS id, CAST(pet_id AS text) AS petId, outcome, found_sequence AS found,
bulk_rows.status AS before, new_values ->> 'status' AS status FROM bulk_rows JOIN bulk_changes ON id = change_id
WHERE outcome <> 'unchanged' ORDER BY change_id, pet_id`;
const IMPORTS = 'SELECT id, state, undoes FROM imports';
const IMPORT_ROWS = `SELECT CAST(pet_id AS text) AS petId, quantity, status, found_sequence AS found,
coalesce(found_quantity, quantity) AS before
FROM import_rows WHERE import_id = ? ORDER BY import_rows.pet_id`;
const MOVEMENTS = `SELECT sequence, kind, reference_id AS referenceId, reverted_sequence AS reverted FROM movements
WHERE pet_id = CAST(? AS integer)`;
const NEWEST = 'SELECT max(sequence) AS newest FROM movements';

interface BulkRowRecord {
  readonly id: string;
  readonly petId: string;
  readonly outcome: BulkOutcome;
  readonly found: number;
  readonly before: PetStatus;
  readonly status: PetStatus;
}

interface ImportRowRecord {
  readonly petId: string;
  readonly quantity: number;
  readonly status: PetStatus | null;
  readonly found: number;
  /** The quantity before the row. */
  readonly before: number;
}

interface MovementRecord {
  readonly sequence: number;
  readonly kind: string;
  readonly referenceId: string | null;
  readonly reverted: number | null;
}

interface ImportRecord {
  readonly id: string;
  readonly state: string;
  readonly undoes: string | null;
}

/**
 * What imports and bulk changes may do. Each pet is changed once at most, and only as it was planned: with no movement after
 * the plan. An import is undone once at most, which takes back the units that it added, unless a revert has done so. What they
 * commit becomes part of the model.
 */
export class JobTruth {
  readonly #database: SimulatedDatabase;
  readonly #truth: Truth;
  readonly #violations: Violations;
  /** The last outcome of each pet of a bulk change, and the last state of each import. */
  readonly #seen = new Map<string, string>();
  readonly #undone = new Set<string>();
  /** The pets that were changed by imports and bulk changes. */
  changed = 0;

  constructor(database: SimulatedDatabase, truth: Truth, violations: Violations) {
    this.#database = database;
    this.#truth = truth;
    this.#violations = violations;
  }

  /** Called after each commit of a thread of the management. */
  committed(): void {
    for (const row of this.#database.rows<BulkRowRecord>(BULK_ROWS)) this.#bulkRow(row);
    for (const { id, state, undoes } of this.#database.rows<ImportRecord>(IMPORTS)) {
      const before = this.#replaceSeen(id, state);
      if (before === state) continue;
      if (state === 'applied' && undoes !== null) this.#undoes(id, undoes);
      if (state === 'applied') this.#applied(id, before);
      if (state === 'stale') this.#stale(id);
    }
    const [ledger] = this.#database.rows<{ newest: number }>(NEWEST);
    const expected = this.#truth.sequence;
    this.#violations.require(
      ledger?.newest === expected,
      () =>
        `After an import or a bulk change the newest movement is ${ledger?.newest} instead of ${expected}.`,
    );
  }

  #bulkRow({ id, petId, outcome, found, before, status }: BulkRowRecord): void {
    const seen = this.#replaceSeen(`${id} ${petId}`, outcome);
    if (seen === outcome) return;
    const pet = BigInt(petId);
    const what = `a bulk change made pet ${petId} ${outcome} after ${seen}`;
    const isAsPlanned = this.#truth.lastSequence(pet) === found;
    const hasStatus = this.#truth.model.pets.get(pet)?.status === status;
    switch (`${seen ?? 'nothing'} ${outcome}`) {
      case 'nothing planned':
      case 'nothing refused':
        return;
      case 'planned changed':
        this.#violations.require(isAsPlanned, () => `${what}, which has changed after the plan.`);
        return this.#overwrite(pet, { status });
      case 'planned stale':
        return this.#violations.require(!isAsPlanned, () => `${what}, which has not changed after the plan.`);
      case 'changed undone':
        this.#violations.require(hasStatus, () => `${what}, which has another status now.`);
        return this.#overwrite(pet, { status: before });
      case 'changed kept':
        return this.#violations.require(!hasStatus, () => `${what}, which still has the status.`);
      default:
        this.#violations.add(`${what}.`);
    }
  }

  #applied(id: string, before: string | undefined): void {
    this.#violations.require(before === 'applying', () => `An import is applied after it was ${before}.`);
    for (const { petId, quantity, status, found } of this.#rowsOf(id)) {
      const pet = BigInt(petId);
      const isAsPlanned = this.#truth.lastSequence(pet) === found;
      this.#violations.require(
        isAsPlanned,
        () => `An import wrote pet ${petId}, which has changed after the plan.`,
      );
      this.#overwrite(pet, { onHand: quantity, ...(status && { status }) });
    }
  }

  /** Called before the model has the undo. */
  #undoes(id: string, undone: string): void {
    this.#violations.require(!this.#undone.has(undone), () => `The import ${undone} is undone twice.`);
    this.#undone.add(undone);
    const planned = new Map(this.#rowsOf(id).map(({ petId, quantity }) => [petId, quantity]));
    for (const { petId, quantity, before } of this.#rowsOf(undone)) {
      if (quantity === before) continue;
      const now = this.#truth.model.pets.get(BigInt(petId))?.onHand ?? 0;
      const expected = this.#isReverted(undone, petId) ? now : now - (quantity - before);
      this.#violations.require(
        planned.get(petId) === expected,
        () => `The undo of an import leaves pet ${petId} with ${planned.get(petId)} in place of ${expected}.`,
      );
    }
  }

  /** Whether the movement of an import is reverted, and that revert not again. */
  #isReverted(id: string, petId: string): boolean {
    const movements = this.#database.rows<MovementRecord>(MOVEMENTS, [petId]);
    const revertOf = (one: MovementRecord | undefined) =>
      one && movements.find(({ kind, reverted }) => kind === 'revert' && reverted === one.sequence);
    const made = movements.find(({ kind, referenceId }) => kind === 'import' && referenceId === id);
    let reverts = 0;
    for (let revert = revertOf(made); revert; revert = revertOf(revert)) reverts += 1;
    return reverts % 2 === 1;
  }

  #stale(id: string): void {
    const isStale = this.#rowsOf(id).some(
      ({ petId, found }) => this.#truth.lastSequence(BigInt(petId)) !== found,
    );
    this.#violations.require(isStale, () => 'An import is stale although no pet has changed after the plan.');
  }

  #overwrite(petId: bigint, values: Parameters<Truth['overwritten']>[1]): void {
    const before = this.#truth.sequence;
    this.#truth.overwritten(petId, values);
    this.changed += this.#truth.sequence - before;
  }

  #rowsOf(id: string): readonly ImportRowRecord[] {
    return this.#database.rows(IMPORT_ROWS, [id]);
  }

  #replaceSeen(key: string, value: string): string | undefined {
    const seen = this.#seen.get(key);
    this.#seen.set(key, value);
    return seen;
  }
}
