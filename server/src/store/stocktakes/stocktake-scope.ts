import { matchesQuery, petWords, queryWords } from '../../domain/management/pet-words.ts';
import type { ManagedPet } from '../../domain/management/pets.ts';
import type { Stocktake, StocktakeScope } from '../../domain/management/stocktakes.ts';
import { readPetsAfter } from '../pets/read-pets.ts';
import { directPets } from '../pets/search-pets.ts';
import { readCountedPets } from './stocktake-lines.ts';
import type { SqlReader } from '../sql-client.ts';

/** Pets per read. */
const PETS = 2_000;

/** Pets of the scope that were not counted, of one read of pets. */
interface UncountedPets {
  readonly pets: readonly ManagedPet[];
  /** The next read begins after this pet. */
  readonly next?: bigint;
}

/** Reads the next pets, and keeps those of the scope that were not counted. The caller's transaction sees one moment. */
export async function readUncounted(
  client: SqlReader,
  stocktake: Stocktake,
  after: bigint | undefined,
): Promise<UncountedPets> {
  const read = await readPetsAfter(client, after, PETS);
  const last = read.at(-1);
  if (!last) return { pets: [] };
  const isInScope = await scopeOf(client, stocktake);
  const counted = await countedBetween(client, stocktake, after, last.petId);
  const pets = read.filter((pet) => !counted.has(pet.petId) && isInScope(pet));
  return read.length === PETS ? { pets, next: last.petId } : { pets };
}

async function countedBetween(
  client: SqlReader,
  stocktake: Stocktake,
  after: bigint | undefined,
  upTo: bigint,
): Promise<ReadonlySet<bigint>> {
  const counted = new Set<bigint>();
  let from = after;
  do {
    const { pets, next } = await readCountedPets(client, stocktake, { after: from, upTo });
    for (const { petId, line } of pets) if (line) counted.add(petId);
    from = next;
  } while (from !== undefined);
  return counted;
}

/** Whether a pet is in the scope. What was added after the close never is. */
async function scopeOf(
  client: SqlReader,
  { scope, closedAtMs }: Stocktake,
): Promise<(pet: ManagedPet) => boolean> {
  const hasWords = await wordsOf(client, scope);
  const { category, status, alertLevels } = scope;
  return (pet) =>
    pet.archivedAtMs === null &&
    (closedAtMs === null || pet.createdAtMs <= closedAtMs) &&
    (category === undefined || pet.category === category) &&
    (status === undefined || pet.status === status) &&
    (alertLevels === undefined || alertLevels.some((level) => level === pet.alertLevel)) &&
    hasWords(pet);
}

async function wordsOf(client: SqlReader, { query }: StocktakeScope): Promise<(pet: ManagedPet) => boolean> {
  if (query === undefined) return () => true;
  const words = queryWords(query);
  const named = new Set(await directPets(client, query));
  return (pet) => named.has(pet.petId) || (words.length > 0 && matchesQuery(petWords(pet), words));
}
