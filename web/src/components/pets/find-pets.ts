import { api } from '../../api/client.ts';
import type { ManagedPet } from '../../api/schemas.ts';
import { type Codes, isCodeOf } from '../../stock/codes.ts';

/** As many are read, so that the best of them is among the first. */
const READ_PETS = 100;
/** Of each word, so that hundreds of pets that have the word `gold` leave room for Goldfish. */
const PETS_PER_WORD = 20;

/** The pets that the service finds for these words, in its order. @throws ApiError */
export const findPets = (words: string, signal: AbortSignal): Promise<readonly ManagedPet[]> =>
  api('GET', '/pets', { query: { q: words, limit: READ_PETS, perWord: PETS_PER_WORD }, signal });

interface Findable extends Codes {
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
