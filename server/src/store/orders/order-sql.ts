import { MILESTONE_EVERY } from '../../domain/ledger/ledger.ts';
import type { OrderQuery } from '../../domain/orders/order-store.ts';
import type { Parameter } from '../sql-client.ts';
import { areLinesOf, LINE_IDS, ORDER_FIELDS } from './order-rows.ts';

/**
 * Statements that read orders, in SQL of both SQLite and PostgreSQL. Each page begins with the orders of one index, at
 * most `$4` of them, whatever the other conditions leave.
 */

/** The most orders that a page reads, however few pass its filter. */
const MAX_SCANNED = 128;
/** The first step of the search for a moment, a power of two: no shop has as many orders. */
const FIRST_LEAP = 2 ** 40;

const AFTER = 'CAST($1 AS bigint)';
const UP_TO = 'CAST($2 AS bigint)';
const SINCE_MS = 'CAST($3 AS bigint)';
const SCANNED = 'CAST($4 AS bigint)';
const LIMIT = 'CAST($5 AS bigint)';
/** Conditions of a filter, as many as a page's source has: `sourceOf` gives their values in the order in which `sources` uses them. */
const CONDITIONS = ['$6', '$7', '$8', '$9', '$10'] as const;

/** The last order placed before a moment, by steps that halve: `created_at` never decreases, and ids have no gaps. */
const SEARCH = `search (reached, leap, newest) AS (
  SELECT CAST(0 AS bigint), CAST(${FIRST_LEAP} AS bigint), coalesce((SELECT max(id) FROM orders), 0) WHERE ${SINCE_MS} IS NOT NULL
  UNION ALL
  SELECT CASE
      WHEN reached + leap <= newest AND (SELECT created_at FROM orders WHERE orders.id = reached + leap) < ${SINCE_MS}
      THEN reached + leap ELSE reached
    END, leap / 2, newest
  FROM search WHERE leap > 0
)`;
const LOWER = '(SELECT lower FROM bounds)';

const UP_TO_LINE = `(${UP_TO} + 1) * ${LINE_IDS}`;
const FROM_LINE = `(${LOWER} + 1) * ${LINE_IDS}`;

type Direction = 'ASC' | 'DESC';

/** Where a page finds its orders, and what else they must be. */
interface Source {
  /** The table expression `scanned` with their ids, at most `$4`, and what it needs. */
  readonly scan: (direction: Direction) => string;
  readonly passes: string;
}

/** A condition on the value of an index's first column, and on the id of its last one. */
type WithinIndex = (column: string, value: string, id: string) => string;

const [FIRST, SECOND, THIRD, FOURTH, FIFTH] = CONDITIONS;
// Counts, because PostgreSQL could read all orders, or all of the pet, for an EXISTS.
const HAS_STATUS = `(CAST(${SECOND} AS text) IS NULL OR (
    SELECT count(*) FROM orders WHERE orders.id = scanned.id AND orders.status = ${SECOND}
  ) > 0)`;
/** The sum keeps PostgreSQL from the index of pets, which SQLite has not. */
const HAS_PET = `(CAST(${THIRD} AS bigint) IS NULL OR (
    SELECT count(*) FROM order_lines WHERE ${areLinesOf('scanned')} AND order_lines.pet_id + 0 = CAST(${THIRD} AS bigint)
  ) > 0)`;

/** Whether a placed order expires before a moment, and whether an approved one is delivered in part; NULL: any order. */
function isInState(moment: string, isPart: string): string {
  const is = (condition: string) =>
    `(SELECT count(*) FROM orders WHERE orders.id = scanned.id AND ${condition}) > 0`;
  return `(CAST(${moment} AS bigint) IS NULL OR ${is(`orders.status = 'placed' AND orders.expires_at < CAST(${moment} AS bigint)`)})
  AND (CAST(${isPart} AS bigint) IS NULL OR (${is("orders.status = 'approved'")} AND (
    SELECT count(*) FROM order_lines WHERE ${areLinesOf('scanned')} AND order_lines.delivered > 0
  ) > 0))`;
}

