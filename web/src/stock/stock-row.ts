import type { AlertLevel, ManagedPet, Movement, PetStatus } from '../api/schemas.ts';

/** A pet in the table. A change makes a new object, so that only changed rows are drawn again. */
export interface StockRow {
  readonly petId: string;
  readonly name: string | null;
  readonly category: string | null;
  readonly quantity: number;
  readonly reserved: number;
  readonly status: PetStatus;
  readonly alertLevel: AlertLevel | null;
  readonly lowStockAt: number | null;
  readonly restockAt: number | null;
  readonly version: number;
  readonly lastSequence: number;
  readonly updatedAtMs: number;
  readonly archivedAtMs: number | null;
  readonly sku: string | null;
  readonly barcodes: readonly string[];
  /** Name, category, SKU and petId without case and accents, for the search. */
  readonly searched: string;
  /** When somebody else changed the row while the page was open. */
  readonly flashedAtMs: number;
}

/** A line of `/pets/rows`. */
export type RowLine = readonly [
  petId: string,
  name: string | null,
  category: string | null,
  quantity: number,
  reserved: number,
  status: PetStatus,
  alertLevel: AlertLevel | null,
  lowStockAt: number | null,
  restockAt: number | null,
  version: number,
  lastSequence: number,
  updatedAtMs: number,
  archivedAtMs: number | null,
  sku: string | null,
  barcodes: readonly string[],
];

/** The members of a line, in the order in which this file reads them. */
export const ROW_MEMBERS =
  '["petId","name","category","quantity","reserved","status","alertLevel","lowStockAt","restockAt","version","lastSequence","updatedAtMs","archivedAtMs","sku","barcodes"]';

const NONE: readonly string[] = [];

export function rowOfLine(line: RowLine): StockRow {
  return {
    petId: line[0],
    name: line[1],
    category: line[2],
    quantity: line[3],
    reserved: line[4],
    status: line[5],
    alertLevel: line[6],
    lowStockAt: line[7],
    restockAt: line[8],
    version: line[9],
    lastSequence: line[10],
    updatedAtMs: line[11],
    archivedAtMs: line[12],
    sku: line[13],
    // All pets without words share one empty array.
    barcodes: line[14].length === 0 ? NONE : line[14],
    searched: searchedText(line[0], line[1], line[2], line[13]),
    flashedAtMs: 0,
  };
}

/** A row of a pet that was read alone; its tag has the sequence. */
export function rowOfPet(pet: ManagedPet, tag: string): StockRow {
  return {
    ...pet,
    lastSequence: stateOfTag(tag)?.lastSequence ?? 0,
    updatedAtMs: Date.parse(pet.updatedAt),
    archivedAtMs: pet.archivedAt === null ? null : Date.parse(pet.archivedAt),
    searched: searchedText(pet.petId, pet.name, pet.category, pet.sku),
    flashedAtMs: 0,
  };
}

/** The row after a movement. */
export function afterMovement(row: StockRow, movement: Movement, flashedAtMs: number): StockRow {
  return {
    ...row,
    quantity: movement.quantityAfter,
    reserved: movement.reservedAfter,
    status: movement.statusAfter,
    alertLevel: movement.alertAfter,
    version: movement.version,
    lastSequence: movement.sequence,
    updatedAtMs: Date.parse(movement.recordedAt),
    flashedAtMs,
  };
}

export const availableOf = (row: StockRow): number => row.quantity - row.reserved;

/** Whether it can be archived: a pet with units or reservations cannot. */
export const isArchivable = (row: StockRow | undefined): boolean =>
  row?.archivedAtMs === null && row.quantity === 0 && row.reserved === 0;

type State = Pick<StockRow, 'version' | 'lastSequence' | 'updatedAtMs'>;

/** The entity tag of the row's stock, for `If-Match`. */
export function tagOf({ version, lastSequence, updatedAtMs }: State): string {
  return `"${version}-${lastSequence}-${updatedAtMs.toString(36)}"`;
}

/** The state that an entity tag names; `undefined` for another kind of tag. */
export function stateOfTag(tag: string): State | undefined {
  const [, version, sequence, time] = /^"(\d+)-(\d+)-([0-9a-z]+)/.exec(tag) ?? [];
  if (version === undefined || sequence === undefined || time === undefined) return undefined;
  return { version: Number(version), lastSequence: Number(sequence), updatedAtMs: Number.parseInt(time, 36) };
}

const IS_ASCII = /^[ -~]*$/;

function searchedText(
  petId: string,
  name: string | null,
  category: string | null,
  sku: string | null,
): string {
  return `${folded(`${name ?? ''} ${category ?? ''} ${sku ?? ''}`)} ${petId}`;
}

/** A text without case and accents. */
export function folded(text: string): string {
  const lower = text.toLowerCase();
  return IS_ASCII.test(lower) ? lower : lower.normalize('NFD').replaceAll(/\p{M}/gu, '');
}
