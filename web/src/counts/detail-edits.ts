import { stateOfTag } from '../stock/stock-row.ts';
import type { Count } from './count.ts';
import type { PetDetails } from './details.ts';

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