function sources(isWithin: WithinIndex, petLines: Source['scan'] | undefined) {
  const source = (
    from: 'orders' | 'order_lines',
    key: readonly [column: string, id: string],
    type: 'text' | 'bigint',
    passes: string,
  ): Source => ({
    scan: scanOf(from, key, isWithin(key[0], `CAST(${FIRST} AS ${type})`, key[1])),
    passes,
  });
  const pet = source(
    'order_lines',
    ['order_lines.pet_id', 'order_lines.order_id'],
    'bigint',
    `${HAS_STATUS} AND ${isInState(THIRD, FOURTH)}`,
  );
  return {
    all: { scan: scanOf('orders', ['orders.id'], idWithin('orders.id')), passes: 'true' },
    status: source('orders', ['orders.status', 'orders.id'], 'text', isInState(SECOND, THIRD)),
    pet: petLines ? { ...pet, scan: petLines } : pet,
    reference: source(
      'orders',
      ['orders.reference_id', 'orders.id'],
      'text',
      `${HAS_STATUS} AND ${HAS_PET} AND ${isInState(FOURTH, FIFTH)}`,
    ),
  } as const satisfies Readonly<Record<string, Source>>;
}

function idWithin(id: string): string {
  return `${id} > ${LOWER} AND ${id} <= ${UP_TO}`;
}

/**
 * Reads an index in the order of its columns, of which the last one is the id of an order. The limit without a parameter
 * lets PostgreSQL plan for few rows.
 */
function scanOf(from: string, key: readonly string[], where: string): Source['scan'] {
  return (direction) => `scanned AS MATERIALIZED (
  SELECT id FROM (
    SELECT ${key.at(-1)} AS id FROM ${from} WHERE ${where}
    ORDER BY ${key.map((column) => `${column} ${direction}`).join(', ')} LIMIT ${MAX_SCANNED}
  ) AS nearest LIMIT ${SCANNED}
)`;
}

/**
 * Reads the lines of a pet along `previous_id`, down from the first milestone that is not too early, or from the pet's
 * newest line. Upwards that is as many milestones after the beginning as the page may need.
 */
function scanPetLines(direction: Direction): string {
  const pet = `CAST(${FIRST} AS bigint)`;
  const milestone = (isThere: string, skipped: string) =>
    `(SELECT order_lines.id FROM order_lines WHERE order_lines.pet_id = ${pet} AND number % ${MILESTONE_EVERY} = 0
    AND order_lines.id ${isThere} ORDER BY order_lines.id LIMIT 1 OFFSET ${skipped})`;
  const [entry, steps] =
    direction === 'ASC'
      ? [milestone(`>= ${FROM_LINE}`, `${SCANNED} / ${MILESTONE_EVERY} + 1`), 'true']
      : [milestone(`>= ${UP_TO} * ${LINE_IDS}`, '0'), `steps < ${SCANNED} + ${MILESTONE_EVERY}`];
  return `chain (id, next, steps) AS (
  SELECT CAST(NULL AS bigint), coalesce(${entry}, (SELECT last_line_id FROM inventory WHERE inventory.pet_id = ${pet})), 0
  UNION ALL
  SELECT next, (SELECT previous_id FROM order_lines WHERE order_lines.id = chain.next), steps + 1
  FROM chain WHERE next >= ${FROM_LINE} AND ${steps}
),
scanned AS MATERIALIZED (
  SELECT chain.id / ${LINE_IDS} AS id FROM chain WHERE chain.id < ${UP_TO_LINE} ORDER BY chain.id ${direction} LIMIT ${SCANNED}
)`;
}

function page({ scan, passes }: Source, direction: Direction): string {
  return `WITH RECURSIVE ${SEARCH},
bounds AS MATERIALIZED (
  SELECT CASE WHEN before > ${AFTER} THEN before ELSE ${AFTER} END AS lower
  FROM (SELECT coalesce((SELECT reached FROM search WHERE leap = 0), 0) AS before) AS since
),
${scan(direction)},
reach AS MATERIALIZED (
  SELECT CASE WHEN count(*) = ${SCANNED} THEN ${direction === 'ASC' ? 'max' : 'min'}(id) END AS last FROM scanned
),
found AS MATERIALIZED (
  SELECT id FROM scanned WHERE ${passes} ORDER BY id ${direction} LIMIT ${LIMIT}
)
SELECT reach.last AS "lastRead", ${ORDER_FIELDS}
FROM reach LEFT JOIN found ON true LEFT JOIN orders ON orders.id = found.id LEFT JOIN api_keys ON api_keys.id = actor
ORDER BY found.id ${direction}`;
}

const LINE_COUNT = `(SELECT count(*) FROM order_lines WHERE ${areLinesOf('orders')})`;
const ORDER = `SELECT ${ORDER_FIELDS} FROM orders LEFT JOIN api_keys ON api_keys.id = actor WHERE orders.id`;

/** What differs between the engines. */
interface OrderDialect {
  readonly isWithin: WithinIndex;
  /** Where the lines of a pet have no index. */
  readonly petLines?: Source['scan'];
  /** What makes a statement use the index of expiries, where it is not the planner's choice. */
  readonly byExpiry: string;
  /** The order of an approval, as the index `events_approved` has it. */
  readonly approvedOrder: string;
}

