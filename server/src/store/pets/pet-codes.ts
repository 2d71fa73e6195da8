import {
  addedCodes,
  type CodeKey,
  keyText,
  type PetCodes,
  type TakenCode,
} from '../../domain/management/pet-codes.ts';
import { batchesOf } from '../batches.ts';
import type { SqlClient, SqlDialect, SqlReader } from '../sql-client.ts';

/** A code that a pet has. */
interface OwnedCode extends CodeKey {
  readonly petId: bigint;
  readonly archivedAtMs: number | null;
}

/** New codes of a pet. */
export interface CodeChange {
  readonly petId: bigint;
  readonly before: PetCodes;
  readonly after: PetCodes;
  /** What other pets have taken from an archived pet; unset: as before. */
  readonly taken?: readonly TakenCode[];
}

interface Client extends Pick<SqlClient, 'all' | 'run'> {
  readonly dialect: Pick<SqlDialect, 'jsonElements'>;
}

/** Codes or pets per statement. */
const PER_STATEMENT = 1_000;

/** The petId with one code. One entry of an index is read. */
export const CODE_OWNER =
  'SELECT CAST(pet_id AS text) AS "petId" FROM pet_codes WHERE kind = $1 AND code = $2';

const TAKEN_CODES = 'SELECT taken_codes AS taken FROM pets WHERE pet_id = CAST($1 AS bigint)';

/** The given codes that pets have. */
export const owners = ({
  jsonElements,
}: Client['dialect']): string => `SELECT kind, code, CAST(pets.pet_id AS text) AS "petId",
archived_at AS "archivedAtMs" FROM pet_codes JOIN pets ON pets.pet_id = pet_codes.pet_id
WHERE (kind, code) IN (SELECT value ->> 0, value ->> 1 FROM ${jsonElements}($1))`;

const removeCodes = ({ jsonElements }: Client['dialect']): string =>
  `DELETE FROM pet_codes WHERE (kind, code) IN (SELECT value ->> 0, value ->> 1 FROM ${jsonElements}($1))`;

const addCodes = ({ jsonElements }: Client['dialect']): string => `INSERT INTO pet_codes (kind, code, pet_id)
SELECT value ->> 0, value ->> 1, CAST(value ->> 2 AS bigint) FROM ${jsonElements}($1)`;

const setCodes = ({
  jsonElements,
}: Client['dialect']): string => `UPDATE pets SET sku = given.sku, barcodes = given.barcodes,
taken_codes = CASE given.sets_taken WHEN 'yes' THEN given.taken ELSE pets.taken_codes END FROM (
  SELECT CAST(value ->> 0 AS bigint) AS pet_id, value ->> 1 AS sku, value ->> 2 AS barcodes, value ->> 3 AS sets_taken,
  value ->> 4 AS taken FROM ${jsonElements}($1)
) AS given WHERE pets.pet_id = given.pet_id`;

/** The pet that has a code, also an archived one. */
export async function findCodeOwner(client: SqlReader, { kind, code }: CodeKey): Promise<bigint | undefined> {
  const [row] = await client.all<{ petId: string }>(CODE_OWNER, [kind, code]);
  return row && BigInt(row.petId);
}

/** The given codes that pets have, with their pets, by `keyText`. */
export async function findCodeOwners(
  client: Client,
  keys: readonly CodeKey[],
): Promise<ReadonlyMap<string, OwnedCode>> {
  const found = new Map<string, OwnedCode>();
  const sql = owners(client.dialect);
  for (const some of batchesOf(keys, PER_STATEMENT)) {
    const given = JSON.stringify(some.map(({ kind, code }) => [kind, code]));
    for (const row of await client.all<Omit<OwnedCode, 'petId'> & { petId: string }>(sql, [given])) {
      found.set(keyText(row), { ...row, petId: BigInt(row.petId) });
    }
  }
  return found;
}

/**
 * Sets the codes of any number of pets, within a transaction that has the lock of the ledger. Codes can go from one pet to
 * another. Fails on the constraint of the database where another pet has one of them.
 */
export async function replaceCodes(client: Client, changes: readonly CodeChange[]): Promise<void> {
  const removed: CodeKey[] = [];
  const added: (CodeKey & { readonly petId: bigint })[] = [];
  for (const { petId, before, after } of changes) {
    removed.push(...addedCodes(after, before));
    added.push(...addedCodes(before, after).map((code) => ({ ...code, petId })));
  }
  const write = async (sql: string, rows: readonly unknown[]) => {
    for (const some of batchesOf(rows, PER_STATEMENT)) await client.run(sql, [JSON.stringify(some)]);
  };
  await write(
    removeCodes(client.dialect),
    removed.map(({ kind, code }) => [kind, code]),
  );
  await write(
    addCodes(client.dialect),
    added.map(({ kind, code, petId }) => [kind, code, String(petId)]),
  );
  await write(setCodes(client.dialect), changes.map(rowOf));
}

function rowOf({ petId, after: { sku, barcodes }, taken }: CodeChange): readonly (string | null)[] {
  const stored = barcodes.length === 0 ? null : JSON.stringify(barcodes);
  const codes = taken?.map(({ kind, code, petId: by }) => [kind, code, String(by)]);
  return [String(petId), sku, stored, codes ? 'yes' : 'no', codes?.length ? JSON.stringify(codes) : null];
}

/** What other pets have taken from an archived pet. */
export async function readTakenCodes(client: SqlReader, petId: bigint): Promise<readonly TakenCode[]> {
  const [row] = await client.all<{ taken: string | null }>(TAKEN_CODES, [String(petId)]);
  const stored: readonly [TakenCode['kind'], string, string][] = JSON.parse(row?.taken ?? '[]');
  return stored.map(([kind, code, by]) => ({ kind, code, petId: BigInt(by) }));
}
