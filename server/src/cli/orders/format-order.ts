import { moreOf } from '@petstore-inventory/shared/terminal/list-limit';
import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import { facts } from '@petstore-inventory/shared/terminal/table';
import { thousands } from '@petstore-inventory/shared/terminal/texts';
import type { AdminStore } from '../../domain/admin-store.ts';
import { OperatorError } from '../../domain/errors.ts';
import { type Order, reservedUnits } from '../../domain/orders/orders.ts';
import { orderJson } from '../../wire/order-json.ts';
import type { Output } from '../output.ts';
import { paint, shownTable } from '../output.ts';
import { shownTime } from '../parse-time.ts';

/** Orders as `orders list` shows them. */
export function describeOrders({
  orders,
  isWhole,
}: {
  readonly orders: readonly Order[];
  /** Whether no further order matches. */
  readonly isWhole: boolean;
}): Output {
  const value = orders.map(orderValue);
  if (orders.length === 0) return { value, text: 'There are no such orders.' };
  const rows = orders.map((order) => [
    `${order.orderId}`,
    paint.state(order.status),
    safe(order.referenceId ?? ''),
    thousands(order.lines.length),
    thousands(sumOf(order, 'quantity')),
    thousands(sumOf(order, 'reserved')),
    shownTime(order.createdAtMs),
    order.status === 'placed' ? shownTime(order.expiresAtMs) : '',
    order.actorName,
  ]);
  const headings = ['ORDER', 'STATUS', 'REFERENCE', 'PETS', 'UNITS', 'RESERVED', 'PLACED', 'EXPIRES', 'BY'];
  return { value, text: shownTable(headings, rows), ...moreOf(!isWhole, 'orders') };
}

/** An order as `orders show` shows it. */
export function describeOrder(order: Order): Output {
  const lines = order.lines.map((line) => [
    `${line.petId}`,
    thousands(line.quantity),
    thousands(line.delivered),
    thousands(line.returned),
    thousands(reservedUnits(order, line)),
  ]);
  const text = [
    `Order ${order.orderId} is ${paint.state(order.status)}.`,
    '',
    facts([
      ['placed', `${shownTime(order.createdAtMs)} by ${order.actorName}`],
      ['changed', `${shownTime(order.updatedAtMs)} (version ${order.version})`],
      ['expires', order.status === 'placed' ? shownTime(order.expiresAtMs) : ''],
      ['reference', safe(order.referenceId ?? '')],
      ['note', safe(order.note ?? '')],
    ]),
    '',
    shownTable(['PET', 'ORDERED', 'DELIVERED', 'RETURNED', 'RESERVED'], lines),
  ].join('\n');
  return { value: orderValue(order), text };
}

/** An order as over HTTP. `petId` is a bigint, because a number cannot hold every one. */
export function orderValue(order: Order): unknown {
  return JSON.parse(orderJson(order), (name, value: unknown, context?: { readonly source?: string }) =>
    name === 'petId' ? BigInt(context?.source ?? 'unknown') : value,
  );
}

/** The units of all lines, as ordered or as they are still reserved. A sum can exceed what a number holds. */
export function sumOf(order: Order, member: 'quantity' | 'reserved'): bigint {
  return order.lines.reduce(
    (sum, line) => sum + BigInt(member === 'quantity' ? line.quantity : reservedUnits(order, line)),
    0n,
  );
}

/** @throws OperatorError when there is none. */
export async function findOrder({ orders }: AdminStore, orderId: number): Promise<Order> {
  const order = await orders.findOrder(orderId);
  if (order) return order;
  throw noSuchOrder(orderId);
}

export function noSuchOrder(orderId: number): OperatorError {
  return new OperatorError(`There is no order ${orderId}; petstore-server orders list shows the newest.`);
}
