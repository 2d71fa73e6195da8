import { crc32 } from 'node:zlib';
import { type CatalogPage, EMPTY_CATALOG_PAGE } from '../../domain/management/catalog.ts';

/** The members of `catalogJson`, and where SQLite finds each. Numbers take a third of the time of texts. */
const MEMBERS: readonly (readonly [name: string, format: string, value: string])[] = [
  ['petId', '%lld', 'pets.pet_id'],
  ['name', '%s', 'json_quote(name)'],
  ['category', '%s', 'json_quote(category)'],
  ['sku', '%s', 'json_quote(sku)'],
  ['barcodes', '%s', "coalesce(barcodes, '[]')"],
  ['quantity', '%lld', 'quantity'],
  ['reserved', '%lld', 'reserved'],
  ['available', '%lld', 'quantity - reserved'],
  ['status', '"%s"', 'status'],
  ['alertLevel', '%s', 'json_quote(alert_level)'],
  ['version', '%lld', 'version'],
];

const SQLITE_FORMAT = MEMBERS.map(([name, format]) => `"${name}":${format}`).join();
const SQLITE_ITEM = `printf('{${SQLITE_FORMAT}}', ${MEMBERS.map(([, , value]) => value).join(', ')})`;

/** On PostgreSQL the first members are stored (`catalog-facts.ts`). */
const POSTGRES_ITEM = `'{' || catalog_facts || ',"quantity":' || quantity || ',"reserved":' || reserved
    || ',"available":' || (quantity - reserved) || ',"status":"' || status
    || '","alertLevel":' || coalesce('"' || alert_level || '"', 'null') || ',"version":' || version || '}'`;

/**
 * A page of the catalog: the `$2` pets from `$1` on, of which archived ones are left out, so that a page reads few pets
 * however many are archived. `CROSS JOIN` keeps the order of the tables.
 */
export const SQLITE_PAGE = `SELECT count(*) AS "readCount", CAST(max(pet_id) AS text) AS "lastPetId", max(last_sequence) AS "newestSequence", '[' || coalesce(group_concat(item), '') || ']' AS json
FROM (
  SELECT pets.pet_id, CASE WHEN archived_at IS NULL THEN ${SQLITE_ITEM} END AS item, last_sequence
  FROM pets CROSS JOIN inventory ON inventory.pet_id = pets.pet_id
  WHERE pets.pet_id >= $1 ORDER BY pets.pet_id LIMIT $2
)`;

/** The limit of pages without one, which are most. */
export const COMMON_LIMIT = 100;

/**
 * Each pet has a row in both tables, so the same number of rows from the same petId on has the same pets.
 * @param limit With a parameter, PostgreSQL plans the statement again for each page, which takes a third of its time.
 */
const postgresPage = (limit: string): string => {
  const rowsOf = (table: string) =>
    `(SELECT * FROM ${table} WHERE pet_id >= $1::bigint ORDER BY pet_id LIMIT ${limit}) AS ${table}`;
  return `SELECT count(*)::integer AS "readCount", max(pet_id)::text AS "lastPetId", max(last_sequence) AS "newestSequence", '[' || coalesce(string_agg(item, ',' ORDER BY pet_id), '') || ']' AS json
FROM (
  SELECT pet_id, CASE WHEN archived_at IS NULL THEN ${POSTGRES_ITEM} END AS item, last_sequence
  FROM ${rowsOf('pets')} JOIN ${rowsOf('inventory')} USING (pet_id)
) AS items`;
};

export const POSTGRES_PAGE = postgresPage('$2::integer');
export const POSTGRES_COMMON_PAGE = postgresPage(String(COMMON_LIMIT));

/** A row of these statements. */
export interface CatalogRow {
  readonly readCount: number;
  readonly lastPetId: string | null;
  /** `null` without pets. */
  readonly newestSequence: number | null;
  readonly json: string;
}

/**
 * The tag of a page changes with each change of its pets, because each is a movement with a greater sequence. The checksum
 * tells states apart that no movement does: archived and restored pets, and a backup in place of the database.
 *
 * The last pet of a full page may be the last of all; the next page is then empty.
 */
export function toCatalogPage(row: CatalogRow | undefined, limit: number): CatalogPage {
  if (!row) return EMPTY_CATALOG_PAGE;
  const { json, readCount, lastPetId, newestSequence } = row;
  return {
    json,
    tag: `${newestSequence ?? 0}-${json.length.toString(36)}-${crc32(json).toString(36)}`,
    nextAfter: readCount < limit || lastPetId === null ? undefined : BigInt(lastPetId),
  };
}
