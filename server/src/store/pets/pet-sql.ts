import { MIN_INT64 } from '@petstore-inventory/shared/pet-id';
import { NAMED_ALERTS } from '../../domain/management/overview.ts';
import { PET_ROW_COLUMNS } from '../../domain/management/pet-rows.ts';
import type { ManagedPet } from '../../domain/management/pets.ts';
import type { SqlDialect } from '../sql-client.ts';

export interface StoredPet extends Omit<ManagedPet, 'petId' | 'barcodes'> {
  readonly petId: string;
  /** A JSON array. */
  readonly barcodes: string | null;
}

/** The columns of a pet; a petId as text, because no number can hold it. */
const COLUMNS: Readonly<Record<keyof StoredPet, string>> = {
  petId: 'CAST(pets.pet_id AS text)',
  name: 'name',
  category: 'category',
  sku: 'sku',
  barcodes: 'barcodes',
  archivedAtMs: 'archived_at',
  createdAtMs: 'created_at',
  quantity: 'quantity',
  status: 'status',
  version: 'version',
  lastSequence: 'last_sequence',
  updatedAtMs: 'updated_at',
  reserved: 'reserved',
  alertLevel: 'alert_level',
  lowStockAt: 'low_stock_at',
  restockAt: 'restock_at',
};

const PET_COLUMNS = Object.entries(COLUMNS)
  .map(([name, column]) => `${column} AS "${name}"`)
  .join(', ');

/** The last value of a line, which is stored as JSON. */
const LAST_COLUMN = 'barcodes';

/** A pet as a line of JSON: an array, because the names of members are most of a list. */
function rowLine(jsonArray: SqlDialect['jsonArray']): string {
  const values = PET_ROW_COLUMNS.filter((name) => name !== LAST_COLUMN).map((name) => COLUMNS[name]);
  return `rtrim(CAST(${jsonArray}(${values.join(', ')}) AS text), ']') || ',' || coalesce(${COLUMNS[LAST_COLUMN]}, '[]') || ']'`;
}

export function toManagedPet(row: StoredPet): ManagedPet {
  return { ...row, petId: BigInt(row.petId), barcodes: toBarcodes(row.barcodes) };
}

export function toBarcodes(stored: string | null): readonly string[] {
  return stored === null ? [] : JSON.parse(stored);
}

/** Sorts after every word that begins with the text before it: words have letters and digits only. */
export const AFTER_ALL_WORDS = '\u{10FFFF}';

const PET_ID = 'CAST(pet_id AS text) AS "petId"';

/**
 * The words from `$2` `$3` on that come before `$1`. Few words are read, however many there are: with a cast of `$3`
 * SQLite would enter its index by the word only, and read all pets of it up to the page.
 */
function wordsFrom(comparison: '>' | '>='): string {
  return `SELECT word, ${PET_ID} FROM pet_words
WHERE (word, pet_id) ${comparison} ($2, $3) AND word < $1 ORDER BY word, pet_id LIMIT $4`;
}

function page(condition: string): string {
  return `SELECT ${PET_ID} FROM pets WHERE pet_id >= CAST($1 AS bigint) ${condition} ORDER BY pet_id LIMIT $2`;
}

/** The pets from `$1` to `$2`, both included. Both tables are read by that range. */
const RANGE = `FROM pets JOIN inventory ON inventory.pet_id = pets.pet_id
WHERE pets.pet_id >= CAST($1 AS bigint) AND pets.pet_id <= CAST($2 AS bigint)
AND inventory.pet_id >= CAST($1 AS bigint) AND inventory.pet_id <= CAST($2 AS bigint)`;

function keys(count: number): string {
  return Array.from({ length: count }, (_, i) => `$${i + 1}`).join(', ');
}

/**
 * Reads pets, in SQL of both engines. A page is a list of keys first. Its pets are then read by those keys, because
 * PostgreSQL joins a page with whole tables where it has no statistics.
 */
