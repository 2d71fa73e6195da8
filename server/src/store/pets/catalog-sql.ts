import { MAX_INT64, MIN_INT64 } from '@petstore-inventory/shared/pet-id';

/** The members of `catalogJson`, in its order, for `printf` of SQLite and `format` of PostgreSQL. */
const MEMBERS = [
  ['petId', 'pets.pet_id'],
  ['name', 'text:name'],
  ['category', 'text:category'],
  ['sku', 'text:sku'],
  ['barcodes', "coalesce(barcodes, '[]')"],
  ['quantity', 'quantity'],
  ['reserved', 'reserved'],
  ['available', 'quantity - reserved'],
  ['status', 'text:status'],
  ['alertLevel', 'text:alert_level'],
  ['version', 'version'],
] as const;

const FORMAT = `',{${MEMBERS.map(([name]) => `"${name}":%s`).join(',')}}'`;

/** The columns of an item. @param quoted Writes a text, or NULL, as JSON. */
function itemJson(write: string, quoted: (column: string) => string): string {
  const values = MEMBERS.map(([, value]) =>
    value.startsWith('text:') ? quoted(value.slice('text:'.length)) : value,
  );
  return `${write}(${FORMAT}, ${values.join(', ')})`;
}

const SQLITE_ITEM = itemJson('printf', (column) => `json_quote(${column})`);
const POSTGRES_ITEM = itemJson('format', (column) => `coalesce(to_json(${column})::text, 'null')`);

/**
 * A page of the catalog: the `$2` pets from `$1` on, of which archived ones are left out, so that a page reads few pets
 * however many are archived. `CROSS JOIN` keeps the order of the tables.
 */
export const SQLITE_PAGE = `SELECT count(*) AS "readCount", CAST(max(pet_id) AS text) AS "lastPetId", CAST(group_concat(item, '') AS blob) AS json
FROM (
  SELECT pets.pet_id, CASE WHEN archived_at IS NULL THEN ${SQLITE_ITEM} END AS item
  FROM pets CROSS JOIN inventory ON inventory.pet_id = pets.pet_id
  WHERE pets.pet_id >= $1 ORDER BY pets.pet_id LIMIT $2
)`;

/** `OFFSET 0` has the stock read by key for each pet of the page, also where there are no statistics. */
export const POSTGRES_PAGE = `SELECT count(*)::integer AS "readCount", max(pet_id)::text AS "lastPetId", string_agg(item, '' ORDER BY pet_id) AS json
FROM (
  SELECT pets.pet_id, CASE WHEN archived_at IS NULL THEN ${POSTGRES_ITEM} END AS item
  FROM (SELECT * FROM pets WHERE pet_id >= $1::bigint ORDER BY pet_id LIMIT $2::integer) AS pets
  CROSS JOIN LATERAL (SELECT * FROM inventory WHERE inventory.pet_id = pets.pet_id OFFSET 0) AS inventory
) AS items`;

export interface CatalogRow<Json> {
  readonly readCount: number;
  readonly lastPetId: string | null;
  readonly json: Json | null;
}

/** The first pet of a page; `undefined` where none can follow. */
export function firstOf(after: bigint | undefined): bigint | undefined {
  if (after === undefined) return MIN_INT64;
  return after === MAX_INT64 ? undefined : after + 1n;
}

/** The pet after which the next page begins. The last pet of a full page may be the last of all; the next page is then empty. */
export function nextAfterOf(
  { readCount, lastPetId }: CatalogRow<unknown>,
  limit: number,
): bigint | undefined {
  return readCount < limit || lastPetId === null ? undefined : BigInt(lastPetId);
}
