import { OperatorError } from '../../domain/errors.ts';
import { MAX_INT64, MIN_INT64, parsePetId } from '../../domain/inventory.ts';
import { longestWords, matchesQuery, petWords, queryWords } from '../../domain/management/pet-words.ts';
import type { ManagedPet, PetPage, PetPosition, PetQuery } from '../../domain/management/pets.ts';
import type { SqlClient } from '../sql-client.ts';
import { type PetRow, toManagedPet } from './pet-rows.ts';
import { AFTER_ALL_WORDS, READ_PETS } from './pet-sql.ts';

/** Rows per statement, besides one more than the limit of the page. */
const MIN_PORTION = 250;
/** Rows that one page reads, however few pets match. */
const MAX_READ = 1_000;
/** To find the rarest word of a query, so many rows of all its words are counted, first a few, then more. */
const COUNTED = [1_000, 6_000] as const;

type Reader = Pick<SqlClient, 'all'>;
/** A pet with its place in the order of the pages. */
interface Found {
  readonly pet: ManagedPet;
  readonly position: PetPosition;
}

/** A page of pets in the order of petId, or of a search in the order of one of its words. */
export async function listPets(client: Reader, query: PetQuery): Promise<PetPage> {
  const { after } = query;
  const words = wordsOf(query);
  if (after && (after.word === undefined) !== (words === undefined)) throw foreignCursor();
  return words === undefined ? listAll(client, query) : search(client, query, words);
}

/** The words that a pet must have. A category is found by its words; without any, all pets are read for it. */
function wordsOf({ query, category }: PetQuery): readonly string[] | undefined {
  const ofCategory = category === undefined ? [] : petWords({ name: null, category });
  if (query === undefined && ofCategory.length === 0) return undefined;
  const ofQuery = queryWords(query ?? '');
  if (query !== undefined && ofQuery.length === 0) return [];
  return longestWords([...ofQuery, ...ofCategory]);
}

function foreignCursor(): OperatorError {
  const message = 'cursor must come from the page before, with the same q.';
  return new OperatorError(message, { code: 'invalid_parameter' });
}

function isListed(pet: ManagedPet, { archived, status, alertLevels, category }: PetQuery): boolean {
  if (archived !== 'include' && (pet.archivedAtMs !== null) !== (archived === 'only')) return false;
  if (status !== undefined && pet.status !== status) return false;
  if (alertLevels && !alertLevels.some((level) => level === pet.alertLevel)) return false;
  return category === undefined || pet.category === category;
}

function listAll(client: Reader, query: PetQuery): Promise<PetPage> {
  const sql = query.archived === 'only' ? READ_PETS.archivedPage : READ_PETS.page;
  const read = async (after: PetPosition | undefined, count: number): Promise<Found[]> => {
    if (after?.petId === MAX_INT64) return [];
    const first = after === undefined ? MIN_INT64 : after.petId + 1n;
    const pets = (await client.all<PetRow>(sql, [String(first), count])).map(toManagedPet);
    return pets.map((pet) => ({ pet, position: { petId: pet.petId } }));
  };
  return pageOf(read, ({ pet }) => isListed(pet, query), query, query.limit + 1);
}

async function search(client: Reader, query: PetQuery, words: readonly string[]): Promise<PetPage> {
  const petId = query.query === undefined ? undefined : parsePetId(query.query.trim());
  const isFirst = query.after === undefined;
  const direct = isFirst && petId !== undefined ? await findPet(client, petId) : undefined;
  const first = direct && isListed(direct, query) ? [direct] : [];
  const start: PetPosition = { petId: petId ?? 0n, word: '' };
  if (first.length === query.limit) return { pets: first, next: start };
  if (words.length === 0) return { pets: first };
  const driver = await drivingWord(client, words, query.after?.word ?? '');

  const read = (after: PetPosition | undefined, count: number) => readWords(client, driver, after, count);
  const isFound = ({ pet, position }: Found) => {
    if (pet.petId === petId || !isListed(pet, query)) return false;
    const own = petWords(pet);
    // Several words of a pet can begin with the driving word. The pet is listed at the one whose row comes first.
    const [word] = own.filter((one) => one.startsWith(driver)).toSorted();
    return word === position.word && matchesQuery(own, words);
  };
  const rest = await pageOf(read, isFound, { ...query, limit: query.limit - first.length }, MIN_PORTION);
  return { ...rest, pets: [...first, ...rest.pets] };
}

/** The word in whose order the pages are: that of the page before, or the rarest. */
async function drivingWord(client: Reader, words: readonly string[], after: string): Promise<string> {
  if (after !== '') {
    const driver = words.find((word) => after.startsWith(word));
    if (driver !== undefined) return driver;
    throw foreignCursor();
  }
  const candidates = words.map((word) => ({ word, count: 0 }));
  for (const counted of COUNTED) {
    if (candidates.length === 1) break;
    const most = Math.floor(counted / candidates.length);
    for (const candidate of candidates) candidate.count = await countWords(client, candidate.word, most);
    candidates.sort((a, b) => a.count - b.count || b.word.length - a.word.length);
    const [rarest] = candidates;
    if (rarest && rarest.count < most) return rarest.word;
  }
  return candidates[0]?.word ?? '';
}

async function countWords(client: Reader, prefix: string, most: number): Promise<number> {
  const values = [prefix, prefix + AFTER_ALL_WORDS, most];
  const [row] = await client.all<{ count: number }>(READ_PETS.countWords, values);
  return row?.count ?? 0;
}

async function readWords(
  client: Reader,
  driver: string,
  after: PetPosition | undefined,
  count: number,
): Promise<Found[]> {
  const isStart = !after?.word;
  const sql = isStart ? READ_PETS.wordsFrom : READ_PETS.wordsAfter;
  const from = isStart ? [driver, String(MIN_INT64)] : [after.word, String(after.petId)];
  const values = [driver + AFTER_ALL_WORDS, ...from, count];
  const rows = await client.all<PetRow & { readonly word: string }>(sql, values);
  return rows.map(({ word, ...row }) => {
    const pet = toManagedPet(row);
    return { pet, position: { petId: pet.petId, word } };
  });
}

export async function findPet(client: Reader, petId: bigint): Promise<ManagedPet | undefined> {
  const [row] = await client.all<PetRow>(READ_PETS.find, [String(petId)]);
  return row && toManagedPet(row);
}

/** Reads portions until the page is full, there are no more rows, or it has read many. */
async function pageOf(
  read: (after: PetPosition | undefined, count: number) => Promise<readonly Found[]>,
  isFound: (found: Found) => boolean,
  { after, limit }: PetQuery,
  portion: number,
): Promise<PetPage> {
  const pets: ManagedPet[] = [];
  let position = after;
  for (let rowCount = 0; rowCount < MAX_READ; rowCount += portion) {
    const rows = await read(position, portion);
    for (const [i, row] of rows.entries()) {
      position = row.position;
      if (!isFound(row)) continue;
      pets.push(row.pet);
      const isLast = i === rows.length - 1 && rows.length < portion;
      if (pets.length === limit) return isLast ? { pets } : { pets, next: position };
    }
    if (rows.length < portion) return { pets };
  }
  return position === undefined ? { pets } : { pets, next: position };
}
