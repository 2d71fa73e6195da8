import { FIRST_HASH, type Movement, movementHash } from '../../src/domain/ledger/ledger.ts';
import { MOVEMENT_COLUMNS } from '../../src/store/ledger/movement-columns.ts';
import type { TestDatabase, Value } from '../support/test-database.ts';

const HASHED = MOVEMENT_COLUMNS.filter(({ field }) => field !== 'hash');
const COLUMNS = HASHED.map(({ name }) => name).join();

export type StoredMovement = Omit<Movement, 'actorName'>;

/** The movements of a table, in the order of sequence. */
export async function movementsOf(database: TestDatabase, table = 'movements'): Promise<StoredMovement[]> {
  const rows = await database.rows(`SELECT ${COLUMNS}, hash FROM ${table} ORDER BY sequence`);
  return rows.map((row) => ({ ...fieldsOf(row), hash: hexOf(row.at(-1)) }));
}

/** The hash of each movement, in hexadecimal digits. */
export async function hashesOf(database: TestDatabase): Promise<string[]> {
  const rows = await database.rows('SELECT hash FROM movements ORDER BY sequence');
  return rows.map(([hash]) => hexOf(hash));
}

function hexOf(hash: Value | undefined): string {
  return Buffer.from(hash as Uint8Array).toString('hex');
}

/** Bytes in the SQL of the database's engine. */
export function bytesLiteral({ url }: TestDatabase, hex: string | undefined): string {
  return url.startsWith('sqlite:') ? `x'${hex}'` : `'\\x${hex}'::bytea`;
}

/** Gives a movement the hash that its content has after the movement before it, as a forger would. */
export async function rehash(database: TestDatabase, sequence: number): Promise<void> {
  const before = (await hashesOf(database))[sequence - 2] ?? FIRST_HASH;
  const [row = []] = await database.rows(`SELECT ${COLUMNS} FROM movements WHERE sequence = ${sequence}`);
  const hash = bytesLiteral(database, movementHash(before, fieldsOf(row)));
  await database.run(`UPDATE movements SET hash = ${hash} WHERE sequence = ${sequence}`);
}

function fieldsOf(row: readonly Value[]): Omit<Movement, 'hash' | 'actorName'> {
  const fields = Object.fromEntries(HASHED.map(({ field }, i) => [field, row[i]]));
  return { ...fields, petId: BigInt(String(fields.petId)) } as unknown as Omit<
    Movement,
    'hash' | 'actorName'
  >;
}
