import { MAX_INT64, parsePetId, petIdAfter } from '@petstore-inventory/shared/pet-id';
import { isStorableText } from '@petstore-inventory/shared/storable-text';
import { OperatorError } from '../../domain/errors.ts';
import { availableOf } from '../../domain/ledger/stock.ts';
import { barcodeKeyOf, type CodeKey, skuKey, storableCode } from '../../domain/management/pet-codes.ts';
import { matchesQuery, petWords, queryWords } from '../../domain/management/pet-words.ts';
import type { ExportFilter } from '../../domain/management/pet-export.ts';
import type { ManagedPet, PetPage, PetPosition, PetQuery } from '../../domain/management/pets.ts';
import { findCodeOwner } from './pet-codes.ts';
import { AFTER_ALL_WORDS, READ_PETS } from './pet-sql.ts';
import {
  type FoundTexts,
  findPet,
  readPetIds,
  readPets,
  readPetsOf,
  readSuppliers,
  readTexts,
  readWords,
} from './read-pets.ts';
import { petsOfSupplier } from './suppliers.ts';
import type { LockingClient, SqlReader } from '../sql-client.ts';

/** Rows per statement where not every row is a pet of the page. */
const ROWS_PER_READ = 250;
/**
 * For a search with one word and `PetQuery.perWord`: rows per statement, few because most of them match; and rows of one word
 * that are read in vain because another word lists their pets, as `fish` does those of `fishes`.
 */
const FEW_ROWS = { perRead: 50, twicePerWord: 100 } as const;
/** Rows that one page reads, however few pets match. */
const MAX_READ = 1_000;
/** To find the rarest word of a query, so many rows of all its words are counted, first a few, then more. */
const COUNTED = [1_000, 6_000] as const;

/** The rows that a page follows, in its order. */
interface Rows {
  read(after: PetPosition | undefined, count: number): Promise<ReadRows>;
  choose(rows: readonly PetPosition[]): Promise<Choice>;
}

interface ReadRows {
  readonly rows: readonly PetPosition[];
  /** Whether no row follows them. */
  readonly isEnd: boolean;
  /** Where reading ended, where that is behind the last row. */
  readonly reached?: PetPosition;
}

interface Choice {
  /** Rows whose pets match by their texts. Only the stock of these pets is read. */
  readonly chosen: readonly PetPosition[];
  /** Rows whose pets match, and are listed at the row of another word. */
  readonly twice: readonly PetPosition[];
}

type Reader = Pick<LockingClient, 'all' | 'dialect'>;

/** A page of pets in the order of petId, or of a search in the order of one of its words. */
export async function listPets(client: Reader, query: PetQuery): Promise<PetPage> {
  const { after } = query;
  if (query.sku !== undefined || query.barcode !== undefined) return findByCodes(client, query);
  const words = wordsOf(query);
  if (after && (after.word === undefined) !== (words === undefined)) throw foreignCursor();
  return words === undefined ? listAll(client, query) : search(client, query, words);
}

/**
 * The words that a pet must have. A filter by category adds none: the search index has a limited number of words of a pet, so
 * after a long name it lacks those of the category.
 */
function wordsOf({ query }: PetQuery): readonly string[] | undefined {
  return query === undefined ? undefined : queryWords(query);
}

function foreignCursor(): OperatorError {
  const message = 'cursor must come from the page before, with the same q.';
  return new OperatorError(message, { code: 'invalid_parameter' });
}

function hasTexts(
  { archivedAtMs, category: own }: FoundTexts,
  { archived, category }: Pick<PetQuery, 'archived' | 'category'>,
): boolean {
  if (archived !== 'include' && (archivedAtMs !== null) !== (archived === 'only')) return false;
  return category === undefined || own === category;
}

function isListed(pet: ManagedPet, query: Omit<PetQuery, 'limit'>): boolean {
  const { status, alertLevels, petIds, updatedSinceMs } = query;
  if (status !== undefined && pet.status !== status) return false;
  if (alertLevels && !alertLevels.some((level) => level === pet.alertLevel)) return false;
  if (petIds && !petIds.includes(pet.petId)) return false;
  if (updatedSinceMs !== undefined && pet.updatedAtMs < updatedSinceMs) return false;
  return hasUnits(pet, query) && hasTexts(pet, query);
}

/** The pets that match a query by their stock, their texts and their supplier. */
async function listedPets(
  client: SqlReader,
  pets: readonly ManagedPet[],
  query: Omit<PetQuery, 'limit'>,
): Promise<readonly ManagedPet[]> {
  const listed = pets.filter((pet) => isListed(pet, query));
  const hasSupplier = await supplierFilter(client, listed, query.supplier);
  return listed.filter(hasSupplier);
}

/** Whether each one of some pets has a supplier. Without a supplier to look for, all match. */
async function supplierFilter(
  client: SqlReader,
  pets: readonly ManagedPet[],
  supplier: string | undefined,
): Promise<(pet: ManagedPet) => boolean> {
  if (supplier === undefined) return () => true;
  const suppliers = await readSuppliers(
    client,
    pets.map(({ petId }) => petId),
  );
  return ({ petId }) => (suppliers.get(petId) ?? '') === supplier;
}