export const READ_PETS = {
  count: 'SELECT count(*) AS count FROM pets',

  page: page(''),
  archivedPage: page('AND archived_at IS NOT NULL'),

  /** The first `$4` pets of the category `$3` from `$1` to `$2`, both included. */
  ofCategory: `SELECT ${PET_ID} FROM pets
WHERE pet_id >= CAST($1 AS bigint) AND pet_id <= CAST($2 AS bigint) AND category = $3 ORDER BY pet_id LIMIT $4`,

  /** The same of the supplier `$3`, which is empty: pets without one, which the index of suppliers does not have. */
  ofSupplier: `SELECT CAST(pets.pet_id AS text) AS "petId" FROM pets
LEFT JOIN reorders ON reorders.pet_id = pets.pet_id AND reorders.pet_id >= CAST($1 AS bigint) AND reorders.pet_id <= CAST($2 AS bigint)
WHERE pets.pet_id >= CAST($1 AS bigint) AND pets.pet_id <= CAST($2 AS bigint) AND coalesce(supplier, '') = $3
ORDER BY pets.pet_id LIMIT $4`,

  /** The last of the `$2` pets from `$1` on. */
  lastOfRange: `SELECT CAST(max(pet_id) AS text) AS last FROM (
  SELECT pet_id FROM pets WHERE pet_id >= CAST($1 AS bigint) ORDER BY pet_id LIMIT $2
) AS page`,

  range: `SELECT ${PET_COLUMNS} ${RANGE} ORDER BY pets.pet_id`,

  /** The lines of a range as one text. An object per pet would take four times as long. */
  linesOfRange: (jsonArray: SqlDialect['jsonArray']) => `SELECT count(*) AS count,
string_agg(${rowLine(jsonArray)}, $3 ORDER BY pets.pet_id) AS text ${RANGE}`,

  /** The pets of a range, counted by what the totals of the shop distinguish. Sums do not overflow as integers do. */
  groupsOfRange: `SELECT category, status, alert_level AS "alertLevel",
  CASE WHEN archived_at IS NULL THEN 0 ELSE 1 END AS archived,
  count(*) AS pets, sum(CAST(quantity AS double precision)) AS units
${RANGE} GROUP BY 1, 2, 3, 4`,

  /** The pets of a range with an alert: the most severe level first, then the pet that changed last, then the lowest petId. */
  alertsOfRange: `SELECT ${PET_COLUMNS} ${RANGE} AND alert_level IS NOT NULL AND archived_at IS NULL
ORDER BY CASE alert_level WHEN 'oversold' THEN 0 WHEN 'out' THEN 1 ELSE 2 END, updated_at DESC, pets.pet_id LIMIT ${NAMED_ALERTS}`,

  wordsFrom: wordsFrom('>='),
  wordsAfter: wordsFrom('>'),

  /** Written so that PostgreSQL follows the index, instead of collecting all rows before it counts some. */
  countWords: `SELECT count(*) AS count FROM (
  SELECT word FROM pet_words WHERE (word, pet_id) >= ($1, '${MIN_INT64}') AND word < $2 ORDER BY word, pet_id LIMIT $3
) AS counted`,

  /** Those of as many pets as there are values. */
  suppliers: (count: number) => `SELECT ${PET_ID}, supplier FROM reorders WHERE pet_id IN (${keys(count)})`,

  /** As many pets as there are values. */
  texts: (count: number) =>
    `SELECT ${PET_ID}, name, category, archived_at AS "archivedAtMs" FROM pets WHERE pet_id IN (${keys(count)})`,

  pet: `SELECT ${PET_COLUMNS} FROM pets JOIN inventory ON inventory.pet_id = pets.pet_id WHERE pets.pet_id = CAST($1 AS bigint)`,

  /** The pet with the code `$2` of the kind `$1`: one entry of the index of codes, and a row of each table. */
  petWithCode: `SELECT ${PET_COLUMNS} FROM pet_codes JOIN pets ON pets.pet_id = pet_codes.pet_id
JOIN inventory ON inventory.pet_id = pets.pet_id WHERE kind = $1 AND code = $2`,

  /** As many pets as there are values. Each table is read by key, in whichever order PostgreSQL joins them. */
  pets: (count: number) => `SELECT ${PET_COLUMNS} FROM pets JOIN inventory ON inventory.pet_id = pets.pet_id
WHERE pets.pet_id IN (${keys(count)}) AND inventory.pet_id IN (${keys(count)})`,
} as const;
