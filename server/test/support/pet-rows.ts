import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import { PET_STATUSES } from '@petstore-inventory/shared/words';
import type { ExactJson } from './exact-json.ts';

/** A pet with some stock. */
export function petRow(petId: bigint, quantity = 5, status: PetRow['status'] = 'available'): PetRow {
  return { petId, name: `Pet ${petId}`, category: 'Dogs', quantity, status };
}

/** So many pets, from petId 1 on, of all statuses. */
export function petRows(count: number): PetRow[] {
  return Array.from({ length: count }, (_, i) =>
    petRow(BigInt(i + 1), (i * 37) % 1_000, PET_STATUSES[i % PET_STATUSES.length] as PetRow['status']),
  );
}

/** The list of these pets in the format of the specification. */
export function listJson(rows: Iterable<Pick<PetRow, 'petId' | 'quantity' | 'status'>>): string {
  const items = [...rows]
    .toSorted((a, b) => (a.petId < b.petId ? -1 : 1))
    .map(({ petId, quantity, status }) => `{"petId":${petId},"quantity":${quantity},"status":"${status}"}`);
  return `[${items.join(',')}]`;
}

/** The petIds of a list, in its order. */
export function petIdsOf(list: ExactJson): bigint[] {
  return (list as { petId: number | bigint }[]).map(({ petId }) => BigInt(petId));
}
