import type { ActivityVerb } from '@petstore-inventory/shared/words';
import { OperatorError, validationFailed } from '../../domain/errors.ts';
import { unknownPet } from '../../domain/inventory.ts';
import { requireThresholds } from '../../domain/ledger/alerts.ts';
import type { StockRules } from '../../domain/ledger/ledger-transaction.ts';
import { stockTag, unmetHeader } from '../../domain/ledger/stock.ts';
import type { ActionAuthor } from '../../domain/management/activity.ts';
import type { ExportPage, ExportQuery } from '../../domain/management/pet-export.ts';
import type { PetRowsPage } from '../../domain/management/pet-rows.ts';
import type { PetStore, RestoredPet } from '../../domain/management/pet-store.ts';
import {
  type ManagedPet,
  type NewPet,
  type PetChanges,
  type PetPage,
  type PetQuery,
  requirePetText,
} from '../../domain/management/pets.ts';
import {
  addedCodes,
  areSameBarcodes,
  codesOf,
  describeCode,
  keyText,
  NO_CODES,
  type PetCodes,
  requireBarcodes,
  requireSku,
} from '../../domain/management/pet-codes.ts';
import { onlySet } from '../../domain/only-set.ts';
import { recordAction } from '../ledger/activity.ts';
import { exportPets } from '../pets/export-pets.ts';
import { type CodeChange, findCodeOwners, readTakenCodes, replaceCodes } from '../pets/pet-codes.ts';
import { READ_PETS } from '../pets/pet-sql.ts';
import { findPet, readPetRows } from '../pets/read-pets.ts';
import { listPets } from '../pets/search-pets.ts';
import { addPet, changePet, deletePet, type MovementAuthor, setArchived } from '../pets/write-pet.ts';
import { underLedgerLock } from '../sql-client.ts';
import type { AdminEngine } from './admin-engine.ts';

/** The fields of an edit, in the order in which the activity log has them, and its names of their earlier values. */
const EDITED = {
  name: 'previousName',
  category: 'previousCategory',
  lowStockAt: 'previousLowStockAt',
  restockAt: 'previousRestockAt',
} as const;

/** The movement that made the stock of a pet as it is. Only that of a creation has no status before. */
const LAST_MOVEMENT = `SELECT status_before AS "statusBefore" FROM movements
WHERE sequence = (SELECT last_sequence FROM inventory WHERE pet_id = CAST($1 AS bigint))`;

type Conditions = Parameters<PetStore['update']>[3];

/** The pets of either engine. Changes hold the lock of the ledger, as an import does. */
export class SqlPetStore implements PetStore {
  readonly #engine: AdminEngine;
  readonly #rules: StockRules;

  constructor(engine: AdminEngine, rules: StockRules) {
    this.#engine = engine;
    this.#rules = rules;
  }

  list(query: PetQuery): Promise<PetPage> {
    return this.#engine.snapshot(() => listPets(this.#engine, query));
  }

