import type { ManagedPet } from './pets.ts';

/** The members of a row, in their order. The times are Unix times in milliseconds. */
export const PET_ROW_COLUMNS = [
  'petId',
  'name',
  'category',
  'quantity',
  'reserved',
  'status',
  'alertLevel',
  'lowStockAt',
  'restockAt',
  'version',
  'lastSequence',
  'updatedAtMs',
  'archivedAtMs',
  'sku',
  'barcodes',
] as const satisfies readonly (keyof ManagedPet)[];

export interface PetRowsPage {
  /** The newest movement before the page was read. */
  readonly sequence: number;
  /** One line per pet. */
  readonly text: string;
  /** The next page begins after this pet; `undefined` when there is none. */
  readonly next?: bigint;
}
