import { type Codes, isCodeOf } from '../../stock/codes.ts';

export interface Findable extends Codes {
  readonly petId: string;
  readonly name: string | null;
  readonly category: string | null;
}

/** The best matches first: the code or the id, then names that begin with the words, then those with words that do. Others keep their order. */
export function bestFirst<T extends Findable>(pets: readonly T[], words: string): T[] {
  const searched = words.trim().toLowerCase();
  const first = searched.split(/\s+/, 1)[0] as string;
  const rank = (pet: T): number => {
    const { petId, name } = pet;
    if (isCodeOf(pet, words)) return -1;
    if (petId === searched) return 0;
    const lower = (name ?? '').toLowerCase();
    if (lower === searched) return 1;
    if (lower.startsWith(searched)) return 2;
    if (lower.startsWith(first)) return 3;
    if (lower.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(first))) return 4;
    return 5;
  };
  // Sorting keeps the order of equal ones.
  return pets
    .map((pet) => ({ pet, rank: rank(pet) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ pet }) => pet);
}

interface Referenced {
  readonly referenceId: string | null;
}

/** The orders with these words in their reference: those that begin with them first. Others keep their order. */
export function withPart<T extends Referenced>(orders: readonly T[], words: string): T[] {
  const searched = words.trim().toLowerCase();
  const placeOf = ({ referenceId }: T) => referenceId?.toLowerCase().indexOf(searched) ?? -1;
  return orders
    .filter((order) => placeOf(order) >= 0)
    .toSorted((a, b) => Math.sign(placeOf(a)) - Math.sign(placeOf(b)));
}
