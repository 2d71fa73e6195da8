import { moreOf } from '@petstore-inventory/shared/terminal/list-limit';
import { thousands } from '@petstore-inventory/shared/terminal/texts';
import { availableOf } from '../../domain/ledger/stock.ts';
import type { ManagedPet } from '../../domain/management/pets.ts';
import { timestamp, timestampOrNull } from '../../domain/timestamps.ts';
import type { Output } from '../output.ts';
import { paint, shownTable } from '../output.ts';

/** A pet in JSON. */
export function petJson(pet: ManagedPet): object {
  const { petId, name, category, quantity, reserved, status, alertLevel, lowStockAt, restockAt } = pet;
  const { sku, barcodes } = pet;
  return {
    petId,
    name,
    category,
    quantity,
    reserved,
    available: availableOf(pet),
    status,
    alertLevel,
    lowStockAt,
    restockAt,
    sku,
    barcodes,
    archivedAt: timestampOrNull(pet.archivedAtMs),
    createdAt: timestamp(pet.createdAtMs),
    updatedAt: timestamp(pet.updatedAtMs),
  };
}

/** Pets as a table. @param hasMore More pets match than are listed. */
export function describePets(pets: readonly ManagedPet[], hasMore: boolean): Output {
  const hasCodes = pets.some(({ sku, barcodes }) => sku !== null || barcodes.length > 0);
  const codes = (pet: ManagedPet) => (hasCodes ? [pet.sku ?? '', pet.barcodes.join(' ')] : []);
  const rows = pets.map((pet) => [
    `${pet.petId}`,
    pet.name ?? '',
    pet.category ?? '',
    ...codes(pet),
    thousands(pet.quantity),
    thousands(availableOf(pet)),
    pet.status,
    paint.state(pet.archivedAtMs === null ? (pet.alertLevel ?? '') : 'archived'),
  ]);
  const ofCodes = hasCodes ? ['SKU', 'BARCODES'] : [];
  const headings = ['PET', 'NAME', 'CATEGORY', ...ofCodes, 'QUANTITY', 'AVAILABLE', 'STATUS', 'ALERT'];
  const text = rows.length === 0 ? 'No pets match.' : shownTable(headings, rows);
  return { value: pets.map(petJson), text, ...moreOf(hasMore, 'pets') };
}
