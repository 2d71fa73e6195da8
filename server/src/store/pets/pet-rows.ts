import type { ManagedPet } from '../../domain/management/pets.ts';

/** The columns of a `ManagedPet`; a petId as text, because no number can hold it. */
export const PET_COLUMNS = `CAST(pets.pet_id AS text) AS "petId", name, category, archived_at AS "archivedAtMs", created_at AS "createdAtMs",
quantity, status, version, last_sequence AS "lastSequence", updated_at AS "updatedAtMs", reserved, alert_level AS "alertLevel",
low_stock_at AS "lowStockAt", restock_at AS "restockAt"`;

export interface PetRow extends Omit<ManagedPet, 'petId'> {
  readonly petId: string;
}

export function toManagedPet(row: PetRow): ManagedPet {
  return { ...row, petId: BigInt(row.petId) };
}