function orderStatements({ isWithin, petLines, byExpiry, approvedOrder }: OrderDialect) {
  const { all, status, reference, pet } = sources(isWithin, petLines);
  return {
    order: `${ORDER} = CAST($1 AS bigint)`,
    ordersUp: page(all, 'ASC'),
    ordersDown: page(all, 'DESC'),
    ordersOfStatusUp: page(status, 'ASC'),
    ordersOfStatusDown: page(status, 'DESC'),
    ordersOfReferenceUp: page(reference, 'ASC'),
    ordersOfReferenceDown: page(reference, 'DESC'),
    ordersOfPetUp: page(pet, 'ASC'),
    ordersOfPetDown: page(pet, 'DESC'),
    dueOrders: `SELECT id AS "orderId", ${LINE_COUNT} AS "lineCount" FROM orders ${byExpiry} WHERE status = 'placed' AND expires_at IS NOT NULL AND expires_at <= CAST($1 AS bigint)
ORDER BY expires_at LIMIT CAST($2 AS bigint)`,
    approval: `SELECT data, recorded_at AS "recordedAtMs" FROM events WHERE type = 'order.approved' AND ${approvedOrder} = CAST($1 AS bigint)`,
  } as const;
}

export type OrderStatementName = keyof ReturnType<typeof orderStatements>;
export type OrderStatements = Readonly<Record<OrderStatementName, string>>;

/** Only here the lines of a pet have no index of their own: it would dirty a page for nearly each order (DECISIONS.md). */
export const SQLITE_ORDERS: OrderStatements = orderStatements({
  isWithin: (column, value, id) => `${column} = ${value} AND ${idWithin(id)}`,
  petLines: scanPetLines,
  // Without statistics, SQLite would sort all placed orders each second.
  byExpiry: 'INDEXED BY orders_expiry',
  approvedOrder: 'CAST(data ->> 2 AS INTEGER)',
});

/**
 * With a condition on each column, PostgreSQL may read orders in the order of another index and skip most of them, or
 * sort all orders of a pet. The index of references excludes NULL, which a condition on two columns does not imply.
 */
export const POSTGRES_ORDERS: OrderStatements = orderStatements({
  isWithin: (column, value, id) =>
    `${column} IS NOT NULL AND (${column}, ${id}) > (${value}, ${LOWER}) AND (${column}, ${id}) <= (${value}, ${UP_TO})`,
  byExpiry: '',
  approvedOrder: '(CAST(data AS jsonb) ->> 2)::bigint',
});

const SOURCE_NAMES = {
  all: 'orders',
  status: 'ordersOfStatus',
  reference: 'ordersOfReference',
  pet: 'ordersOfPet',
} as const;

/** A statement for a page, with its values. It returns one order more than the page, if there is one. */
export function orderPage({ filter, order, limit }: OrderQuery): {
  readonly name: OrderStatementName;
  readonly values: readonly Parameter[];
} {
  const { createdSinceMs, after, before } = filter;
  const { source, conditions } = sourceOf(filter);
  const isFiltered = conditions.slice(1).some((condition) => condition !== null);
  const values = [
    after ?? 0,
    (before ?? Number.MAX_SAFE_INTEGER) - 1,
    createdSinceMs === undefined ? null : Math.ceil(createdSinceMs),
    isFiltered ? MAX_SCANNED : Math.min(limit + 1, MAX_SCANNED),
    limit + 1,
    ...conditions,
  ];
  return { name: `${SOURCE_NAMES[source]}${order === 'asc' ? 'Up' : 'Down'}`, values };
}

/** The source whose condition leaves the fewest orders in most shops, with the values of its conditions. */
function sourceOf(filter: OrderQuery['filter']): {
  readonly source: keyof typeof SOURCE_NAMES;
  readonly conditions: readonly Parameter[];
} {
  const { petId, referenceId, expiresBeforeMs, isPartlyDelivered } = filter;
  const state = [
    expiresBeforeMs === undefined ? null : Math.ceil(expiresBeforeMs),
    isPartlyDelivered ? 1 : null,
  ];
  const implied = isPartlyDelivered ? 'approved' : expiresBeforeMs === undefined ? null : 'placed';
  const status = filter.status ?? implied;
  const pet = petId === undefined ? null : String(petId);
  if (referenceId !== undefined)
    return { source: 'reference', conditions: [referenceId, status, pet, ...state] };
  if (pet !== null) return { source: 'pet', conditions: [pet, status, ...state] };
  return status === null
    ? { source: 'all', conditions: [] }
    : { source: 'status', conditions: [status, ...state] };
}
