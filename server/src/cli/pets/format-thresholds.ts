import { coloured } from '@petstore-inventory/shared/terminal/colour';
import { table } from '@petstore-inventory/shared/terminal/table';
import { thousands } from '@petstore-inventory/shared/terminal/thousands';
import type { Thresholds } from '@petstore-inventory/shared/thresholds';
import { thresholdsOf } from '../../domain/ledger/alerts.ts';
import { availableOf, type Stock } from '../../domain/ledger/stock.ts';
import { count, type Output } from '../terminal/output.ts';

export type PetStock = Stock & { readonly petId: bigint };

/** Thresholds of pets with the stock to which they apply. In JSON they are the pet's own, as in its item over HTTP. */
export function describeStock(
  pets: readonly PetStock[],
  shop: Thresholds,
): Output & { readonly value: readonly unknown[] } {
  const value = pets.map((pet) => ({
    petId: pet.petId,
    lowStockAt: pet.lowStockAt,
    restockAt: pet.restockAt,
    reserved: pet.reserved,
    available: availableOf(pet),
    alertLevel: pet.alertLevel,
  }));
  const rows = pets.map((pet) => {
    const { lowStockAt, restockAt } = thresholdsOf(pet, shop);
    const source = pet.lowStockAt === null ? 'default' : 'own';
    const available = thousands(availableOf(pet));
    return [
      `${pet.petId}`,
      shown(lowStockAt),
      shown(restockAt),
      source,
      available,
      coloured(pet.alertLevel ?? ''),
    ];
  });
  return { value, text: table(['PET', 'LOW', 'RESTOCK', 'THRESHOLDS', 'AVAILABLE', 'ALERT'], rows) };
}

export function defaultText({ lowStockAt, restockAt }: Thresholds): string {
  const whose = 'A pet without thresholds of its own';
  if (lowStockAt === null) return `${whose} is never low.`;
  const back = thousands(restockAt ?? lowStockAt + 1);
  return `${whose} is low at ${count(lowStockAt, 'available unit')}, and back at ${back}.`;
}

function shown(units: number | null): string {
  return units === null ? '' : thousands(units);
}
