import { availableOf } from '../ledger/stock.ts';
import type { ManagedPet } from './pets.ts';

/** A pet as the catalog has it. Its state has the tag `stockTag`. */
export type CatalogPet = Pick<
  ManagedPet,
  | 'petId'
  | 'name'
  | 'category'
  | 'sku'
  | 'barcodes'
  | 'quantity'
  | 'reserved'
  | 'status'
  | 'alertLevel'
  | 'version'
>;

/** A page of the catalog. It may have fewer pets than its limit, or none, and not be the last. */
export interface CatalogPage {
  /** A JSON array. */
  readonly json: string;
  /** Names the bytes among all that the same page ever has. */
  readonly tag: string;
  /** The petId after which the next page begins, if there is one. */
  readonly nextAfter: bigint | undefined;
}

/** A pet of the catalog as JSON. The stores write the same bytes in SQL. */
export function catalogJson(pet: CatalogPet): string {
  const { petId, name, category, sku, barcodes, quantity, reserved, status, alertLevel, version } = pet;
  return `{"petId":${petId},"name":${JSON.stringify(name)},"category":${JSON.stringify(category)},"sku":${JSON.stringify(sku)},"barcodes":${JSON.stringify(barcodes)},"quantity":${quantity},"reserved":${reserved},"available":${availableOf(pet)},"status":"${status}","alertLevel":${JSON.stringify(alertLevel)},"version":${version}}`;
}

export const EMPTY_CATALOG_PAGE: CatalogPage = { json: '[]', tag: 'empty', nextAfter: undefined };
