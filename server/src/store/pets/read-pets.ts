import { MIN_INT64, petIdAfter } from '@petstore-inventory/shared/pet-id';
import type { PetRowsPage } from '../../domain/management/pet-rows.ts';
import type { PetTexts } from '../../domain/management/pet-words.ts';
import type { ManagedPet, PetPosition } from '../../domain/management/pets.ts';
import { readChainHead } from '../ledger/ledger-bounds.ts';
import type { LockingClient, SqlReader } from '../sql-client.ts';
import { AFTER_ALL_WORDS, READ_PETS, type StoredPet, toManagedPet } from './pet-sql.ts';

/** What a search compares, of each pet that it reads. */
export type FoundTexts = PetTexts & Pick<ManagedPet, 'archivedAtMs'>;
type TextsRow = FoundTexts & Pick<StoredPet, 'petId'>;

/** The petIds after a position, in their order. */
export async function readPetIds(
  client: SqlReader,
  sql: typeof READ_PETS.page | typeof READ_PETS.archivedPage,
  after: bigint | undefined,
  count: number,
): Promise<bigint[]> {
  const first = petIdAfter(after);
  if (first === undefined) return [];
  const rows = await client.all<Pick<StoredPet, 'petId'>>(sql, [String(first), count]);
  return rows.map(({ petId }) => BigInt(petId));
}

/** Pets that one statement looks through for a category, or for pets without a supplier: some milliseconds. */
const PETS_PER_SCAN = 10_000;
/** Statements per read. */
const SCANS = 2;

/**
 * The next pets of a category, or without a supplier, after one. No index has these, so that a read looks through a limited
 * number of pets.
 */
export async function readPetsOf(
  client: SqlReader,
  sql: typeof READ_PETS.ofCategory | typeof READ_PETS.ofSupplier,
  name: string,
  after: bigint | undefined,
  count: number,
): Promise<{
  readonly petIds: readonly bigint[];
  /** The pet up to which all were looked through; `undefined` at the end. */
  readonly reached?: bigint;
}> {
  let from = after;
  for (let scans = 0; scans < SCANS; scans += 1) {
    const range = await rangeAfter(client, from, PETS_PER_SCAN);
    if (!range) return { petIds: [] };
    const values = [...range, name, count];
    const rows = await client.all<Pick<StoredPet, 'petId'>>(sql, values);
    const petIds = rows.map(({ petId }) => BigInt(petId));
    const last = petIds.at(-1);
    from = last !== undefined && petIds.length === count ? last : BigInt(range[1]);
    if (last !== undefined) return { petIds, reached: from };
  }
  return from === undefined ? { petIds: [] } : { petIds: [], reached: from };
}

/** The suppliers of those pets of which something is known; `null`: there is none. */
export async function readSuppliers(
  client: SqlReader,
  petIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, string | null>> {
  const rows = await readByKey<{ petId: string; supplier: string | null }>(
    client,
    READ_PETS.suppliers,
    petIds,
  );
  return new Map(rows.map(({ petId, supplier }) => [BigInt(petId), supplier]));
}

/** The rows after a position of the words that begin with `prefix`, in the order of word and petId. */
export async function readWords(
  client: SqlReader,
  prefix: string,
  after: PetPosition | undefined,
  count: number,
): Promise<Required<PetPosition>[]> {
  const isStart = !after?.word;
  const sql = isStart ? READ_PETS.wordsFrom : READ_PETS.wordsAfter;
  const from = isStart ? [prefix, String(MIN_INT64)] : [after.word, String(after.petId)];
  const values = [prefix + AFTER_ALL_WORDS, ...from, count];
  const rows = await client.all<{ word: string; petId: string }>(sql, values);
  return rows.map(({ word, petId }) => ({ word, petId: BigInt(petId) }));
}

/** The names and categories of those pets that exist. */
export async function readTexts(
  client: SqlReader,
  petIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, FoundTexts>> {
  const rows = await readByKey<TextsRow>(client, READ_PETS.texts, petIds);
  return new Map(rows.map((row) => [BigInt(row.petId), row]));
}

/** Reads the existing pets of `petIds`. */
export async function readPets(
  client: SqlReader,
  petIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, ManagedPet>> {
  const rows = await readByKey<StoredPet>(client, READ_PETS.pets, petIds);
  return new Map(rows.map(toManagedPet).map((pet) => [pet.petId, pet]));
}

export async function findPet(client: SqlReader, petId: bigint): Promise<ManagedPet | undefined> {
  return (await readPets(client, [petId])).get(petId);
}

async function readByKey<Row>(
  client: SqlReader,
  sql: (count: number) => string,
  petIds: readonly bigint[],
): Promise<readonly Row[]> {
  const distinct = [...new Set(petIds)];
  return distinct.length === 0 ? [] : client.all<Row>(sql(distinct.length), distinct.map(String));
}

/** The next pets after a position, archived ones too, in the order of petId. */
export async function readPetsAfter(
  client: SqlReader,
  after: bigint | undefined,
  count: number,
): Promise<readonly ManagedPet[]> {
  const range = await rangeAfter(client, after, count);
  return range ? (await client.all<StoredPet>(READ_PETS.range, range)).map(toManagedPet) : [];
}

/** Bounds of the next pets after a position: a petId from which to read, and that of the last; `undefined` without one. */
export async function rangeAfter(
  client: SqlReader,
  after: bigint | undefined,
  count: number,
): Promise<readonly [string, string] | undefined> {
  const first = petIdAfter(after);
  if (first === undefined) return undefined;
  const [bound] = await client.all<{ last: string | null }>(READ_PETS.lastOfRange, [String(first), count]);
  return bound && bound.last !== null ? [String(first), bound.last] : undefined;
}

/** Pets per page: few enough not to delay other calls, and enough that the calls cost little. */
const PETS_PER_PAGE = 5_000;

/** Reads all pets after one, archived ones too, as lines. The caller's transaction sees one moment. */
export async function readPetRows(
  client: Pick<LockingClient, 'all' | 'dialect'>,
  after: bigint | undefined,
): Promise<PetRowsPage> {
  const { sequence } = await readChainHead(client);
  const range = await rangeAfter(client, after, PETS_PER_PAGE);
  if (!range) return { sequence, text: '' };
  const sql = READ_PETS.linesOfRange(client.dialect.jsonArray);
  const [lines] = await client.all<{ count: number; text: string }>(sql, [...range, '\n']);
  if (!lines) return { sequence, text: '' };
  const page = { sequence, text: `${lines.text}\n` };
  return lines.count === PETS_PER_PAGE ? { ...page, next: BigInt(range[1]) } : page;
}
