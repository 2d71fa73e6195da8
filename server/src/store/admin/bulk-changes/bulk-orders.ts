import type { BulkReason } from '@petstore-inventory/shared/words';
import { thresholdsOf } from '../../../domain/ledger/alerts.ts';
import type { BulkValues } from '../../../domain/management/bulk-changes.ts';
import type { ManagedPet } from '../../../domain/management/pets.ts';
import { enoughOf, suggestedOf } from '../../../domain/management/reorders.ts';
import { readHead } from '../../ledger/ledger-bounds.ts';
import { readShopThresholds } from '../../ledger/shop-thresholds.ts';
import { setReorders } from '../../reorders/reorder-sql.ts';
import { readReorders, tagOf, UNORDERED } from '../../reorders/stored-reorders.ts';
import type { AdminEngine } from '../admin-engine.ts';

/** It names the pets twice: otherwise SQLite reads the whole array for each row of the change, which took 1.3 s with 20,000 rows. */
export const setTags = (elements: string): string => `WITH marked AS MATERIALIZED (
  SELECT CAST(value ->> 0 AS bigint) AS pet_id, value ->> 1 AS tag FROM ${elements}($2)
)
UPDATE bulk_rows SET reorder_tag = marked.tag FROM marked
WHERE change_id = $1 AND bulk_rows.pet_id = marked.pet_id AND bulk_rows.pet_id IN (SELECT pet_id FROM marked)`;

/** What a bulk change orders of a pet. */
interface PlannedOrder {
  /** `null`: nothing, for `reason`. */
  readonly units: number | null;
  readonly reason: BulkReason | null;
  /** Who sells the pet before the change. */
  readonly supplier: string | null;
  /** Identifies what is ordered before the change. */
  readonly tag: string;
}

/** What a change orders of each pet. @param unitsOf The units of a pet in the request, where these differ. */
export function planOrders(
  engine: AdminEngine,
  pets: readonly ManagedPet[],
  { ordered = 'suggested' }: BulkValues,
  unitsOf: (petId: bigint) => number | undefined,
): Promise<ReadonlyMap<bigint, PlannedOrder>> {
  return engine.snapshot(async () => {
    const shop = await readShopThresholds(engine);
    const reorders = await readReorders(
      engine,
      pets.map(({ petId }) => petId),
    );
    const suggestedFor = (pet: ManagedPet) =>
      // The list has no other pets.
      pet.alertLevel === null || pet.archivedAtMs !== null
        ? 0
        : suggestedOf({ ...pet, enough: enoughOf(thresholdsOf(pet, shop)), open: null });
    const planned = (pet: ManagedPet): PlannedOrder => {
      const { supplier, open, tag } = reorders.get(pet.petId) ?? UNORDERED;
      if (open) return { units: null, reason: 'already_ordered', supplier, tag };
      const given = ordered === 'units' ? unitsOf(pet.petId) : ordered;
      const units = typeof given === 'number' ? given : suggestedFor(pet);
      if (units === 0) return { units: null, reason: 'not_needed', supplier, tag };
      return { units, reason: null, supplier, tag };
    };
    return new Map(pets.map((pet) => [pet.petId, planned(pet)]));
  });
}

/** An order to make; `null` in place of its units: to take back. */
interface BulkOrder {
  readonly petId: bigint;
  readonly supplier: string | null;
  readonly ordered: number | null;
}

/** Writes what a change orders of pets, under the lock of the ledger, and in its rows the tags of these orders. */
export async function writeOrders(
  engine: AdminEngine,
  orders: readonly BulkOrder[],
  change: {
    readonly id: string;
    /** `null`: it is undone. */
    readonly made: { readonly expectedOn: string | null; readonly orderedBy: string } | null;
    readonly atMs: number;
  },
): Promise<void> {
  const { id, made, atMs } = change;
  const elements = engine.dialect.jsonElements;
  const named = orders.map(({ petId, supplier, ordered }) => [String(petId), supplier, ordered]);
  // What is received from the next movement on counts.
  const rest = made ? [await readHead(engine), made.expectedOn, made.orderedBy] : [null, null, null];
  await engine.run(setReorders(elements), [JSON.stringify(named), ...rest, atMs]);
  if (!made) return;
  const tags = orders.map(({ petId, ...order }) => [
    String(petId),
    tagOf({ ...order, expectedOn: made.expectedOn, orderedAtMs: atMs }, true),
  ]);
  await engine.run(setTags(elements), [id, JSON.stringify(tags)]);
}
