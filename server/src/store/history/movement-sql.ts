import { MILESTONE_EVERY } from '../../domain/ledger/ledger.ts';
import { MOVEMENT_BY_SEQUENCE, MOVEMENT_FIELDS } from './movement-row.ts';

/**
 * Statements on the ledger's history, in SQL of both SQLite and PostgreSQL. Parameters have a type by a CAST, and a
 * petId is text. Every statement reads by key: the newest movement by `max(sequence)`, a pet's movements by its chain
 * of `previous_sequence`. None reads more rows than its limit.
 */

/** The first step of the search for a moment, a power of two: no ledger has as many movements. */
const FIRST_LEAP = 2 ** 40;

/** SQL of the pages takes these in this order; the statements of one pet's pages take the pet on top. */
const AFTER = 'CAST($1 AS bigint)';
const UP_TO = 'CAST($2 AS bigint)';
const BEFORE_SINCE_MS = 'CAST($3 AS bigint)';
const BEFORE_UNTIL_MS = 'CAST($4 AS bigint)';
const FILTERED = `(CAST($5 AS text) IS NULL OR movements.kind = $5) AND (CAST($6 AS text) IS NULL OR movements.reason = $6)
AND (CAST($7 AS text) IS NULL OR movements.actor = $7)`;
/** The lines that a page reads: a number of movements, of milestones, or of steps on a chain. */
const LINES = 'CAST($8 AS bigint)';
const LIMIT = 'CAST($9 AS bigint)';
const PAGE_PET = 'CAST($10 AS bigint)';

/** The newest movement of an empty ledger is the one before its start. */
const NEWEST = `coalesce((SELECT max(sequence) FROM movements), (SELECT sequence FROM ledger_start))`;

/**
 * The last sequence recorded at a moment or before, by steps that halve: `recorded_at` never decreases. Deleted
 * movements are only known to be recorded by the time of the ledger's start. The LIMIT shows PostgreSQL, which has no
 * statistics of so small a table, that there is one row.
 */
function sequenceAt(atMs: string): string {
  return `WITH RECURSIVE search (reached, leap, newest) AS (
  SELECT CASE WHEN ${atMs} < recorded_at THEN 0 ELSE sequence END, CAST(${FIRST_LEAP} AS bigint),
    CASE WHEN ${atMs} < recorded_at THEN sequence - 1 ELSE ${NEWEST} END
  FROM (SELECT sequence, recorded_at FROM ledger_start LIMIT 1) AS start WHERE ${atMs} IS NOT NULL
  UNION ALL
  SELECT CASE
      WHEN reached + leap <= newest AND coalesce((SELECT recorded_at FROM movements
        WHERE movements.sequence <= reached + leap ORDER BY movements.sequence DESC LIMIT 1) <= ${atMs}, true)
      THEN reached + leap ELSE reached
    END, leap / 2, newest
  FROM search WHERE leap > 0
) SELECT reached FROM search WHERE leap = 0`;
}

/** Between which sequences a page lies: after `lower`, up to `upper`. */
const BOUNDS = `asked AS MATERIALIZED (
  SELECT ${NEWEST} AS newest, (${sequenceAt(BEFORE_SINCE_MS)}) AS since, (${sequenceAt(BEFORE_UNTIL_MS)}) AS until
),
bounds AS MATERIALIZED (
  SELECT newest, CASE WHEN since > ${AFTER} THEN since ELSE ${AFTER} END AS lower,
  CASE WHEN until <= ${UP_TO} AND until <= newest THEN until WHEN ${UP_TO} <= newest THEN ${UP_TO} ELSE newest END AS upper
  FROM asked
)`;
const LOWER = '(SELECT lower FROM bounds)';
const UPPER = '(SELECT upper FROM bounds)';

type Order = 'ASC' | 'DESC';

/** A page of movements, with the newest sequence and where reading ended, if not at a bound. */
function pageOf(movements: string, lastRead: string, order: Order): string {
  return `scan AS MATERIALIZED (SELECT newest, ${lastRead} AS "lastRead" FROM bounds)
SELECT scan.newest, "lastRead", ${MOVEMENT_FIELDS}
FROM scan LEFT JOIN (${movements} ORDER BY movements.sequence ${order} LIMIT ${LIMIT}) AS movements ON true
LEFT JOIN api_keys ON api_keys.id = actor ORDER BY movements.sequence ${order}`;
}

/**
 * A page of the whole ledger. After its start the ledger has no gaps, so the bounds give the number of movements
 * between them; before it, movements are counted.
 */
const MOVEMENTS_UP = `WITH RECURSIVE ${BOUNDS},
reach AS MATERIALIZED (
  SELECT CASE
    WHEN lower >= (SELECT sequence FROM ledger_start) THEN lower + ${LINES}
    ELSE coalesce((SELECT movements.sequence FROM movements WHERE movements.sequence > ${LOWER}
      ORDER BY movements.sequence LIMIT 1 OFFSET ${LINES} - 1), upper)
  END AS last FROM bounds
),
${pageOf(
  `SELECT * FROM movements WHERE movements.sequence > ${LOWER}
AND movements.sequence <= (SELECT CASE WHEN last < upper THEN last ELSE upper END FROM reach, bounds) AND ${FILTERED}`,
  '(SELECT last FROM reach WHERE last < upper)',
  'ASC',
)}`;

