import type { ActivityVerb } from '@petstore-inventory/shared/words';
import { OperatorError } from '../../domain/errors.ts';
import type { StockRules } from '../../domain/ledger/ledger-transaction.ts';
import { stockTag, unmetHeader } from '../../domain/ledger/stock.ts';
import type { ActionAuthor } from '../../domain/management/activity.ts';
import type { ExportPage, ExportQuery } from '../../domain/management/pet-export.ts';
import type { PetRowsPage } from '../../domain/management/pet-rows.ts';
import type { PetStore } from '../../domain/management/pet-store.ts';
import {
  type ManagedPet,
  type NewPet,
  type PetChanges,
  type PetPage,
  type PetQuery,
  requirePetText,
} from '../../domain/management/pets.ts';
import { recordAction } from '../ledger/activity.ts';
import { exportPets } from '../pets/export-pets.ts';
import { READ_PETS } from '../pets/pet-sql.ts';
import { findPet, readPetRows } from '../pets/read-pets.ts';
import { listPets } from '../pets/search-pets.ts';
import { addPet, changePet, setArchived } from '../pets/write-pet.ts';
import type { AdminEngine } from './admin-engine.ts';

/** The fields of an edit, in the order in which the activity log has them. */
const EDITED = ['name', 'category', 'lowStockAt', 'restockAt'] as const;

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
    return found(petId, await findPet(this.#engine, petId));
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

  async create(given: NewPet, author: ActionAuthor): Promise<ManagedPet> {
    const pet = { ...given, ...storedTexts(given) };
    requireThresholds(pet);
    const { petId, quantity } = pet;
    if (quantity > this.#rules.maxQuantity) {
      throw invalid(`quantity: ${quantity} is more than ${this.#rules.maxQuantity}, the largest quantity.`);
    }
    return this.#write(async (atMs) => {
      const present = await findPet(this.#engine, petId);
      if (present) {
        const hint = present.archivedAtMs === null ? '' : '; it is archived';
        throw new OperatorError(`There is a pet with petId ${petId} already${hint}.`);
      }
      await addPet(this.#engine, pet, { ...author, atMs });
      await recordAction(this.#engine, author, action('create', pet, pet), atMs);
      await this.#engine.notifyMovements();
      return this.find(petId);
    });
  }

  async update(
    petId: bigint,
    given: PetChanges,
    author: ActionAuthor,
    conditions: Conditions = {},
  ): Promise<ManagedPet> {
    const changes = { ...given, ...storedTexts(given) };
    return this.#write(async (atMs) => {
      const before = await this.find(petId);
      const header = unmetHeader(conditions, before);
      if (header !== undefined) {
        const message = `${header} does not hold: the tag of pet ${petId} is now "${stockTag(before)}".`;
        throw new OperatorError(message, { code: 'precondition_failed' });
      }
      const after = edited(before, changes);
      requireThresholds(after);
      const details = Object.fromEntries(
        EDITED.filter((name) => after[name] !== before[name]).map((name) => [name, after[name]]),
      );
      if (Object.keys(details).length === 0) return before;
      await changePet(this.#engine, before, after, { ...author, atMs });
      await recordAction(this.#engine, author, action('update', before, details), atMs);
      await this.#engine.notifyMovements();
      return this.find(petId);
    });
  }

  archive(petId: bigint, author: ActionAuthor): Promise<ManagedPet> {
    return this.#write(async (atMs) => {
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

  restore(petId: bigint, author: ActionAuthor): Promise<ManagedPet> {
    return this.#write(async (atMs) => {
      const pet = await this.find(petId);
      return pet.archivedAtMs === null ? pet : this.#setArchived(pet, author, null, atMs);
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
  ): Promise<ManagedPet> {
    await setArchived(this.#engine, pet.petId, archivedAtMs);
    const verb = archivedAtMs === null ? 'restore' : 'archive';
    await recordAction(this.#engine, author, action(verb, pet, {}), atMs);
    return { ...pet, archivedAtMs };
  }

  /** Runs a command under the lock of the ledger, all of it or nothing. */
  #write<T>(command: (atMs: number) => Promise<T>): Promise<T> {
    return this.#engine.transaction(async () => {
      await this.#engine.lockLedger();
      return command(await this.#engine.now());
    });
  }
}

function action(verb: ActivityVerb<'pets'>, { petId }: { readonly petId: bigint }, details: object) {
  return { action: `pets.${verb}` as const, target: String(petId), details: { ...details } };
}

function found(petId: bigint, pet: ManagedPet | undefined): ManagedPet {
  if (pet) return pet;
  throw new OperatorError(`There is no pet with petId ${petId}.`, { code: 'not_found' });
}

/** The texts that are set, as they are stored. */
function storedTexts<Texts extends PetChanges>(texts: Texts): Pick<Texts, 'name' | 'category'> {
  const { name, category } = texts;
  return {
    ...(name !== undefined && { name: requirePetText('name', name) }),
    ...(category !== undefined && { category: requirePetText('category', category) }),
  } as Pick<Texts, 'name' | 'category'>;
}

function edited(before: ManagedPet, changes: PetChanges): ManagedPet {
  const set = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const after = { ...before, ...set };
  // Without a low level there is nothing to come back from.
  return after.lowStockAt === null && changes.restockAt === undefined ? { ...after, restockAt: null } : after;
}

function requireThresholds({ lowStockAt, restockAt }: Pick<ManagedPet, 'lowStockAt' | 'restockAt'>): void {
  if (restockAt === null) return;
  if (lowStockAt === null) throw invalid('restockAt: it needs lowStockAt.');
  if (restockAt > lowStockAt) return;
  throw invalid(`restockAt: ${restockAt} is not greater than lowStockAt, which is ${lowStockAt}.`);
}

function invalid(message: string): OperatorError {
  return new OperatorError(message, { code: 'validation_failed' });
}
