import { type Order, type OrderLine, orderTag, reservedUnits } from '../domain/orders/orders.ts';
import { timestamp } from '../domain/timestamps.ts';
import { parseOrderEvent } from '../domain/webhooks/order-events.ts';
import { actorJson } from './actor-json.ts';

/** The JSON of an order. Written by hand, because a number cannot hold every petId. */
export function orderJson(order: Order): string {
  const { orderId, status, version, lines, expiresAtMs, createdAtMs, updatedAtMs } = order;
  const text = JSON.stringify;
  const linesJson = lines.map((line) => lineJson(order, line)).join(',');
  return `{"orderId":${orderId},"status":"${status}","version":${version},"lines":[${linesJson}],"referenceId":${text(order.referenceId)},"note":${text(order.note)},"expiresAt":${expiresAtMs === null ? null : `"${timestamp(expiresAtMs)}"`},"createdAt":"${timestamp(createdAtMs)}","updatedAt":"${timestamp(updatedAtMs)}","actor":${actorJson(order)}}`;
}

function lineJson(order: Order, line: OrderLine): string {
  const { petId, quantity, delivered, returned } = line;
  return `{"petId":${petId},"quantity":${quantity},"delivered":${delivered},"returned":${returned},"reserved":${reservedUnits(order, line)}}`;
}

/** The entity tag of an order (RFC 9110 section 8.8.3). */
export function orderETag(order: Order): string {
  return `"${orderTag(order)}"`;
}

/**
 * The `data` of an event of an order, for a webhook: the order after the step, and the author of the step.
 * @param recorded The data of the recorded event.
 */
export function orderEventJson(recorded: string): string {
  const { order, ...author } = parseOrderEvent(recorded);
  return `{"order":${orderJson(order)},"actor":${actorJson(author)}}`;
}
