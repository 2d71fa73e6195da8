import { MILESTONE_EVERY } from '../../domain/ledger/ledger.ts';
import { ITEM_JSON } from '../list/list-snapshot.ts';

/**
 * Statements on the stock, now and in the past, in SQL of both SQLite and PostgreSQL. What a movement left is what
 * the pet's next one found; without a later movement, it is the stock itself.
 */

/** Parameters of a page, after `$1`, which says whose pets. */
const MAX_PETS = 'CAST($2 AS bigint)';
const SEQUENCE = 'CAST($3 AS bigint)';
const LIMIT = 'CAST($8 AS bigint)';
const FILTERED = `(CAST($4 AS text) IS NULL OR status = $4) AND (CAST($5 AS bigint) IS NULL OR quantity <= $5)
AND (CAST($6 AS bigint) IS NULL OR quantity >= $6)
AND (CAST($7 AS bigint) IS NULL OR coalesce(updated_at, (SELECT recorded_at FROM ledger_start)) >= $7)
AND (CAST($9 AS bigint) IS NULL OR quantity - reserved <= $9)
AND (CAST($10 AS text) IS NULL OR $10 LIKE '%,' || alert_level || ',%')`;

/**
 * Common tables with the stock of some pets after movement `$3`, the last of them `stock`. A pet that has changed since is
 * followed from its first milestone after that, or from its newest movement, down to the first movement after; one that
 * was created since is left out. A pet that was deleted since is followed from its deletion, and has no status after that.
 * @param changedAt When a pet was changed that has changed since; `NULL` where that is not needed.
 */
export function stockAfter(whose: string, changedAt = 'NULL'): string {
  const ofChain = (column: string) =>
    `(SELECT ${column} FROM movements WHERE movements.sequence = chains.sequence)`;
  // Each part has its own limit, because neither engine reads a sorted UNION ALL by both keys.
  const firstOf = (table: string, columns: string) =>
    `SELECT pet_id, ${columns} FROM ${table} WHERE ${whose} ORDER BY pet_id LIMIT ${MAX_PETS}`;
  return `WITH RECURSIVE scanned AS MATERIALIZED (
  SELECT * FROM (
    SELECT * FROM (${firstOf('inventory', 'quantity, status, reserved, alert_level, last_sequence, updated_at')}) AS present
    UNION ALL
    SELECT * FROM (${firstOf('deleted_pets', '0, NULL, 0, NULL, last_sequence, deleted_at')}) AS deleted
  ) AS everyone ORDER BY pet_id LIMIT ${MAX_PETS}
),
chains (pet_id, sequence, next) AS (
  SELECT pet_id, CAST(NULL AS bigint), coalesce((
    SELECT movements.sequence FROM movements WHERE movements.pet_id = scanned.pet_id AND version % ${MILESTONE_EVERY} = 0
    AND movements.sequence > ${SEQUENCE} ORDER BY movements.sequence LIMIT 1
  ), last_sequence)
  FROM scanned WHERE last_sequence > ${SEQUENCE}
  UNION ALL
  SELECT pet_id, next, (SELECT previous_sequence FROM movements WHERE movements.sequence = chains.next)
  FROM chains WHERE next > ${SEQUENCE}
),
stock AS MATERIALIZED (
  SELECT pet_id, quantity, status, reserved, alert_level, updated_at FROM scanned WHERE last_sequence <= ${SEQUENCE}
  UNION ALL
  SELECT pet_id, ${ofChain('quantity_before')}, ${ofChain('status_before')}, ${ofChain('reserved_before')}, ${ofChain('alert_before')},
  ${changedAt}
  FROM chains WHERE coalesce(next, 0) <= ${SEQUENCE}
)`;
}

/**
 * A page of the stock after movement `$3`. Where it matters when a pet was changed and that movement is gone, it may have
 * been at the ledger's start, or long before.
 */
function stockPage(whose: string): string {
  const changedAt =
    'CASE WHEN CAST($7 AS bigint) IS NOT NULL THEN (SELECT recorded_at FROM movements WHERE movements.sequence = chains.next) END';
  return `${stockAfter(whose, changedAt)},
found AS MATERIALIZED (
  SELECT pet_id, updated_at, ${ITEM_JSON} AS item FROM stock WHERE status IS NOT NULL AND ${FILTERED} ORDER BY pet_id LIMIT ${LIMIT} + 1
),
told AS MATERIALIZED (SELECT pet_id, item FROM found ORDER BY pet_id LIMIT ${LIMIT})
SELECT coalesce((SELECT max(sequence) FROM movements), 0) AS newest, (SELECT sequence FROM ledger_start) AS start,
coalesce((SELECT string_agg(item, '' ORDER BY pet_id) FROM told), '') AS json, (SELECT count(*) FROM told) AS "itemCount",
(SELECT count(*) FROM found) AS "foundCount",
(SELECT count(*) FROM found WHERE updated_at IS NULL AND CAST($7 AS bigint) IS NOT NULL) AS "undatedCount", CAST((SELECT max(pet_id) FROM told) AS text) AS "lastItem",
CAST(last AS text) AS "lastScanned", coalesce(
  (SELECT min(inventory.pet_id) FROM inventory WHERE inventory.pet_id > last),
  (SELECT min(deleted_pets.pet_id) FROM deleted_pets WHERE deleted_pets.pet_id > last)
) IS NOT NULL AS "isMore"
FROM (SELECT max(pet_id) AS last FROM scanned) AS scan`;
}

/** Sums, in two parts each: together they can be beyond int64, which SQLite's `sum` refuses. */
export const SUMS = `CAST(sum(quantity >> 32) AS text) AS high, CAST(sum(quantity & 4294967295) AS text) AS low,
CAST(sum(reserved >> 32) AS text) AS "reservedHigh", CAST(sum(reserved & 4294967295) AS text) AS "reservedLow"`;

/**
 * All stock, with the newest movement. It reads the inventory whole, which is too long for a turn of the event loop.
 */
export const STOCK_TOTALS = `SELECT coalesce(newest.sequence, 0) AS sequence, coalesce(newest.recorded_at, 0) AS "recordedAtMs", status, high, low, "reservedHigh", "reservedLow"
FROM ledger_start LEFT JOIN movements AS newest ON newest.sequence = (SELECT max(sequence) FROM movements)
LEFT JOIN (SELECT status, ${SUMS} FROM inventory GROUP BY status) AS sums ON true`;

/** The statements that differ in nothing but how a database takes a list of ids. */
export function stockQueries(isAmongIds: string) {
  return {
    stockPage: stockPage('pet_id >= CAST($1 AS bigint)'),
    stockPageOf: stockPage(isAmongIds),

    /** What the movements after `$1` up to `$2` have changed, how many there are, and when `$1` was recorded. */
    stockChanges: `SELECT (SELECT recorded_at FROM movements WHERE sequence = CAST($1 AS bigint)) AS "fromRecordedAtMs", status,
lines, high, low, "reservedHigh", "reservedLow"
FROM ledger_start LEFT JOIN (
  SELECT status, CAST(sum(line) AS text) AS lines, ${SUMS} FROM (
    SELECT status_after AS status, quantity_after AS quantity, reserved_after AS reserved, 1 AS line FROM movements WHERE sequence > $1 AND sequence <= CAST($2 AS bigint)
    UNION ALL
    SELECT status_before, -quantity_before, -reserved_before, 0 FROM movements WHERE sequence > $1 AND sequence <= $2 AND status_before IS NOT NULL
  ) AS changes GROUP BY status
) AS sums ON true`,
  };
}
