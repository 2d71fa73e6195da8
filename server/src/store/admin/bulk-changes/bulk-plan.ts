import type { BulkOutcome, BulkReason } from '@petstore-inventory/shared/words';
import {
  type BulkValues,
  codeFault,
  codesAfter,
  hasValues,
} from '../../../domain/management/bulk-changes.ts';
import type { ManagedPet } from '../../../domain/management/pets.ts';
import type { AdminEngine } from '../admin-engine.ts';
import { readPets } from '../../pets/read-pets.ts';
import { listPets } from '../../pets/search-pets.ts';
import { type Supplied, withSuppliers } from '../../pets/suppliers.ts';
import { toFacts } from './bulk-change-store.ts';
import type { Position, Task } from './bulk-lease.ts';
import { planOrders } from './bulk-orders.ts';
import { otherOwners, petsWithTakenCodes } from './code-conflicts.ts';

/** Stores the rows of a page `$2` for the change `$1`. */
export const addRows = (elements: string): string => `INSERT INTO bulk_rows
(change_id, pet_id, outcome, reason, found_sequence, category, status, low_stock_at, restock_at, archived_at, sku, barcodes, supplier, ordered,
reorder_tag, code_owner)
SELECT $1, CAST(value ->> 0 AS bigint), value ->> 1, value ->> 2, CAST(value ->> 3 AS bigint), value ->> 4, value ->> 5,
CAST(value ->> 6 AS bigint), CAST(value ->> 7 AS bigint), CAST(value ->> 8 AS bigint),
value ->> 9, value ->> 10, value ->> 11, CAST(value ->> 12 AS bigint), value ->> 13, CAST(value ->> 14 AS bigint)
FROM ${elements}($2) WHERE true ON CONFLICT DO NOTHING`;

/** A row to store: the pet, its outcome, why it is refused, its present values, what is ordered, and the owner of a code. */
type PlanRow = readonly [string, BulkOutcome, BulkReason | null, ...(string | number | null)[]];

const NO_ORDERS: Awaited<ReturnType<typeof planOrders>> = new Map();

type SuppliedPet = ManagedPet & Supplied;

/** A part of a plan. A named pet that does not exist is its petId. */
export interface PlanPage {
  readonly rows: readonly PlanRow[];
  readonly pets: readonly (SuppliedPet | bigint)[];
  readonly next: Position;
}

/** The next pets of the selection, as rows to store. */
export async function readPlanPage(
  engine: AdminEngine,
  { selection, values }: Pick<Task, 'selection' | 'values'>,
  position: Position,
  petsPerPage: number,
): Promise<PlanPage> {
  if ('petIds' in selection) {
    const place = position && 'place' in position ? position.place : 0;
    const petIds = selection.petIds.slice(place, place + petsPerPage);
    const found = await engine.snapshot(async () =>
      withSuppliers(engine, [...(await readPets(engine, petIds)).values()]),
    );
    const byId = new Map(found.map((pet) => [pet.petId, pet]));
    const pets = petIds.map((petId) => byId.get(petId) ?? petId);
    const end = place + petIds.length;
    const next: Position = end < selection.petIds.length ? { place: end } : null;
    const { units } = selection;
    const given = new Map(units && petIds.map((petId, i) => [petId, units[place + i] as number]));
    return { rows: await rowsOf(engine, pets, values, (petId) => given.get(petId)), pets, next };
  }
  const after =
    position && 'petId' in position ? { after: { ...position, petId: BigInt(position.petId) } } : {};
  const query = { ...selection.filter, ...after, limit: petsPerPage };
  const page = await engine.snapshot(async () => {
    const { pets, next: following } = await listPets(engine, query);
    return { pets: await withSuppliers(engine, pets), next: following };
  });
  const next: Position = page.next ? { ...page.next, petId: String(page.next.petId) } : null;
  return { rows: await rowsOf(engine, page.pets, values), pets: page.pets, next };
}

async function rowsOf(
  engine: AdminEngine,
  pets: readonly (SuppliedPet | bigint)[],
  values: BulkValues,
  unitsOf: (petId: bigint) => number | undefined = () => undefined,
): Promise<readonly PlanRow[]> {
  const existing = pets.filter((pet) => typeof pet !== 'bigint');
  const archived = existing.filter(({ archivedAtMs }) => archivedAtMs !== null);
  const lost = values.archived === false ? await petsWithTakenCodes(engine, archived) : new Set<bigint>();
  const owners = await otherOwners(engine, existing, ({ petId, ...pet }) => codesAfter(values, petId, pet));
  const orders =
    values.ordered === undefined ? NO_ORDERS : await planOrders(engine, existing, values, unitsOf);
  return pets.map((pet) => {
    if (typeof pet === 'bigint') return [String(pet), 'refused', 'not_found'] as const;
    const owner = owners.get(pet.petId);
    const order = orders.get(pet.petId);
    const [outcome, reason] = order
      ? ([order.reason === null ? 'planned' : 'refused', order.reason] as const)
      : outcomeOf(pet, values, lost.has(pet.petId), owner !== undefined);
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
      order ? order.supplier : pet.supplier,
      order?.units ?? null,
      order?.tag ?? null,
      owner === undefined ? null : String(owner),
    ] as const;
  });
}

/** What a change will do to a pet, and why it cannot. */
function outcomeOf(
  pet: SuppliedPet,
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

/** Whether a pet can be archived. */
export function isEmpty({ quantity, reserved }: Pick<ManagedPet, 'quantity' | 'reserved'>): boolean {
  return quantity === 0 && reserved === 0;
}