/** Whether each one of some pets matches a filter, with the stock of that moment. */
export async function petFilter(
  client: SqlReader,
  filter: ExportFilter,
  pets: readonly ManagedPet[],
): Promise<(pet: ManagedPet) => boolean> {
  const { query } = filter;
  const hasSupplier = await supplierFilter(client, pets, filter.supplier);
  if (query === undefined) return (pet) => isListed(pet, filter) && hasSupplier(pet);
  const words = queryWords(query);
  const named = await directPets(client, query);
  const isFound = (pet: ManagedPet) =>
    named.includes(pet.petId) || (words.length > 0 && matchesQuery(petWords(pet), words));
  return (pet) => hasSupplier(pet) && isListed(pet, filter) && isFound(pet);
}

function hasUnits(
  pet: ManagedPet,
  { quantityGte, quantityLte, availableLte }: Omit<PetQuery, 'limit'>,
): boolean {
  if (quantityGte !== undefined && pet.quantity < quantityGte) return false;
  if (quantityLte !== undefined && pet.quantity > quantityLte) return false;
  return availableLte === undefined || availableOf(pet) <= availableLte;
}

function listAll(client: Reader, query: PetQuery): Promise<PetPage> {
  const { petIds, archived, category, supplier, limit } = query;
  const choose = async (rows: readonly PetPosition[]) => ({ chosen: rows, twice: [] });
  if (petIds) return pageOf(client, { read: namedPets(petIds), choose }, query, { perRead: ROWS_PER_READ });
  const ofSupplier = supplier === undefined ? undefined : suppliedPets(client, supplier);
  const found = category === undefined ? ofSupplier : petsOf(client, READ_PETS.ofCategory, category);
  if (found && archived !== 'only')
    return pageOf(client, { read: found, choose }, query, { perRead: ROWS_PER_READ });
  const sql = archived === 'only' ? READ_PETS.archivedPage : READ_PETS.page;
  const read = async (after: PetPosition | undefined, count: number) =>
    rowsOf(await readPetIds(client, sql, after?.petId, count), count);
  return pageOf(client, { read, choose }, query, { perRead: isFiltered(query) ? ROWS_PER_READ : limit + 1 });
}

/** Whether not every pet is listed. */
function isFiltered({
  archived: _,
  query: _words,
  after: _after,
  limit: _limit,
  ...filter
}: PetQuery): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

function rowsOf(petIds: readonly bigint[], count: number): ReadRows {
  return { rows: petIds.map((petId): PetPosition => ({ petId })), isEnd: petIds.length < count };
}

/** Reads the named pets only, which are ascending. */
function namedPets(petIds: readonly bigint[]): Rows['read'] {
  return async (after, count) =>
    rowsOf(petIds.filter((petId) => after === undefined || petId > after.petId).slice(0, count), count);
}

/** Reads the pets of a category or a supplier, however few there are among all pets. */
function petsOf(client: SqlReader, sql: Parameters<typeof readPetsOf>[1], name: string): Rows['read'] {
  return async (after, count) => {
    // PostgreSQL refuses such a text, and no pet has it.
    if (!isStorableText(name)) return { rows: [], isEnd: true };
    const { petIds, reached } = await readPetsOf(client, sql, name, after?.petId, count);
    const rows = petIds.map((petId): PetPosition => ({ petId }));
    return reached === undefined
      ? { rows, isEnd: true }
      : { rows, isEnd: false, reached: { petId: reached } };
  };
}

/** Only pets that have a supplier are in the index of suppliers. */
function suppliedPets(client: Reader, supplier: string): Rows['read'] {
  if (supplier === '') return petsOf(client, READ_PETS.ofSupplier, supplier);
  return async (after, count) => {
    const first = petIdAfter(after?.petId);
    if (first === undefined || !isStorableText(supplier)) return { rows: [], isEnd: true };
    const values = [supplier, String(first), count];
    const found = await client.all<{ petId: string }>(petsOfSupplier(client.dialect), values);
    return rowsOf(
      found.map(({ petId }) => BigInt(petId)),
      count,
    );
  };
}

/** The pet with the given codes, if it matches the rest of the query too. */
async function findByCodes(client: SqlReader, query: PetQuery): Promise<PetPage> {
  const { sku, barcode, query: text } = query;
  const keys = [
    ...(sku === undefined ? [] : [skuKey(sku)]),
    ...(barcode === undefined ? [] : [barcodeKeyOf(barcode)]),
  ];
  const found = new Set(await ownersOf(client, keys));
  const [petId] = found;
  const pet = found.size === 1 && petId !== undefined ? await findPet(client, petId) : undefined;
  if (!pet || query.after || (await listedPets(client, [pet], query)).length === 0) return { pets: [] };
  const isFound =
    text === undefined ||
    matchesQuery(petWords(pet), queryWords(text)) ||
    (await directPets(client, text)).includes(pet.petId);
  return { pets: isFound ? [pet] : [] };
}

