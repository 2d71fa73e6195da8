import type { PetStatus } from '../api/schemas.ts';
import { stateOfTag } from '../stock/stock-row.ts';
import type { Count } from './count.ts';

/** What a person edits of a pet besides its quantity. */
export interface PetDetails {
  readonly name: string | null;
  readonly category: string | null;
  readonly lowStockAt: number | null;
  readonly restockAt: number | null;
  readonly sku: string | null;
  readonly barcodes: readonly string[];
  /** It is sent alone. */
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

/** The edits of details of a person that wait, or that the service has, by petId. The newest of a pet comes first. */
export function detailEdits(counts: readonly Count[], keyId: string): ReadonlyMap<string, readonly Count[]> {
  const isShown = ({ edit, keyId: owner, state }: Count) =>
    edit?.details !== undefined && owner === keyId && (state === 'waiting' || state === 'sent');
  return Map.groupBy(counts.filter(isShown), ({ petId }) => petId);
}

/** A pet as its person sees it: with the details that wait, and those that are newer than the pet. */
export function withDetails<T extends Partial<PetDetails> & { readonly version: number }>(
  pet: T,
  edits: readonly Count[] = [],
): T {
  const news = edits.filter(
    ({ state, tag }) => state === 'waiting' || (stateOfTag(tag)?.version ?? 0) > pet.version,
  );
  if (news.length === 0) return pet;
  return Object.assign({}, pet, ...news.toReversed().map(({ edit }) => edit?.details?.values)) as T;
}
