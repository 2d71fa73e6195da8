import type { OrderQuery } from '../../domain/order-store.ts';
import type { Parameter } from '../history/movement-page.ts';
import { ORDER_FIELDS } from './order-rows.ts';

/**
 * Statements that read orders, in SQL of both SQLite and PostgreSQL. Each page begins with the orders of one index, at
 * most `$7` of them, whatever the other conditions leave.
 */

/** The most orders that a page reads, however few pass its filter. */
const MAX_SCANNED = 1_000;
/** The first step of the search for a moment, a power of two: no shop has as many orders. */
const FIRST_LEAP = 2 ** 40;

const AFTER = 'CAST($1 AS bigint)';
const UP_TO = 'CAST($2 AS bigint)';
const STATUS = 'CAST($3 AS text)';
const PET = 'CAST($4 AS bigint)';
const REFERENCE = 'CAST($5 AS text)';
const SINCE_MS = 'CAST($6 AS bigint)';
const SCANNED = 'CAST($7 AS bigint)';
const LIMIT = 'CAST($8 AS bigint)';

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

/** Where a page finds its orders. */
const SOURCES = {
  all: { from: 'orders', id: 'orders.id', where: 'true' },
  status: { from: 'orders', id: 'orders.id', where: `orders.status = ${STATUS}` },
  reference: { from: 'orders', id: 'orders.id', where: `orders.reference_id = ${REFERENCE}` },
  pet: { from: 'order_lines', id: 'order_lines.order_id', where: `order_lines.pet_id = ${PET}` },
} as const;
type Source = keyof typeof SOURCES;

function page({ from, id, where }: (typeof SOURCES)[Source], order: 'ASC' | 'DESC'): string {
  return `WITH RECURSIVE ${SEARCH},
bounds AS MATERIALIZED (
  SELECT CASE WHEN before > ${AFTER} THEN before ELSE ${AFTER} END AS lower
  FROM (SELECT coalesce((SELECT reached FROM search WHERE leap = 0), 0) AS before) AS since
),
scanned AS MATERIALIZED (
  SELECT ${id} AS id FROM ${from} WHERE ${where} AND ${id} > (SELECT lower FROM bounds) AND ${id} <= ${UP_TO}
  ORDER BY ${id} ${order} LIMIT ${SCANNED}
),
reach AS MATERIALIZED (
  SELECT CASE WHEN count(*) = ${SCANNED} THEN ${order === 'ASC' ? 'max' : 'min'}(id) END AS last FROM scanned
),
found AS MATERIALIZED (
  SELECT orders.id FROM scanned JOIN orders ON orders.id = scanned.id
  WHERE (${STATUS} IS NULL OR orders.status = $3) AND (${REFERENCE} IS NULL OR orders.reference_id = $5)
  AND (${PET} IS NULL OR EXISTS (SELECT 1 FROM order_lines WHERE order_lines.pet_id = $4 AND order_lines.order_id = orders.id))
  ORDER BY orders.id ${order} LIMIT ${LIMIT}
)
SELECT reach.last AS "lastRead", ${ORDER_FIELDS}
FROM reach LEFT JOIN found ON true LEFT JOIN orders ON orders.id = found.id LEFT JOIN api_keys ON api_keys.id = actor
ORDER BY orders.id ${order}`;
}

const ORDER = `SELECT ${ORDER_FIELDS} FROM orders LEFT JOIN api_keys ON api_keys.id = actor WHERE orders.id`;

export const ORDERS = {
  order: `${ORDER} = CAST($1 AS bigint)`,
  ordersUp: page(SOURCES.all, 'ASC'),
  ordersDown: page(SOURCES.all, 'DESC'),
  ordersOfStatusUp: page(SOURCES.status, 'ASC'),
  ordersOfStatusDown: page(SOURCES.status, 'DESC'),
  ordersOfReferenceUp: page(SOURCES.reference, 'ASC'),
  ordersOfReferenceDown: page(SOURCES.reference, 'DESC'),
  ordersOfPetUp: page(SOURCES.pet, 'ASC'),
  ordersOfPetDown: page(SOURCES.pet, 'DESC'),
  dueOrders: `SELECT id AS "orderId" FROM orders WHERE status = 'placed' AND expires_at IS NOT NULL AND expires_at <= CAST($1 AS bigint)
ORDER BY expires_at LIMIT CAST($2 AS bigint)`,
} as const;

const SOURCE_NAMES = {
  all: 'orders',
  status: 'ordersOfStatus',
  reference: 'ordersOfReference',
  pet: 'ordersOfPet',
} as const;

/** A statement of `ORDERS` for a page, with its values. It returns one order more than the page, if there is one. */
export function orderPage({ filter, order, limit }: OrderQuery): {
  readonly name: keyof typeof ORDERS;
  readonly values: readonly Parameter[];
} {
  const { status, petId, referenceId, createdSinceMs, after, before } = filter;
  const source = sourceOf(filter);
  const conditions = [status, petId, referenceId].filter((condition) => condition !== undefined).length;
  const isFiltered = conditions > 1;
  const values = [
    after ?? 0,
    (before ?? Number.MAX_SAFE_INTEGER) - 1,
    status ?? null,
    petId === undefined ? null : String(petId),
    referenceId ?? null,
    createdSinceMs === undefined ? null : Math.ceil(createdSinceMs),
    isFiltered ? MAX_SCANNED : limit + 1,
    limit + 1,
  ];
  return { name: `${SOURCE_NAMES[source]}${order === 'asc' ? 'Up' : 'Down'}`, values };
}

/** The condition that leaves the fewest orders in most shops. */
function sourceOf({ status, petId, referenceId }: OrderQuery['filter']): Source {
  if (referenceId !== undefined) return 'reference';
  if (petId !== undefined) return 'pet';
  return status === undefined ? 'all' : 'status';
}
