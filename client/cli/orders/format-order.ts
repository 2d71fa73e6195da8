import type { Paint } from '@petstore-inventory/shared/terminal/paint';
import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import { facts, table, tableLines } from '@petstore-inventory/shared/terminal/table';
import { readableTime, thousands } from '@petstore-inventory/shared/terminal/texts';
import type { Order, OrderLine } from '../../src/index.ts';
import type { Printer } from '../terminal/printer.ts';

/** Orders as a table. */
export function orderLines(orders: readonly Order[], paint: Paint): Iterable<string> {
  if (orders.length === 0) return ['No orders match.'];
  const rows = orders.map((order) => [
    `${order.orderId}`,
    paint.state(safe(order.status)),
    safe(order.referenceId ?? ''),
    thousands(order.lines.length),
    thousands(sumOf(order, 'quantity')),
    thousands(sumOf(order, 'reserved')),
    readableTime(order.createdAt),
    order.status === 'placed' ? readableTime(order.expiresAt) : '',
    safe(order.actor.name),
  ]);
  const headings = ['ORDER', 'STATUS', 'REFERENCE', 'PETS', 'UNITS', 'RESERVED', 'PLACED', 'EXPIRES', 'BY'];
  return tableLines(headings, rows, paint);
}

/** Prints an order with its lines. */
export async function printOrder(printer: Printer, order: Order, etag: string | undefined): Promise<void> {
  await printer.print({ ...order, etag: etag ?? null }, describeOrder(order, etag, printer.paint));
}

function describeOrder(order: Order, etag: string | undefined, paint: Paint): string {
  const { orderId, status, lines, createdAt, updatedAt, version, expiresAt, referenceId, note, actor } =
    order;
  const rows = lines.map((line) => [
    `${line.petId}`,
    thousands(line.quantity),
    thousands(line.delivered),
    thousands(line.returned),
    thousands(line.reserved),
  ]);
  return [
    `Order ${orderId} is ${paint.state(safe(status))}.`,
    '',
    facts([
      ['placed', `${readableTime(createdAt)} by ${safe(actor.name)}`],
      ['changed', `${readableTime(updatedAt)} (version ${version})`],
      ['expires', status === 'placed' ? readableTime(expiresAt) : ''],
      ['reference', safe(referenceId ?? '')],
      ['note', safe(note ?? '')],
      ['etag', safe(etag ?? '')],
    ]),
    '',
    table(['PET', 'ORDERED', 'DELIVERED', 'RETURNED', 'RESERVED'], rows, paint),
  ].join('\n');
}

/** A sum can exceed what a number holds. */
function sumOf({ lines }: Order, member: keyof Pick<OrderLine, 'quantity' | 'reserved'>): bigint {
  return lines.reduce((sum, line) => sum + BigInt(line[member]), 0n);
}
