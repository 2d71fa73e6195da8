import type { PetStatus } from '../api/schemas.ts';

/** What a person edits of a pet besides its quantity. */
export interface PetDetails {
  readonly name: string | null;
  readonly category: string | null;
  readonly lowStockAt: number | null;
  readonly restockAt: number | null;
  readonly sku: string | null;
  readonly barcodes: readonly string[];
  /** A change of the status is sent alone. */
  readonly status: PetStatus;
}

export type DetailName = keyof PetDetails;

/** Members in the order of the form. */
const NAMES: readonly DetailName[] = [
  'name',
  'category',
  'lowStockAt',
  'restockAt',
  'sku',
  'barcodes',
  'status',
];

/** An edit of details that waits: only the members that the person changed. */
export interface WaitingDetails {
  readonly values: Partial<PetDetails>;
  /** As the person saw them. */
  readonly before: Partial<PetDetails>;
  /** The person takes the codes from archived pets. */
  readonly takeCodes?: true;
}

export const detailNames = (details: Partial<PetDetails>): readonly DetailName[] =>
  NAMES.filter((name) => details[name] !== undefined);

export const pickDetails = (from: PetDetails, names: readonly DetailName[]): Partial<PetDetails> =>
  Object.fromEntries(names.map((name) => [name, from[name]]));

/** The members whose values differ. */
export const changedDetails = (
  names: readonly DetailName[],
  a: Partial<PetDetails>,
  b: Partial<PetDetails>,
): readonly DetailName[] => names.filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]));
