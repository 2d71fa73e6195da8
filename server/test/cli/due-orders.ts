import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { OrderStore } from '../../src/domain/orders/order-store.ts';

const DEADLINE_MS = 20_000;

/** Waits until so many placed orders are due, by the clock of the database. */
export async function dueWithin(orders: OrderStore, count: number): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while ((await orders.dueOrders(count)).orderIds.length < count) {
    assert.ok(performance.now() < deadline, `${count} orders are due`);
    await delay(5);
  }
}