/** For each key the petId that has it. */
function ownersOf(client: SqlReader, keys: readonly CodeKey[]): Promise<(bigint | undefined)[]> {
  return Promise.all(keys.map((key) => findCodeOwner(client, key)));
}

/** The pets that a text names: by their barcode, their SKU or their petId, in this order. */
export async function directPets(client: SqlReader, text: string): Promise<readonly bigint[]> {
  const code = text.trim();
  const keys = [barcodeKeyOf(code), skuKey(code)];
  const owners = storableCode(code) ? await ownersOf(client, keys) : [];
  return [...new Set([...owners, parsePetId(code)])].filter((petId) => petId !== undefined);
}

async function search(client: SqlReader, query: PetQuery, words: readonly string[]): Promise<PetPage> {
  const { after, limit, perWord = limit } = query;
  const named = query.query === undefined ? [] : await directPets(client, query.query);
  // A position without a word is one of these pets. Those of words follow them.
  const place = after?.word === '' ? named.indexOf(after.petId) + 1 : 0;
  const left = after === undefined || after.word === '' ? named.slice(place) : [];
  const direct = await readPets(client, left);
  const first = await listedPets(
    client,
    left.flatMap((petId) => direct.get(petId) ?? []),
    query,
  );
  const last = first.length < limit ? undefined : first[limit - 1];
  if (last) return { pets: first.slice(0, limit), next: { petId: last.petId, word: '' } };
  if (words.length === 0) return { pets: first };
  const driver = await drivingWord(client, words, query.after?.word ?? '');

  // Several words of a pet can begin with the driving word. The pet is listed at the one whose row comes first.
  const wordOf = (own: readonly string[]) => own.filter((one) => one.startsWith(driver)).toSorted()[0];
  const rows: Rows = {
    read: async (after, count) => {
      const found = await readWords(client, driver, after, count);
      return { rows: found, isEnd: found.length < count };
    },
    choose: async (read) => {
      const texts = await readTexts(client, petIdsOf(read));
      const choice = { chosen: [] as PetPosition[], twice: [] as PetPosition[] };
      for (const row of read) {
        const found = texts.get(row.petId);
        if (!found || named.includes(row.petId) || !hasTexts(found, query)) continue;
        const own = petWords(found);
        if (matchesQuery(own, words)) choice[wordOf(own) === row.word ? 'chosen' : 'twice'].push(row);
      }
      return choice;
    },
  };
  const count = perWord < limit && words.length === 1 ? FEW_ROWS : { perRead: ROWS_PER_READ };
  const rest = await pageOf(client, rows, { ...query, limit: limit - first.length }, count);
  return { ...rest, pets: [...first, ...rest.pets] };
}

/** The word in whose order the pages are: that of the page before, or the rarest. */
async function drivingWord(client: SqlReader, words: readonly string[], after: string): Promise<string> {
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

async function countWords(client: SqlReader, prefix: string, most: number): Promise<number> {
  const values = [prefix, prefix + AFTER_ALL_WORDS, most];
  const [row] = await client.all<{ count: number }>(READ_PETS.countWords, values);
  return row?.count ?? 0;
}

function petIdsOf(rows: readonly PetPosition[]): bigint[] {
  return rows.map(({ petId }) => petId);
}

/** Reads rows until the page is full, there are no more rows, or it has read many. */
async function pageOf(
  client: SqlReader,
  { read, choose }: Rows,
  query: PetQuery,
  { perRead, twicePerWord = MAX_READ }: { readonly perRead: number; readonly twicePerWord?: number },
): Promise<PetPage> {
  const pets: ManagedPet[] = [];
  let position = query.after;
  let ofWord = { twice: 0, pets: 0 };
  for (let rowCount = 0; rowCount < MAX_READ; rowCount += perRead) {
    const { rows, isEnd, reached } = await read(position, perRead);
    const choice = await choose(rows);
    const [chosen, twice] = [new Set(choice.chosen), new Set(choice.twice)];
    const found = await readPets(client, petIdsOf([...chosen]));
    const listed = new Set(await listedPets(client, [...found.values()], query));
    for (const [i, row] of rows.entries()) {
      if (row.word !== position?.word) ofWord = { twice: 0, pets: 0 };
      const isFull =
        row.word !== undefined && (ofWord.pets === query.perWord || ofWord.twice >= twicePerWord);
      if (twice.has(row)) ofWord.twice += 1;
      // After this one, the next rows are those of the next word.
      position = isFull ? { ...row, petId: MAX_INT64 } : row;
      const pet = chosen.has(row) && !isFull ? found.get(row.petId) : undefined;
      if (!pet || !listed.has(pet)) continue;
      pets.push(pet);
      ofWord.pets += 1;
      const isLast = i === rows.length - 1 && isEnd;
      if (pets.length === query.limit) return isLast ? { pets } : { pets, next: position };
    }
    if (isEnd) return { pets };
    if (reached) position = reached;
  }
  return position === undefined ? { pets } : { pets, next: position };
}