  async count(): Promise<number> {
    return (await this.#engine.all<{ count: number }>(READ_PETS.count))[0]?.count ?? 0;
  }

  async find(petId: bigint): Promise<ManagedPet> {
    const pet = await findPet(this.#engine, petId);
    if (pet) return pet;
    throw unknownPet(petId);
  }

  findAll(petIds: readonly bigint[]): Promise<readonly ManagedPet[]> {
    return this.#engine.snapshot(async () => {
      const pets: ManagedPet[] = [];
      for (const petId of petIds) {
        const pet = await findPet(this.#engine, petId);
        if (pet) pets.push(pet);
      }
      return pets;
    });
  }

  async create({ takeCodes, ...given }: NewPet, author: ActionAuthor): Promise<ManagedPet> {
    const pet = { ...given, ...storedTexts(given), ...storedCodes(given) };
    const codes = { ...NO_CODES, ...storedCodes(given) };
    requireThresholds(pet);
    const { petId, quantity } = pet;
    if (quantity > this.#rules.maxQuantity) {
      throw validationFailed(
        `quantity: ${quantity} is more than ${this.#rules.maxQuantity}, the largest quantity.`,
      );
    }
    return underLedgerLock(this.#engine, async (atMs) => {
      const present = await findPet(this.#engine, petId);
      if (present) {
        const hint = present.archivedAtMs === null ? '' : '; it is archived';
        throw new OperatorError(`There is a pet with petId ${petId} already${hint}.`);
      }
      await addPet(this.#engine, pet, { ...author, atMs });
      await this.#setCodes({ petId, before: NO_CODES, after: codes }, { ...author, atMs }, takeCodes);
      await recordAction(this.#engine, author, action('create', pet, pet), atMs);
      await this.#engine.notifyMovements();
      return this.find(petId);
    });
  }

  async update(
    petId: bigint,
    { takeCodes, ...given }: PetChanges,
    author: ActionAuthor,
    conditions: Conditions = {},
  ): Promise<ManagedPet> {
    const changes = { ...given, ...storedTexts(given), ...storedCodes(given) };
    return underLedgerLock(this.#engine, async (atMs) => {
      const before = await this.find(petId);
      const header = unmetHeader(conditions, before);
      if (header !== undefined) {
        const message = `${header} does not hold: the tag of pet ${petId} is now "${stockTag(before)}".`;
        throw new OperatorError(message, { code: 'precondition_failed' });
      }
      const after = edited(before, changes);
      requireThresholds(after);
      const details = { ...changedFields(before, after), ...changedCodes(before, after) };
      if (Object.keys(details).length === 0) return before;
      await changePet(this.#engine, before, after, { ...author, atMs });
      await this.#setCodes({ petId, before, after }, { ...author, atMs }, takeCodes);
      await recordAction(this.#engine, author, action('update', before, details), atMs);
      await this.#engine.notifyMovements();
      return this.find(petId);
    });
  }

  archive(petId: bigint, author: ActionAuthor): Promise<ManagedPet> {
    return underLedgerLock(this.#engine, async (atMs) => {
      const pet = await this.find(petId);
      if (pet.archivedAtMs !== null) return pet;
      const { quantity, reserved } = pet;
      if (quantity > 0 || reserved > 0) {
        throw new OperatorError(
          `Pet ${petId} has quantity ${quantity} and ${reserved} reserved; only a pet without stock and reservations can be archived. Set its quantity to 0 first.`,
        );
      }
      return this.#setArchived(pet, author, atMs, atMs);
    });
  }

  restore(petId: bigint, author: ActionAuthor): Promise<RestoredPet> {
    return underLedgerLock(this.#engine, async (atMs) => {
      const pet = await this.find(petId);
      if (pet.archivedAtMs === null) return { ...pet, takenCodes: [] };
      const takenCodes = await readTakenCodes(this.#engine, petId);
      const details = takenCodes.length > 0 ? { takenCodes } : {};
      return { ...(await this.#setArchived(pet, author, null, atMs, details)), takenCodes };
    });
  }

  delete(petId: bigint, author: ActionAuthor, note?: string): Promise<void> {
    return underLedgerLock(this.#engine, async (atMs) => {
      const pet = await this.find(petId);
      const [last] = await this.#engine.all<{ statusBefore: string | null }>(LAST_MOVEMENT, [String(petId)]);
      if (last?.statusBefore !== null) {
        throw new OperatorError(
          `Pet ${petId} was changed after its creation, and the ledger keeps its history; only a pet without another movement can be deleted. Archive it instead: set its quantity to 0 first.`,
        );
      }
      const { name, category, quantity, status, sku, barcodes } = pet;
      const details = { name, category, quantity, status, sku, barcodes };
      await this.#setCodes({ petId, before: pet, after: NO_CODES }, { ...author, atMs });
      await deletePet(this.#engine, pet, { ...author, atMs }, note);
      await recordAction(this.#engine, author, action('delete', pet, details), atMs);
      await this.#engine.notifyMovements();
    });
  }

  exportPage(query: ExportQuery): Promise<ExportPage> {
    return this.#engine.snapshot(() => exportPets(this.#engine, query));
  }

  rowsPage(after?: bigint): Promise<PetRowsPage> {
    return this.#engine.snapshot(() => readPetRows(this.#engine, after));
  }

  async #setArchived(
    pet: ManagedPet,
    author: ActionAuthor,
    archivedAtMs: number | null,
    atMs: number,
    details: object = {},
  ): Promise<ManagedPet> {
    await setArchived(this.#engine, pet.petId, archivedAtMs);
    const verb = archivedAtMs === null ? 'restore' : 'archive';
    await recordAction(this.#engine, author, action(verb, pet, details), atMs);
    return { ...pet, archivedAtMs };
  }

  /**
   * Sets the codes of a pet, within a transaction that has the lock of the ledger. Codes of archived pets are taken if
   * `takes` is set; each such pet then has another tag, and a line in the activity log.
   * @throws OperatorError `code_in_use` where another pet has one of the codes and keeps it.
   */
  async #setCodes(change: CodeChange, author: MovementAuthor, takes = false): Promise<void> {
    const changes = [change, ...(await this.#takenFrom(change, takes, author))];
    if (changes.length === 1 && !hasOtherCodes(change.before, change.after)) return;
    await replaceCodes(this.#engine, changes);
  }

  /** The changes of the archived pets that lose codes. */
  async #takenFrom(
    { petId, before, after }: CodeChange,
    takes: boolean,
    author: MovementAuthor,
  ): Promise<CodeChange[]> {
    const added = addedCodes(before, after);
    const owned = await findCodeOwners(this.#engine, added);
    const losers = new Set<bigint>();
    for (const code of added) {
      const owner = owned.get(keyText(code));
      if (!owner) continue;
      if (owner.archivedAtMs === null || !takes) {
        throw codeInUse(await this.find(owner.petId), describeCode(code));
      }
      losers.add(owner.petId);
    }
    const changes: CodeChange[] = [];
    for (const loserId of losers) {
      const loser = await this.find(loserId);
      const lost = codesOf(loser).filter((code) => owned.get(keyText(code))?.petId === loserId);
      const isKept = (kind: 'sku' | 'barcode', typed: string) =>
        !lost.some((code) => code.kind === kind && code.typed === typed);
      const left: PetCodes = {
        sku: loser.sku !== null && isKept('sku', loser.sku) ? loser.sku : null,
        barcodes: loser.barcodes.filter((barcode) => isKept('barcode', barcode)),
      };
      const taken = lost.map(({ kind, typed }) => ({ kind, code: typed, petId }));
      const earlier = await readTakenCodes(this.#engine, loserId);
      await changePet(this.#engine, loser, loser, author);
      const details = { ...changedCodes(loser, left), takenBy: petId };
      await recordAction(this.#engine, author, action('update', loser, details), author.atMs);
      changes.push({ petId: loserId, before: loser, after: left, taken: [...earlier, ...taken] });
    }
    return changes;
  }
}

function action(verb: ActivityVerb<'pets'>, { petId }: { readonly petId: bigint }, details: object) {
  return { action: `pets.${verb}` as const, target: String(petId), details: { ...details } };
}

/** The texts that are set, as they are stored. */
function storedTexts<Texts extends PetChanges>(texts: Texts): Pick<Texts, 'name' | 'category'> {
  const { name, category } = texts;
  return {
    ...(name !== undefined && { name: requirePetText('name', name) }),
    ...(category !== undefined && { category: requirePetText('category', category) }),
  } as Pick<Texts, 'name' | 'category'>;
}

/** The codes that are set, as they are stored. */
function storedCodes({ sku, barcodes }: Partial<PetCodes>): Partial<PetCodes> {
  return {
    ...(sku !== undefined && { sku: requireSku(sku) }),
    ...(barcodes !== undefined && { barcodes: requireBarcodes(barcodes) }),
  };
}

/** The fields that differ, after and before, for the activity log. */
function changedFields(before: ManagedPet, after: ManagedPet): Record<string, unknown> {
  const names = Object.keys(EDITED) as (keyof typeof EDITED)[];
  const changed = names.filter((name) => after[name] !== before[name]);
  return Object.fromEntries(
    changed.flatMap((name) => [
      [name, after[name]],
      [EDITED[name], before[name]],
    ]),
  );
}

/** The codes that differ, after and before, for the activity log. */
function changedCodes(before: PetCodes, after: PetCodes): Record<string, unknown> {
  return {
    ...(before.sku !== after.sku && { sku: after.sku, previousSku: before.sku }),
    ...(!areSameBarcodes(before.barcodes, after.barcodes) && {
      barcodes: after.barcodes,
      previousBarcodes: before.barcodes,
    }),
  };
}

function hasOtherCodes(before: PetCodes, after: PetCodes): boolean {
  return before.sku !== after.sku || !areSameBarcodes(before.barcodes, after.barcodes);
}

function codeInUse({ petId, name, archivedAtMs }: ManagedPet, code: string): OperatorError {
  const pet = `${petId}${name === null ? '' : ` (${name})`}`;
  const message =
    archivedAtMs === null
      ? `Pet ${pet} has the ${code}.`
      : `Pet ${pet} has the ${code} and is archived; set takeCodes (--take-codes) to take it.`;
  return new OperatorError(message, { code: 'code_in_use' });
}

function edited(before: ManagedPet, changes: PetChanges): ManagedPet {
  const after = { ...before, ...onlySet<PetChanges>(changes) };
  // Without a low level there is nothing to come back from.
  return after.lowStockAt === null && changes.restockAt === undefined ? { ...after, restockAt: null } : after;
}
