import { linesOf } from '../../domain/orders/order-text.ts';
import type { Order, OrderLine } from '../../domain/orders/orders.ts';

/** The lines of an order have the ids from `orderId * LINE_IDS` on, so that they are found by their key. */
export const LINE_IDS = 128;

/** Whether a row of `order_lines` belongs to the order with the `id` of another table. */
export function areLinesOf(table: string): string {
  return `order_lines.id BETWEEN ${table}.id * ${LINE_IDS} AND ${table}.id * ${LINE_IDS} + ${LINE_IDS - 1}`;
}

/** A row of `ORDER_FIELDS`. */
export interface OrderRow extends Omit<Order, 'lines'> {
  readonly lines: string;
}

const LINES = `(SELECT string_agg(pet_id || ' ' || quantity || ' ' || delivered || ' ' || returned, ' ' ORDER BY order_lines.id)
FROM order_lines WHERE ${areLinesOf('orders')})`;

/**
 * The fields of an order, from `orders LEFT JOIN api_keys ON api_keys.id = actor`, in SQL of both SQLite and PostgreSQL.
 */
export const ORDER_FIELDS = `orders.id AS "orderId", orders.status, orders.version, ${LINES} AS lines,
reference_id AS "referenceId", note, orders.expires_at AS "expiresAtMs", orders.created_at AS "createdAtMs",
orders.updated_at AS "updatedAtMs", actor, coalesce(api_keys.name, actor) AS "actorName"`;

export function toOrder(row: OrderRow): Order {
  return {
    orderId: row.orderId,
    status: row.status,
    version: row.version,
    lines: linesOf(row.lines.split(' ')),
    referenceId: row.referenceId,
    note: row.note,
    expiresAtMs: row.expiresAtMs,
    createdAtMs: row.createdAtMs,
    updatedAtMs: row.updatedAtMs,
    actor: row.actor,
    actorName: row.actorName,
  };
}

export const ORDER_COLUMNS =
  'id, status, version, reference_id, note, expires_at, created_at, updated_at, actor';

/** A row of `order_lines`. */
interface LineRow extends OrderLine {
  readonly id: number;
  readonly orderId: number;
}

export function lineRows({ orderId, lines }: Order): readonly LineRow[] {
  return lines.map((line, i) => ({ ...line, id: orderId * LINE_IDS + i, orderId }));
}

export const LINE_COLUMNS = 'id, order_id, pet_id, quantity, delivered, returned';
