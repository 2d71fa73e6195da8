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

export type PetListRow = Pick<ManagedPet, (typeof PET_ROW_COLUMNS)[number]>;

export interface PetRowsPage {
  /** The newest movement before the page was read. */
  readonly sequence: number;
  /** One line per pet. */
  readonly text: string;
  /** The next page begins after this pet; `undefined` when there is none. */
  readonly next?: bigint;
}

/** A pet as a line of JSON: an array, because the names of members are most of a list. The petId is a text. */
export function petRowLine(pet: Omit<PetListRow, 'petId'> & { readonly petId: string }): string {
  return `${JSON.stringify(PET_ROW_COLUMNS.map((column) => pet[column]))}\n`;
}
