import { MAX_QUANTITY, MAX_SUPPLIERS } from '@petstore-inventory/shared/limits';
import { MIN_INT64, petIdAfter } from '@petstore-inventory/shared/pet-id';
import { isStorableText } from '@petstore-inventory/shared/storable-text';
import { ALERT_LEVELS } from '@petstore-inventory/shared/words';
import { OperatorError } from '../../domain/errors.ts';
import { unknownPet } from '../../domain/inventory.ts';
import { thresholdsOf } from '../../domain/ledger/alerts.ts';
import { availableOf } from '../../domain/ledger/stock.ts';
import { dayOf, daysOfStock, SALES_DAYS } from '../../domain/ledger/sales.ts';
import type { ActionAuthor } from '../../domain/management/activity.ts';
import type { ManagedPet } from '../../domain/management/pets.ts';
import {
  enoughOf,
  isListed,
  nothingOrdered,
  placeOf,
  type ReorderChange,
  type ReorderPlace,
  type ReorderQuery,
  type ReorderRow,
  type ReorderStore,
  requireChange,
  requireSupplier,
} from '../../domain/management/reorders.ts';
import { recordAction } from '../ledger/activity.ts';
import { readHead } from '../ledger/ledger-bounds.ts';
import { readShopThresholds } from '../ledger/shop-thresholds.ts';
import { readPets } from '../pets/read-pets.ts';
import { countOfSupplier, petsOfSupplier, writeSuppliers } from '../pets/suppliers.ts';
import { type LockingClient, underLedgerLock } from '../sql-client.ts';
import {
  candidates,
  LISTED,
  NO_SALES,
  COUNTED_BEFORE,
  reordersOf,
  SET_REORDER,
  SETTLE,
  soldOf,
  suppliersIn,
} from './reorder-sql.ts';
import {
  isOpen,
  nothingOrderedAt,
  type OrderedUnits,
  readOpenReverts,
  readReceived,
  readReorders,
  type StoredReorder,
  type UnitsRow,
  UNORDERED,
} from './stored-reorders.ts';
import { batchesOf } from '../batches.ts';

/** Pets that a call of `places` looks at: some ten milliseconds. */
const PETS = 5_000;
const ROOM = 1e-9;
/** Pets or reorders per statement. */
const PER_STATEMENT = 500;

/** A pet that may be in the list. Without a row of `reorders` it has `null` for the columns of that. */
interface Candidate
  extends
    OrderedUnits,
    Pick<ManagedPet, 'alertLevel' | 'quantity' | 'reserved' | 'category' | 'createdAtMs' | 'archivedAtMs'> {
  readonly supplier: string | null;
  readonly soldUnits: number | null;
}

/** A reorder of which a prune deletes movements. */
interface SettledReorder extends StoredReorder {
  /** The newest movement of the pet. */
  readonly lastSequence: number;
}

type PlacesQuery = Parameters<ReorderStore['places']>[0];

/** The reorders of either engine. */
export class SqlReorderStore implements ReorderStore {
  readonly #engine: LockingClient;

  constructor(engine: LockingClient) {
    this.#engine = engine;
  }

