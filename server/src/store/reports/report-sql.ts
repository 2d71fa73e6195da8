import { MAX_REVERTS } from '../../domain/ledger/sales.ts';
import { MILESTONE_EVERY } from '../../domain/ledger/ledger.ts';
import { stockAfter } from '../history/snapshot-sql.ts';
import type { SqlDialect } from '../sql-client.ts';

/** Statements of reports, in SQL of both SQLite and PostgreSQL. Each reads a limited number of rows by key. */

/** Movements of one pet that a statement follows. */
const STEPS = 128;

const textOf = (column: string, petId: string) =>
  `(SELECT ${column} FROM pets WHERE pets.pet_id = ${petId}) AS ${column}`;

/** `found` after the stock of `$2` pets from `$1` on after movement `$3`; one row without it where nothing was found. */
const scanned = (
  columns: string,
  found: string,
  order = '',
) => `${stockAfter('pet_id >= CAST($1 AS bigint)')},
scan AS MATERIALIZED (SELECT CAST(max(pet_id) AS text) AS last, count(*) AS scanned FROM scanned),
found AS MATERIALIZED (${found})
SELECT last, scanned, ${columns} FROM scan LEFT JOIN found ON true ${order}`;

/** The pets that existed then. */
export const STOCK = scanned(
  `CAST(pet_id AS text) AS "petId", quantity, status, reserved, ${textOf('name', 'found.pet_id')}, ${textOf('category', 'found.pet_id')}`,
  'SELECT * FROM stock WHERE status IS NOT NULL',
  'ORDER BY pet_id',
);

/**
 * Sums of those pets, of the pet `$4` or of the category `$5` alone if they are not null. Sums are in two parts, as below.
 * Categories are looked up by key: a join with `pets` makes PostgreSQL read all pets for each statement.
 */
export function stockSumsOf(isByCategory: boolean): string {
  const category = isByCategory ? 'category' : 'CAST(NULL AS text)';
  const sumOf = (column: string) =>
    `CAST(sum(${column} >> 32) AS bigint) AS "${column}High", CAST(sum(${column} & 4294967295) AS bigint) AS "${column}Low"`;
  return scanned(
    'category, pets, "quantityHigh", "quantityLow", "reservedHigh", "reservedLow"',
    `SELECT ${category} AS category, count(*) AS pets, ${sumOf('quantity')}, ${sumOf('reserved')}
FROM (SELECT pet_id, quantity, reserved, ${textOf('category', 'stock.pet_id')} FROM stock WHERE status IS NOT NULL) AS kept
WHERE (CAST($4 AS bigint) IS NULL OR pet_id = $4) AND (CAST($5 AS text) IS NULL OR category = $5) GROUP BY 1`,
  );
}

/** Units in two parts: together they can be beyond int64, which SQLite's `sum` refuses. */
function unitsOf(name: string, later: string, earlier: string): string {
  const units = `CASE WHEN ${later} > ${earlier} THEN ${later} - ${earlier} ELSE 0 END`;
  return `CAST(sum((${units}) >> 32) AS bigint) AS "${name}High", CAST(sum((${units}) & 4294967295) AS bigint) AS "${name}Low"`;
}

/**
 * Of a revert, the reason of the movement from which reverts lead to it; `null` where a prune deleted one of them. A subquery
 * for reverts alone, because other movements need none.
 */
const REVERTED_REASON = `CASE WHEN movements.kind = 'revert' THEN (
  WITH RECURSIVE chain (sequence, reverts) AS (
    SELECT movements.reverted_sequence, 1
    UNION ALL
    SELECT earlier.reverted_sequence, reverts + 1 FROM chain JOIN movements AS earlier ON earlier.sequence = chain.sequence
    WHERE earlier.kind = 'revert' AND reverts < ${MAX_REVERTS}
  )
  SELECT origin.reason FROM chain JOIN movements AS origin ON origin.sequence = chain.sequence WHERE origin.kind <> 'revert'
) END`;

