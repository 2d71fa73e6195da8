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
] as const satisfies readonly (keyof ManagedPet)[];

export type PetRow = Pick<ManagedPet, (typeof PET_ROW_COLUMNS)[number]>;

export interface PetRowsPart {
  /** The newest movement before the part was read. */
  readonly sequence: number;
  /** One line per pet. */
  readonly text: string;
  /** The next part begins after this pet; `undefined` when there is none. */
  readonly next?: bigint;
}

/** A pet as a line of JSON: an array, because the names of members are most of a list. The petId is a text. */
export function petRowLine(pet: Omit<PetRow, 'petId'> & { readonly petId: string }): string {
  return `${JSON.stringify(PET_ROW_COLUMNS.map((column) => pet[column]))}\n`;
}
