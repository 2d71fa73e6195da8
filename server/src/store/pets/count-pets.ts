import { MAX_INT64, MIN_INT64 } from '@petstore-inventory/shared/pet-id';
import type { PetGroup, PetTotalsPart } from '../../domain/management/shop-totals.ts';
import { type PetRow, toManagedPet } from './pet-rows.ts';
import { READ_PETS } from './pet-sql.ts';
import type { Reader } from './read-pets.ts';

/** Pets per part: few enough not to delay other calls. */
const PETS_PER_PART = 20_000;

interface GroupRow extends PetGroup {
  readonly archived: number;
}

/** Counts the pets after one. */
export async function countPets(client: Reader, after: bigint | undefined): Promise<PetTotalsPart> {
  const nothing = { groups: [], archived: 0, alerts: [] };
  if (after === MAX_INT64) return nothing;
  const first = String(after === undefined ? MIN_INT64 : after + 1n);
  const [bound] = await client.all<{ last: string | null }>(READ_PETS.lastOfRange, [first, PETS_PER_PART]);
  const last = bound?.last ?? undefined;
  if (last === undefined) return nothing;
  const rows = await client.all<GroupRow>(READ_PETS.groupsOfRange, [first, last]);
  const alerts = await client.all<PetRow>(READ_PETS.alertsOfRange, [first, last]);
  const groups = rows.filter(({ archived }) => archived === 0);
  const count = (some: readonly GroupRow[]) => some.reduce((sum, { pets }) => sum + pets, 0);
  const part = { groups, archived: count(rows) - count(groups), alerts: alerts.map(toManagedPet) };
  return count(rows) < PETS_PER_PART ? part : { ...part, next: BigInt(last) };
}