/**
 * Sums of the movements after `$1` up to `$2`, and of those in the category `$3` alone. With `=`, PostgreSQL would first look for the
 * pets of the category: it expects one of a category that many pets have just got, and compares all of them with each movement.
 */
export function sumsOf({
  isByCategory,
  hasCategory,
}: {
  readonly isByCategory: boolean;
  readonly hasCategory: boolean;
}): string {
  const category = isByCategory ? 'category' : 'CAST(NULL AS text)';
  const pets = isByCategory || hasCategory ? 'LEFT JOIN pets ON pets.pet_id = movements.pet_id' : '';
  return `SELECT ${category} AS category, kind, reason, ${REVERTED_REASON} AS "revertedReason", count(*) AS movements,
${unitsOf('in', 'quantity_after', 'quantity_before')}, ${unitsOf('out', 'quantity_before', 'quantity_after')}
FROM movements ${pets} WHERE sequence > CAST($1 AS bigint) AND sequence <= CAST($2 AS bigint)
${hasCategory ? 'AND category IS NOT DISTINCT FROM $3' : ''} GROUP BY 1, 2, 3, 4`;
}

/**
 * `$2` pets from `$1` on, each with its first milestone from movement `$3` on, or its newest movement. Planners use the
 * index of milestones only where its condition is in the statement, word for word.
 */
export const PETS = `WITH scanned AS MATERIALIZED (
  SELECT * FROM (
    SELECT * FROM (
      SELECT pet_id, last_sequence FROM inventory WHERE pet_id >= CAST($1 AS bigint) ORDER BY pet_id LIMIT CAST($2 AS bigint)
    ) AS present
    UNION ALL
    SELECT * FROM (
      SELECT pet_id, last_sequence FROM deleted_pets WHERE pet_id >= CAST($1 AS bigint) ORDER BY pet_id LIMIT CAST($2 AS bigint)
    ) AS deleted
  ) AS everyone ORDER BY pet_id LIMIT CAST($2 AS bigint)
)
SELECT CAST(pet_id AS text) AS "petId", last_sequence AS "lastSequence", coalesce((
  SELECT movements.sequence FROM movements WHERE movements.pet_id = scanned.pet_id AND version % ${MILESTONE_EVERY} = 0
  AND movements.sequence >= CAST($3 AS bigint) ORDER BY movements.sequence LIMIT 1
), last_sequence) AS sequence, ${textOf('name', 'scanned.pet_id')}, ${textOf('category', 'scanned.pet_id')}
FROM scanned ORDER BY pet_id`;

/**
 * The movements of the pets in the JSON array `$1`, each with its entry, back to those after `$2`. A movement is one text,
 * which takes one look-up. `open` is where a chain goes on after `STEPS`.
 */
export function chainsOf(jsonElements: SqlDialect['jsonElements']): string {
  return `WITH RECURSIVE chains (pet_id, sequence, next, steps) AS (
  SELECT CAST(value ->> 0 AS bigint), CAST(NULL AS bigint), CAST(value ->> 1 AS bigint), 0 FROM ${jsonElements}($1)
  UNION ALL
  SELECT pet_id, next, (SELECT previous_sequence FROM movements WHERE movements.sequence = chains.next), steps + 1
  FROM chains WHERE next > CAST($2 AS bigint) AND steps < ${STEPS}
)
SELECT CAST(pet_id AS text) AS "petId", sequence, CASE WHEN steps = ${STEPS} AND next > CAST($2 AS bigint) THEN next END AS open, (
  SELECT kind || ',' || coalesce(reason, '') || ',' || coalesce(${REVERTED_REASON}, '') || ',' || (quantity_after - quantity_before)
  FROM movements WHERE movements.sequence = chains.sequence
) AS packed FROM chains WHERE sequence IS NOT NULL`;
}
