import { parseWholeNumber } from '@petstore-inventory/shared/numeral';
import { coloured } from '@petstore-inventory/shared/terminal/colour';
import { moreOf } from '@petstore-inventory/shared/terminal/list-limit';
import { table } from '@petstore-inventory/shared/terminal/table';
import { thousands } from '@petstore-inventory/shared/terminal/thousands';
import { InvalidArgumentError } from 'commander';
import type { AdminStore } from '../../domain/admin-store.ts';
import { OperatorError } from '../../domain/errors.ts';
import { type Order, reservedUnits } from '../../domain/orders/orders.ts';
import { orderJson } from '../../wire/order-json.ts';
import type { Output } from '../output.ts';
import { readableTime } from '../parse-time.ts';

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
    coloured(order.status),
    order.referenceId ?? '',
    thousands(order.lines.length),
    thousands(sumOf(order, 'quantity')),
    thousands(sumOf(order, 'reserved')),
    readableTime(order.createdAtMs),
    order.status === 'placed' ? readableTime(order.expiresAtMs) : '',
    order.actorName,
  ]);
  const headings = ['ORDER', 'STATUS', 'REFERENCE', 'PETS', 'UNITS', 'RESERVED', 'PLACED', 'EXPIRES', 'BY'];
  return { value, text: table(headings, rows), ...moreOf(!isWhole, 'orders') };
}

/** An order as `orders show` shows it. */
export function describeOrder(order: Order): Output {
  const facts = [
    ['placed', `${readableTime(order.createdAtMs)} by ${order.actorName}`],
    ['changed', `${readableTime(order.updatedAtMs)} (version ${order.version})`],
    ...(order.status === 'placed' ? [['expires', readableTime(order.expiresAtMs)]] : []),
    ...(order.referenceId === null ? [] : [['reference', order.referenceId]]),
    ...(order.note === null ? [] : [['note', order.note]]),
  ];
  const lines = order.lines.map((line) => [
    `${line.petId}`,
    thousands(line.quantity),
    thousands(line.delivered),
    thousands(line.returned),
    thousands(reservedUnits(order, line)),
  ]);
  const text = [
    `Order ${order.orderId} is ${coloured(order.status)}.`,
    '',
    ...facts.map(([name = '', value]) => `  ${name.padEnd(9)}  ${value}`),
    '',
    table(['PET', 'ORDERED', 'DELIVERED', 'RETURNED', 'RESERVED'], lines),
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

/** Reads the number of an order. */
export function parseOrderId(text: string): number {
  const orderId = parseWholeNumber(text);
  if (!orderId) throw new InvalidArgumentError('Give the number of an order, such as 17.');
  return orderId;
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