const MOVEMENTS_DOWN = `WITH RECURSIVE ${BOUNDS},
reach AS MATERIALIZED (
  SELECT CASE
    WHEN upper - ${LINES} >= (SELECT sequence FROM ledger_start) THEN upper - ${LINES} + 1
    ELSE coalesce((SELECT movements.sequence FROM movements WHERE movements.sequence <= ${UPPER}
      ORDER BY movements.sequence DESC LIMIT 1 OFFSET ${LINES} - 1), lower + 1)
  END AS first FROM bounds
),
${pageOf(
  `SELECT * FROM movements WHERE movements.sequence <= ${UPPER}
AND movements.sequence >= (SELECT CASE WHEN first > lower THEN first ELSE lower + 1 END FROM reach, bounds) AND ${FILTERED}`,
  '(SELECT first FROM reach WHERE first > lower + 1)',
  'DESC',
)}`;

/**
 * A pet's movements from `entry` down to those after `lower`, within a number of steps. The planners use the index of
 * milestones only where its condition is in the statement, word for word.
 */
function chain(entry: string, { lower, steps }: { lower: string; steps: string }): string {
  return `chain (sequence, next, steps) AS (
  SELECT CAST(NULL AS bigint), CAST(${entry} AS bigint), CAST(0 AS bigint)
  UNION ALL
  SELECT next, (SELECT previous_sequence FROM movements WHERE movements.sequence = chain.next), steps + 1
  FROM chain WHERE next > ${lower} AND steps < ${steps}
)`;
}

function milestone(petId: string, isThere: string, skipped = '0'): string {
  return `(SELECT movements.sequence FROM movements WHERE movements.pet_id = ${petId} AND version % ${MILESTONE_EVERY} = 0
    AND movements.sequence ${isThere} ORDER BY movements.sequence LIMIT 1 OFFSET ${skipped})`;
}

/** The end of a pet's chain, also of a deleted pet: its history stays. */
function newestOf(petId: string): string {
  return `coalesce((SELECT last_sequence FROM inventory WHERE inventory.pet_id = ${petId}),
    (SELECT last_sequence FROM deleted_pets WHERE deleted_pets.pet_id = ${petId}))`;
}

/**
 * The bounds are of `chain`, not of `movements`: PostgreSQL would read all movements between them, also those of other pets, and compare
 * each with the chain.
 */
const CHAINED = `SELECT movements.* FROM chain CROSS JOIN movements WHERE movements.sequence = chain.sequence
AND chain.sequence > ${LOWER} AND chain.sequence <= ${UPPER} AND ${FILTERED}`;

/** A page of a pet's movements, read down from its end: as many milestones after its beginning as it may need. */
const PET_MOVEMENTS_UP = `WITH RECURSIVE ${BOUNDS},
entry AS MATERIALIZED (
  SELECT coalesce(${milestone(PAGE_PET, `> ${LOWER}`, `${LINES} - 1`)}, ${newestOf(PAGE_PET)}) AS sequence
),
${chain('(SELECT sequence FROM entry)', { lower: LOWER, steps: `${LINES} * ${MILESTONE_EVERY}` })},
${pageOf(
  CHAINED,
  `(SELECT entry.sequence FROM entry WHERE entry.sequence < upper AND entry.sequence < ${newestOf(PAGE_PET)})`,
  'ASC',
)}`;

const PET_MOVEMENTS_DOWN = `WITH RECURSIVE ${BOUNDS},
${chain(`coalesce(${milestone(PAGE_PET, `>= ${UPPER}`)}, ${newestOf(PAGE_PET)})`, { lower: LOWER, steps: LINES })},
${pageOf(CHAINED, `(SELECT chain.sequence FROM chain WHERE steps = ${LINES} AND next > lower)`, 'DESC')}`;

/** The newest movement of pet `$1` up to `$2` that left quantity `$3`, if it is within `$4` steps. */
const SEQUENCE_WITH = `WITH RECURSIVE ${chain(
  `coalesce(${milestone('CAST($1 AS bigint)', '>= CAST($2 AS bigint)')}, ${newestOf('CAST($1 AS bigint)')})`,
  { lower: '0', steps: 'CAST($4 AS bigint)' },
)}
SELECT movements.sequence FROM chain CROSS JOIN movements WHERE movements.sequence = chain.sequence
AND chain.sequence <= $2 AND quantity_after = CAST($3 AS bigint) ORDER BY movements.sequence DESC LIMIT 1`;

export const HISTORY = {
  ledgerHead: `SELECT coalesce(movements.sequence, ledger_start.sequence) AS sequence,
coalesce(movements.recorded_at, ledger_start.recorded_at) AS "recordedAtMs"
FROM ledger_start LEFT JOIN movements ON movements.sequence = (SELECT max(sequence) FROM movements)`,

  ledgerStart: 'SELECT sequence, recorded_at AS "recordedAtMs" FROM ledger_start',

  movement: MOVEMENT_BY_SEQUENCE,
  movementsUp: MOVEMENTS_UP,
  movementsDown: MOVEMENTS_DOWN,
  petMovementsUp: PET_MOVEMENTS_UP,
  petMovementsDown: PET_MOVEMENTS_DOWN,
  sequenceWith: SEQUENCE_WITH,
  sequenceAt: `SELECT reached AS sequence FROM (${sequenceAt('CAST($1 AS bigint)')}) AS found`,
} as const;
