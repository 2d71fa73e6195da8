import { crc32 } from 'node:zlib';
import { MAX_INT64, MIN_INT64 } from '@petstore-inventory/shared/pet-id';
import { type CatalogPage, EMPTY_CATALOG_PAGE } from '../../domain/management/catalog.ts';

/** A member of `catalogJson`: a number, JSON, a text without quotes in it, or any text or NULL. */
type Kind = 'number' | 'json' | 'word' | 'text';

const MEMBERS: readonly (readonly [name: string, kind: Kind, value: string])[] = [
  ['petId', 'number', 'pets.pet_id'],
  ['name', 'text', 'name'],
  ['category', 'text', 'category'],
  ['sku', 'text', 'sku'],
  ['barcodes', 'json', "coalesce(barcodes, '[]')"],
  ['quantity', 'number', 'quantity'],
  ['reserved', 'number', 'reserved'],
  ['available', 'number', 'quantity - reserved'],
  ['status', 'word', 'status'],
  ['alertLevel', 'json', `CASE WHEN alert_level IS NULL THEN 'null' ELSE '"' || alert_level || '"' END`],
  ['version', 'number', 'version'],
];

/**
 * An item, in the order of `catalogJson`.
 * @param number The place of a number in the format; those of SQLite take a third of the time of texts.
 * @param quoted Writes a text, or NULL, as JSON.
 */
function itemJson(write: string, number: string, quoted: (column: string) => string): string {
  const places: Readonly<Record<Kind, string>> = { number, json: '%s', word: '"%s"', text: '%s' };
  const format = MEMBERS.map(([name, kind]) => `"${name}":${places[kind]}`).join();
  const values = MEMBERS.map(([, kind, value]) => (kind === 'text' ? quoted(value) : value));
  return `${write}('{${format}}', ${values.join(', ')})`;
}

const SQLITE_ITEM = itemJson('printf', '%lld', (column) => `json_quote(${column})`);
const POSTGRES_ITEM = itemJson('format', '%s', (column) => `coalesce(to_json(${column})::text, 'null')`);

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
 * Both tables are read by the range of the page, whatever PostgreSQL knows of them.
 * @param limit With a parameter, PostgreSQL plans the statement again for each page, which takes a third of its time.
 */
const postgresPage = (limit: string): string => `WITH page AS MATERIALIZED (
  SELECT pet_id, name, category, sku, barcodes, archived_at FROM pets WHERE pet_id >= $1::bigint ORDER BY pet_id LIMIT ${limit}
)
SELECT count(*)::integer AS "readCount", max(pet_id)::text AS "lastPetId", max(last_sequence) AS "newestSequence", '[' || coalesce(string_agg(item, ',' ORDER BY pet_id), '') || ']' AS json
FROM (
  SELECT pets.pet_id, CASE WHEN archived_at IS NULL THEN ${POSTGRES_ITEM} END AS item, last_sequence
  FROM page AS pets JOIN inventory ON inventory.pet_id = pets.pet_id
  WHERE inventory.pet_id >= $1::bigint AND inventory.pet_id <= (SELECT max(pet_id) FROM page)
) AS items`;

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

/** The first pet of a page; `undefined` where none can follow. */
export function firstOf(after: bigint | undefined): bigint | undefined {
  if (after === undefined) return MIN_INT64;
  return after === MAX_INT64 ? undefined : after + 1n;
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
