import assert from 'node:assert/strict';
import { comparePositions, type EventPosition, parseEventId } from '../../../src/domain/webhooks/events.ts';
import type { MovementJson } from '../checker/movement-pages.ts';
import { parsePetIds } from '../checker/movement-pages.ts';
import type { OrderJson } from '../orders/order-operation.ts';
import type { Received } from './receiver.ts';

interface Message {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: unknown;
}

/** What a shop shows of its past, after which an endpoint was made. */
export interface ShopHistory {
  /** The newest movement when the endpoint was made. */
  readonly after: number;
  readonly movements: readonly MovementJson[];
  /** All of them were placed after the endpoint was made. */
  readonly orders: readonly OrderJson[];
}

/** Each message once, by its first delivery. @throws AssertionError where one message has two bodies. */
export function firstDeliveries(received: readonly Received[]): readonly Received[] {
  const bodies = new Map<string, string>();
  for (const { id, body } of received) {
    const before = bodies.get(id);
    if (before !== undefined) assert.equal(body, before, `message ${id} always has the same bytes`);
    else bodies.set(id, body);
  }
  return [...bodies].map(([id, body]) => ({ id, body }));
}

/** How many messages a receiver still lacks. */
export function missingMessages(
  received: readonly Received[],
  { after, movements, orders }: ShopHistory,
): number {
  const expected =
    movementMessages(movements, after).length + orders.reduce((sum, one) => sum + one.version, 0);
  return expected - new Set(received.map(({ id }) => id)).size;
}

/** Asserts that the messages are exactly the events of the shop, in their order. */
export function assertDelivered(
  received: readonly Received[],
  { after, movements, orders }: ShopHistory,
): void {
  const first = firstDeliveries(received);
  const positions = first.map(({ id }) => positionOf(id));
  for (const [i, position] of positions.entries()) {
    const before = positions[i - 1];
    if (before) assert.ok(comparePositions(before, position) < 0, `${first[i]?.id} came after a later event`);
  }
  const messages = first.map(({ id, body }) => {
    const message = parsePetIds(body) as Message;
    assert.equal(message.id, id);
    return message;
  });
  const ofMovements = messages.filter(({ type }) => type.startsWith('inventory.'));
  assert.deepEqual(
    ofMovements.map(({ id, type, timestamp, data }) => ({ id, type, timestamp, data })),
    movementMessages(movements, after),
  );
  assertOrderMessages(
    messages.filter(({ type }) => type.startsWith('order.')),
    orders,
  );
  assert.deepEqual(
    messages.filter(({ type }) => !type.startsWith('inventory.') && !type.startsWith('order.')),
    [],
  );
}

function positionOf(id: string): EventPosition {
  const position = parseEventId(id);
  assert.ok(position, `${id} is the id of an event`);
  return position;
}

function movementMessages(movements: readonly MovementJson[], after: number): Message[] {
  return movements
    .filter(({ sequence }) => sequence > after)
    .flatMap((movement) => {
      const { sequence, alert, recordedAt: timestamp } = movement;
      const fingerprint = movement.hash.slice(0, 8);
      const changed = {
        id: `${sequence}.0-${fingerprint}`,
        type: 'inventory.changed',
        timestamp,
        data: movement,
      };
      if (alert === null) return [changed];
      const id = `${sequence}.1-${fingerprint}`;
      return [changed, { id, type: `inventory.${alert}`, timestamp, data: movement }];
    });
}

/** Every version of every order once, ascending; the newest one is the order as it is now. */
function assertOrderMessages(messages: readonly Message[], orders: readonly OrderJson[]): void {
  const versions = new Map<number, number>();
  const newest = new Map<number, OrderJson>();
  for (const { id, type, data } of messages) {
    const { order } = data as { readonly order: OrderJson };
    const version = (versions.get(order.orderId) ?? 0) + 1;
    assert.equal(order.version, version, `${id} is the next version of order ${order.orderId}`);
    assert.equal(type === 'order.placed', version === 1, `${id} is ${type}`);
    versions.set(order.orderId, version);
    newest.set(order.orderId, order);
  }
  assert.deepEqual(
    [...newest.values()].toSorted((a, b) => a.orderId - b.orderId),
    orders,
  );
}
