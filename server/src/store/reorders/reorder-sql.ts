import { DAY_MS } from '@petstore-inventory/shared/durations';
import { SALES_DAYS } from '../../domain/ledger/sales.ts';
import type { SqlDialect } from '../sql-client.ts';

/** Statements of reorders, in SQL of both SQLite and PostgreSQL. */

/**
 * The next `$2` pets from `$1` on that may be in the list: those with an alert level where `$3` is 1, and where `$4` is 1 those
 * of which units are ordered. Each has an index of its own, which no planner leaves: it has only these pets, in their order.
 */
export const LISTED = `SELECT CAST(pet_id AS text) AS "petId" FROM (
  SELECT pet_id FROM (
    SELECT pet_id FROM inventory WHERE alert_level IS NOT NULL AND pet_id >= CAST($1 AS bigint) AND CAST($3 AS bigint) = 1
    ORDER BY pet_id LIMIT CAST($2 AS bigint)
  ) AS alerted
  UNION SELECT pet_id FROM (
    SELECT pet_id FROM reorders WHERE ordered IS NOT NULL AND pet_id >= CAST($1 AS bigint) AND CAST($4 AS bigint) = 1
    ORDER BY pet_id LIMIT CAST($2 AS bigint)
  ) AS on_their_way
) AS listed ORDER BY listed.pet_id LIMIT CAST($2 AS bigint)`;

/** Units that were sold of the pet `of` after the day `after`. Sums do not overflow as integers do. */
function soldUnits(of: string, after: string): string {
  return `(
  SELECT sum(CAST(units AS double precision)) FROM sales WHERE sales.pet_id = ${of} AND day > CAST(${after} AS bigint)
)`;
}

/** Tenths of a day of a pet without sales: more than any other. */
export const NO_SALES = 1e300;

/** Available units times the days of their sales, in tenths, per sold unit: as `daysOfStock` computes it, but not rounded. */
const DAYS_SOLD = `(CAST($3 AS bigint) - created_at + ${DAY_MS - 1}) / ${DAY_MS}`;
const TENTHS = `CASE WHEN sold > 0 THEN CAST(CASE WHEN quantity > reserved THEN quantity - reserved ELSE 0 END AS double precision)
* (CASE WHEN ${DAYS_SOLD} > ${SALES_DAYS} THEN ${SALES_DAYS} WHEN ${DAYS_SOLD} < 1 THEN 1 ELSE ${DAYS_SOLD} END) * 10 / sold
ELSE ${NO_SALES} END`;

/**
 * Those of the pets in the JSON array `$1` that may be in the list, with what decides about their places: few columns, because
 * a page needs the place of every pet. `$2` is the last day whose sales do not count, `$3` is now. Pets with a rank below `$4`
 * or above `$5` are left out, and of those ranks pets with fewer tenths of a day than `$6`, or more than `$7`. `$8` is the
 * category, and `$9` the supplier, of those that are wanted; `null`: any. Sales are read of these pets alone, once: a planner
 * would repeat their sum wherever it is named. `CROSS JOIN` has SQLite begin with the named pets.
 */
export function candidates(jsonElements: SqlDialect['jsonElements']): string {
  return `WITH placed AS MATERIALIZED (
  SELECT ranked.*, ${soldUnits('ranked.pet_id', '$2')} AS sold FROM (
    SELECT inventory.pet_id, alert_level, quantity, reserved, category, created_at, archived_at, supplier, ordered, received,
    after_sequence, open_reverts,
    CASE alert_level WHEN 'oversold' THEN 0 WHEN 'out' THEN 1 WHEN 'low' THEN 2 ELSE 3 END AS place_rank
    FROM (SELECT CAST(value ->> 0 AS bigint) AS pet_id FROM ${jsonElements}($1)) AS named
    CROSS JOIN inventory CROSS JOIN pets LEFT JOIN reorders ON reorders.pet_id = inventory.pet_id
    WHERE inventory.pet_id = named.pet_id AND pets.pet_id = named.pet_id
  ) AS ranked WHERE place_rank >= CAST($4 AS bigint) AND place_rank <= CAST($5 AS bigint)
  AND (CAST($8 AS text) IS NULL OR category = CAST($8 AS text))
  AND (CAST($9 AS text) IS NULL OR coalesce(supplier, '') = CAST($9 AS text))
)
SELECT CAST(pet_id AS text) AS "petId", alert_level AS "alertLevel", quantity, reserved, category,
created_at AS "createdAtMs", archived_at AS "archivedAtMs", supplier, ordered, received, after_sequence AS "afterSequence",
open_reverts AS "openReverts", sold AS "soldUnits" FROM placed
WHERE (place_rank <> CAST($4 AS bigint) OR ${TENTHS} >= CAST($6 AS double precision))
AND (place_rank <> CAST($5 AS bigint) OR ${TENTHS} <= CAST($7 AS double precision))`;
}

/** The columns of a stored reorder. */
const COLUMNS = `CAST(reorders.pet_id AS text) AS "petId", supplier, ordered, received, after_sequence AS "afterSequence",
open_reverts AS "openReverts", expected_on AS "expectedOn", ordered_by AS "orderedBy", ordered_at AS "orderedAtMs",
(SELECT name FROM api_keys WHERE api_keys.id = ordered_by) AS "orderedByName"`;