  places({ beyond, after, upTo, ...query }: PlacesQuery): ReturnType<ReorderStore['places']> {
    return this.#engine.snapshot(async () => {
      const first = petIdAfter(beyond);
      if (first === undefined) return { places: [] };
      const ofSupplier = query.supplier ? await this.#placesOf(query.supplier, first, query) : undefined;
      if (ofSupplier) return ofSupplier;
      // PostgreSQL refuses such a text, which no pet has.
      if (query.category !== undefined && !isStorableText(query.category)) return { places: [] };
      const enough = ALERT_LEVELS.length;
      const isOfOrders = query.state === 'ordered';
      const mayHaveEnough = query.state === 'all' && !query.alertLevels && (upTo?.rank ?? enough) === enough;
      const kinds = [!isOfOrders && (after?.rank ?? 0) < enough, isOfOrders || mayHaveEnough].map(Number);
      const listed = await this.#engine.all<{ petId: string }>(LISTED, [String(first), PETS, ...kinds]);
      const last = listed.at(-1);
      if (last === undefined) return { places: [] };
      const places = await this.#placesOfListed(listed, { after, upTo, ...query });
      return listed.length < PETS ? { places } : { places, next: BigInt(last.petId) };
    });
  }

  rows(petIds: readonly bigint[]): Promise<readonly ReorderRow[]> {
    return this.#engine.snapshot(() => this.#rows(petIds));
  }

  find(petId: bigint): Promise<ReorderRow> {
    return this.#engine.snapshot(() => this.#find(petId));
  }

  update(
    petId: bigint,
    change: ReorderChange,
    author: ActionAuthor,
    ifMatch: readonly string[] | '*' = '*',
  ): Promise<ReorderRow> {
    requireChange(change);
    // What is received from the next movement on counts.
    return underLedgerLock(this.#engine, async (atMs) => {
      const { supplier: before, open, tag } = await this.#find(petId);
      if (ifMatch !== '*' && !ifMatch.includes(tag)) throw changedMeanwhile(petId);
      const [stored] = await this.#engine.all<StoredReorder>(reordersOf(1), [String(petId)]);
      const supplier = change.supplier === undefined ? before : requireSupplier(change.supplier);
      const ordered = change.ordered === undefined ? (open?.ordered ?? null) : change.ordered;
      const expectedOn = change.expectedOn === undefined ? (open?.expectedOn ?? null) : change.expectedOn;
      if (ordered === null && change.expectedOn) throw nothingOrdered();
      const details = {
        ...(supplier !== before && { supplier, previousSupplier: before }),
        ...(ordered !== (open?.ordered ?? null) && { ordered, previousOrdered: open?.ordered ?? null }),
        ...(ordered !== null && expectedOn !== (open?.expectedOn ?? null) && { expectedOn }),
      };
      if (Object.keys(details).length === 0) return this.#find(petId);
      // An order that has arrived stays: an undo of the delivery has its units on their way again.
      if (ordered === null && change.ordered === undefined)
        await writeSuppliers(this.#engine, [{ petId, supplier }], atMs);
      else {
        const units =
          open && stored
            ? [
                ...[stored.received, stored.afterSequence, expectedOn],
                ...[stored.orderedBy, stored.orderedAtMs, stored.openReverts],
              ]
            : [0, await readHead(this.#engine), expectedOn, author.actor, atMs, null];
        const rest = ordered === null ? nothingOrderedAt(atMs) : units;
        await this.#engine.run(SET_REORDER, [String(petId), supplier, ordered, ...rest]);
      }
      const action = { action: 'reorders.update', target: String(petId), details } as const;
      await recordAction(this.#engine, author, action, atMs);
      return this.#find(petId);
    });
  }

  async suppliers(): Promise<readonly string[]> {
    const sql = suppliersIn(this.#engine.dialect.bytewise, MAX_SUPPLIERS);
    return (await this.#engine.all<{ supplier: string }>(sql)).map(({ supplier }) => supplier);
  }

  async #placesOfListed(
    listed: readonly { readonly petId: string }[],
    { after, upTo, ...query }: Omit<PlacesQuery, 'beyond'>,
  ): Promise<readonly ReorderPlace[]> {
    const nowMs = await this.#engine.now();
    const day = dayOf(nowMs) - SALES_DAYS;
    const ranks = [after?.rank ?? 0, upTo?.rank ?? Number.MAX_SAFE_INTEGER];
    const named = JSON.stringify(listed.map(({ petId }) => [petId]));
    const { category = null, supplier = null } = query;
    const bounds = [...ranks, leastTenths(after), mostTenths(upTo)];
    const sql = candidates(this.#engine.dialect.jsonElements);
    const found = await this.#engine.all<Candidate>(sql, [named, day, nowMs, ...bounds, category, supplier]);
    const received = await readReceived(this.#engine, found);
    const places: ReorderPlace[] = [];
    for (const pet of found) {
      const open = isOpen(pet, received.get(pet.petId) ?? 0) ? pet : null;
      if (!isListed({ ...pet, open }, query)) continue;
      const sales = { soldUnits: pet.soldUnits ?? 0, createdAtMs: pet.createdAtMs };
      const days = daysOfStock(availableOf(pet), sales, nowMs);
      places.push(placeOf({ petId: BigInt(pet.petId), alertLevel: pet.alertLevel, daysOfStock: days }));
    }
    return places;
  }

  /** The places of the next pets of a supplier; `undefined` if it has so many that all pets are read as fast. */
  async #placesOf(
    supplier: string,
    first: bigint,
    query: ReorderQuery,
  ): Promise<Awaited<ReturnType<ReorderStore['places']>> | undefined> {
    // No pet has such a text, which PostgreSQL refuses.
    if (!isStorableText(supplier)) return { places: [] };
    const { dialect } = this.#engine;
    const from = [supplier, String(first)];
    const [{ count } = { count: 0 }] = await this.#engine.all<{ count: number }>(countOfSupplier(dialect), [
      ...from,
      PETS + 1,
    ]);
    if (count > PETS) return undefined;
    const found = await this.#engine.all<{ petId: string }>(petsOfSupplier(dialect), [
      ...from,
      PER_STATEMENT,
    ]);
    const petIds = found.map(({ petId }) => BigInt(petId));
    const places = (await this.#rows(petIds)).filter((row) => isListed(row, query)).map(placeOf);
    const last = petIds.at(-1);
    return last === undefined || petIds.length < PER_STATEMENT ? { places } : { places, next: last };
  }

  async #find(petId: bigint): Promise<ReorderRow> {
    const [row] = await this.#rows([petId]);
    if (row) return row;
    throw unknownPet(petId);
  }

  async #rows(petIds: readonly bigint[]): Promise<readonly ReorderRow[]> {
    const shop = await readShopThresholds(this.#engine);
    const nowMs = await this.#engine.now();
    const rows: ReorderRow[] = [];
    for (const part of batchesOf(petIds, PER_STATEMENT)) {
      const pets = await readPets(this.#engine, part);
      const reorders = await readReorders(this.#engine, part);
      const sold = await this.#sold(part, nowMs);
      for (const petId of part) {
        const pet = pets.get(petId);
        if (!pet) continue;
        const days = daysOfStock(
          availableOf(pet),
          { soldUnits: sold.get(String(petId)) ?? 0, createdAtMs: pet.createdAtMs },
          nowMs,
        );
        rows.push({
          ...ownMembers(pet),
          daysOfStock: days,
          enough: enoughOf(thresholdsOf(pet, shop)),
          ...(reorders.get(petId) ?? UNORDERED),
        });
      }
    }
    return rows;
  }

  async #sold(petIds: readonly bigint[], nowMs: number): Promise<ReadonlyMap<string, number>> {
    const sql = soldOf(this.#engine.dialect.jsonElements);
    const named = JSON.stringify(petIds.map((petId) => [String(petId)]));
    const rows = await this.#engine.all<UnitsRow>(sql, [named, dayOf(nowMs) - SALES_DAYS]);
    return new Map(rows.map(({ petId, units }) => [petId, units ?? 0]));
  }
}

/**
 * The tenths of a day, before they are rounded down, from which on a pet may be after a place of its own rank. Numbers of
 * SQL may differ from those of JavaScript in their last digit, so both bounds have room; the caller compares exactly.
 */
function leastTenths(after: ReorderPlace | undefined): number {
  if (!after) return -1;
  return after.daysOfStock === null ? NO_SALES : after.daysOfStock * 10 * (1 - ROOM) - 1;
}

/** The tenths of a day up to which a pet may be at a place of its own rank or before it. */
function mostTenths(upTo: ReorderPlace | undefined): number {
  if (!upTo || upTo.daysOfStock === null) return NO_SALES;
  return upTo.daysOfStock * 10 * (1 + ROOM) + 2;
}

function changedMeanwhile(petId: bigint): OperatorError {
  const message = `What is ordered of the pet ${petId} was changed meanwhile, or has arrived; read it again.`;
  return new OperatorError(message, { code: 'precondition_failed' });
}

function ownMembers({
  petId,
  name,
  category,
  sku,
  quantity,
  reserved,
  alertLevel,
  archivedAtMs,
}: ManagedPet) {
  return { petId, name, category, sku, quantity, reserved, alertLevel, archivedAtMs };
}

/**
 * Writes what has arrived in the movements that a prune deletes, in the transaction that records the prune, and forgets
 * orders of which everything arrived in them. The newest movement of each pet stays: it can still be reverted, so that it
 * counts as before. So do later reverts of what arrived, which count already.
 * @param start The retention start of the prune.
 */
export async function keepReceived(
  client: Pick<LockingClient, 'all' | 'run' | 'dialect'>,
  start: number,
): Promise<void> {
  let after = String(MIN_INT64);
  // An order after the newest movement of its pet counts nothing before itself.
  const upToOf = ({ afterSequence, lastSequence }: SettledReorder) =>
    Math.max(afterSequence ?? 0, Math.min(start, lastSequence - 1));
  for (;;) {
    const rows = await client.all<SettledReorder>(COUNTED_BEFORE, [after, start, PER_STATEMENT]);
    const received = await readReceived(client, rows, upToOf);
    const openReverts = await readOpenReverts(client, rows, upToOf);
    for (const row of rows) {
      const { petId, supplier, ordered, orderedAtMs } = row;
      const units = Math.max(-MAX_QUANTITY, Math.min(MAX_QUANTITY, received.get(petId) ?? 0));
      const reverts = openReverts.get(petId) ?? null;
      if (ordered !== null && units >= ordered && reverts === null) {
        await client.run(SET_REORDER, [petId, supplier, null, ...nothingOrderedAt(orderedAtMs)]);
      } else await client.run(SETTLE, [petId, units, upToOf(row), reverts]);
    }
    const last = rows.at(-1);
    if (!last || rows.length < PER_STATEMENT) return;
    after = last.petId;
  }
}
