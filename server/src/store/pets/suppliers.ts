import type { LockingClient, SqlDialect } from '../sql-client.ts';

/** A pet with who sells it to the shop. */
export interface Supplied {
  readonly petId: bigint;
  readonly supplier: string | null;
}

/** The suppliers of the pets in the JSON array `$1`. */
function suppliersOf(jsonElements: SqlDialect['jsonElements']): string {
  return `SELECT CAST(pet_id AS text) AS "petId", supplier FROM reorders
WHERE supplier IS NOT NULL AND pet_id IN (SELECT CAST(value ->> 0 AS bigint) FROM ${jsonElements}($1))`;
}

/**
 * The pets of the supplier `$1` from the pet `$2` on, up to `$3` of them. Of a limit that it does not know, PostgreSQL expects a
 * tenth of the rows; without statistics, it takes the few hundreds of a limit for half of them, and sorts all.
 */
const ofSupplier = ({ entriesFrom }: SqlDialect): string =>
  `FROM reorders WHERE ${entriesFrom('supplier', 'pet_id')} LIMIT (SELECT CAST($3 AS bigint))`;

export const petsOfSupplier = (dialect: SqlDialect): string =>
  `SELECT CAST(pet_id AS text) AS "petId" ${ofSupplier(dialect)}`;

export const countOfSupplier = (dialect: SqlDialect): string =>
  `SELECT count(*) AS count FROM (SELECT pet_id ${ofSupplier(dialect)}) AS counted`;

/** Ends the insertion of suppliers, with their time. What is ordered of the pets stays. */
export const REPLACE_SUPPLIER = `ON CONFLICT (pet_id) DO UPDATE SET supplier = excluded.supplier,
ordered_at = CASE WHEN reorders.ordered IS NULL THEN excluded.ordered_at ELSE reorders.ordered_at END`;

/** Gives each pet of the JSON array `$1` its supplier at the time `$2`. */
function setSuppliers(jsonElements: SqlDialect['jsonElements']): string {
  return `INSERT INTO reorders (pet_id, supplier, ordered_at)
SELECT CAST(value ->> 0 AS bigint), value ->> 1, CAST($2 AS bigint) FROM ${jsonElements}($1) WHERE true
${REPLACE_SUPPLIER}`;
}

/** Adds the suppliers of pets. */
export async function withSuppliers<Pet extends { readonly petId: bigint }>(
  client: Pick<LockingClient, 'all' | 'dialect'>,
  pets: readonly Pet[],
): Promise<readonly (Pet & Supplied)[]> {
  const named = JSON.stringify(pets.map(({ petId }) => [String(petId)]));
  const rows = await client.all<{ petId: string; supplier: string }>(
    suppliersOf(client.dialect.jsonElements),
    [named],
  );
  const suppliers = new Map(rows.map(({ petId, supplier }) => [petId, supplier]));
  return pets.map((pet) => ({ ...pet, supplier: suppliers.get(String(pet.petId)) ?? null }));
}

/** Gives pets their suppliers, under the lock of the ledger. What is ordered of them stays. */
export async function writeSuppliers(
  client: Pick<LockingClient, 'run' | 'dialect'>,
  pets: readonly Supplied[],
  atMs: number,
): Promise<void> {
  const named = JSON.stringify(pets.map(({ petId, supplier }) => [String(petId), supplier]));
  await client.run(setSuppliers(client.dialect.jsonElements), [named, atMs]);
}