/** As many reorders as there are pets. */
export function reordersOf(count: number): string {
  const keys = Array.from({ length: count }, (_, i) => `$${i + 1}`).join(', ');
  return `SELECT ${COLUMNS} FROM reorders WHERE pet_id IN (${keys})`;
}

/** Units that were sold of the pets in the JSON array `$1` after the day `$2`. */
export function soldOf(jsonElements: SqlDialect['jsonElements']): string {
  return `SELECT CAST(pet_id AS text) AS "petId", ${soldUnits('named.pet_id', '$2')} AS units
FROM (SELECT CAST(value ->> 0 AS bigint) AS pet_id FROM ${jsonElements}($1)) AS named`;
}

/**
 * What arrived of the pets in the JSON array `$1`, each with the movements after and up to which it counts, and of the
 * reverts in the JSON array `$2`, whose units are already counted. The revert of a movement takes its units back, and the
 * revert of that gives them again. Planners use the index only where its condition is in the statement, word for word,
 * and look each revert up where it is a scalar. After the last revert of a chain comes a row without a sequence.
 */
function arrivals(jsonElements: SqlDialect['jsonElements']): string {
  return `WITH RECURSIVE named AS (
  SELECT CAST(value ->> 0 AS bigint) AS pet_id, CAST(value ->> 1 AS bigint) AS after_sequence,
  CAST(value ->> 2 AS bigint) AS up_to FROM ${jsonElements}($1)
), chain (pet_id, sequence, units, counts, previous) AS (
  SELECT named.pet_id, movements.sequence, CAST(quantity_after - quantity_before AS double precision), 1, CAST(NULL AS bigint)
  FROM named JOIN movements ON movements.pet_id = named.pet_id AND movements.sequence > named.after_sequence
  WHERE reason = 'received' AND kind <> 'revert' AND movements.sequence <= named.up_to
  UNION ALL
  SELECT CAST(value ->> 0 AS bigint), CAST(value ->> 1 AS bigint), CAST(value ->> 2 AS double precision), 0, NULL
  FROM ${jsonElements}($2)
  UNION ALL
  SELECT pet_id, (SELECT reverts.sequence FROM movements AS reverts WHERE reverts.reverted_sequence = chain.sequence),
  -units, 1, sequence FROM chain WHERE sequence IS NOT NULL
)`;
}

/** Units that arrived of each pet. */
export function receivedOf(jsonElements: SqlDialect['jsonElements']): string {
  return `${arrivals(jsonElements)}
SELECT CAST(pet_id AS text) AS "petId", sum(units * counts) AS units FROM chain WHERE sequence IS NOT NULL GROUP BY pet_id`;
}

/** The movements that end chains, each with the units that it added. */
export function lastRevertsOf(jsonElements: SqlDialect['jsonElements']): string {
  return `${arrivals(jsonElements)}
SELECT CAST(pet_id AS text) AS "petId", previous AS sequence, -units AS units FROM chain WHERE sequence IS NULL ORDER BY previous`;
}

/** @param bytewise As in the dialect. */
export function suppliersIn(bytewise: string, most: number): string {
  return `SELECT supplier FROM (SELECT DISTINCT supplier FROM reorders WHERE supplier IS NOT NULL) AS suppliers
ORDER BY supplier ${bytewise} LIMIT ${most}`;
}

const INSERT = `INSERT INTO reorders
(pet_id, supplier, ordered, received, after_sequence, expected_on, ordered_by, ordered_at, open_reverts)`;
const REPLACE = `ON CONFLICT (pet_id) DO UPDATE SET supplier = excluded.supplier, ordered = excluded.ordered,
received = excluded.received, after_sequence = excluded.after_sequence, expected_on = excluded.expected_on,
ordered_by = excluded.ordered_by, ordered_at = excluded.ordered_at, open_reverts = excluded.open_reverts`;

export const SET_REORDER = `${INSERT} VALUES (CAST($1 AS bigint), $2, $3, $4, $5, $6, $7, $8, $9) ${REPLACE}`;

/**
 * For each pet of the JSON array `$1`, with its supplier and the units that are ordered of it: new orders after the
 * movement `$2`, expected on the day `$3`, of the author `$4` at the time `$5`.
 */
export function setReorders(jsonElements: SqlDialect['jsonElements']): string {
  return `${INSERT} SELECT CAST(value ->> 0 AS bigint), value ->> 1, CAST(value ->> 2 AS bigint), 0, CAST($2 AS bigint),
CAST($3 AS text), CAST($4 AS text), CAST($5 AS bigint), NULL FROM ${jsonElements}($1) WHERE true ${REPLACE}`;
}

/** The next `$3` reorders after the pet `$1` that count from before the movement `$2`. */
export const COUNTED_BEFORE = `SELECT ${COLUMNS},
(SELECT last_sequence FROM inventory WHERE inventory.pet_id = reorders.pet_id) AS "lastSequence" FROM reorders
WHERE pet_id > CAST($1 AS bigint) AND ordered IS NOT NULL AND after_sequence < CAST($2 AS bigint)
ORDER BY reorders.pet_id LIMIT CAST($3 AS bigint)`;

/** What has arrived of the pet `$1` up to the movement `$3`, with the open reverts `$4`, because a prune deletes movements. */
export const SETTLE = `UPDATE reorders SET received = CAST($2 AS bigint), after_sequence = CAST($3 AS bigint), open_reverts = $4
WHERE pet_id = CAST($1 AS bigint)`;
