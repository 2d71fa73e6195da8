import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ORDER_STATUSES } from '@petstore-inventory/shared/words';
import fc from 'fast-check';
import type { OrderFilter, OrderQuery } from '../../../src/domain/orders/order-store.ts';
import type { Order } from '../../../src/domain/orders/orders.ts';
import { startApp, type TestApp } from '../../support/harness.ts';
import { petRow } from '../../support/pet-rows.ts';
import { testEngine } from '../../support/test-database.ts';
import { COMMON_REFERENCE, FIRST_ORDER_MS, fillOrders, POPULAR_PET } from './filled-orders.ts';
import { place, step } from './shop-orders.ts';

/** More than a page looks through. */
const ORDERS = 3_000;
const RUNS = 200;

async function filledShop(t: TestContext): Promise<{ app: TestApp; all: readonly Order[] }> {
  const app = await startApp(t);
  await fillOrders(app.database, ORDERS);
  const ids = Array.from({ length: ORDERS }, (_, i) => i + 1);
  const all = await Promise.all(ids.map(async (orderId) => app.store.orders.findOrder(orderId)));
  return { app, all: all.filter((order) => order !== undefined) };
}

function passes(order: Order, filter: OrderFilter): boolean {
  const { status, lines, referenceId, createdAtMs, orderId, expiresAtMs } = order;
  const { expiresBeforeMs, isPartlyDelivered } = filter;
  return (
    (expiresBeforeMs === undefined || (status === 'placed' && (expiresAtMs ?? Infinity) < expiresBeforeMs)) &&
    (!isPartlyDelivered || (status === 'approved' && lines.some(({ delivered }) => delivered > 0))) &&
    (filter.status ?? status) === status &&
    (filter.petId === undefined || lines.some(({ petId }) => petId === filter.petId)) &&
    (filter.referenceId ?? referenceId) === referenceId &&
    (filter.createdSinceMs ?? 0) <= createdAtMs &&
    (filter.after ?? 0) < orderId &&
    (filter.before ?? Infinity) > orderId
  );
}

/** The orders of all pages, and how many pages were not full although they were not the last. */
async function walk({ store }: TestApp, query: OrderQuery): Promise<{ found: Order[]; short: number }> {
  const found: Order[] = [];
  let short = 0;
  let { filter } = query;
  for (let pages = 0; pages <= ORDERS; pages += 1) {
    const { orders, next } = await store.orders.listOrders({ ...query, filter });
    assert.ok(orders.length <= query.limit);
    found.push(...orders);
    if (next === undefined) return { found, short };
    const last = orders.at(-1)?.orderId ?? next;
    assert.ok(query.order === 'asc' ? next >= last : next <= last, `${next} after ${last}`);
    if (orders.length < query.limit) short += 1;
    filter = query.order === 'asc' ? { ...filter, after: next } : { ...filter, before: next };
  }
  assert.fail('the pages end');
}

const MOMENTS = [
  FIRST_ORDER_MS,
  FIRST_ORDER_MS + ORDERS - 1,
  FIRST_ORDER_MS + ORDERS,
  FIRST_ORDER_MS + ORDERS + 1,
];
const moments = fc.oneof(
  fc.constantFrom(...MOMENTS),
  fc.integer({ min: 0, max: ORDERS }).map((ms) => FIRST_ORDER_MS + ms),
  fc.integer({ min: 0, max: ORDERS }).map((ms) => FIRST_ORDER_MS + ms + 0.5),
);
const queries: fc.Arbitrary<OrderQuery> = fc.record({
  filter: fc.record(
    {
      status: fc.constantFrom(...ORDER_STATUSES),
      petId: fc.constantFrom(POPULAR_PET, POPULAR_PET, 10n, 1_009n, 8n),
      referenceId: fc.constantFrom(COMMON_REFERENCE, COMMON_REFERENCE, 'own 1', 'own 2', 'nobody'),
      createdSinceMs: moments,
      // The last hundredth of the orders is placed.
      expiresBeforeMs: fc.integer({ min: ORDERS * 0.98, max: ORDERS }).map((i) => FIRST_ORDER_MS + 4 * i),
      isPartlyDelivered: fc.constant(true),
      after: fc.nat(ORDERS + 2),
      before: fc.nat(ORDERS + 2),
    },
    { requiredKeys: [] },
  ),
  order: fc.constantFrom('asc', 'desc'),
  limit: fc.constantFrom(1, 2, 20, 99, 100),
});

test('the pages of every filter and order are the orders that pass it, none twice, none missing', async (t) => {
  const { app, all } = await filledShop(t);
  assert.equal(all.length, ORDERS);
  let short = 0;
  const property = fc.asyncProperty(queries, async (query) => {
    const expected = all.filter((order) => passes(order, query.filter));
    if (query.order === 'desc') expected.reverse();
    const walked = await walk(app, query);
    assert.deepEqual(walked.found, expected);
    short += walked.short;
  });
  const rare: OrderQuery = { filter: { petId: POPULAR_PET, status: 'placed' }, order: 'asc', limit: 20 };
  const partly: OrderQuery = { ...rare, filter: { isPartlyDelivered: true } };
  const whole: OrderQuery = { ...rare, filter: { isPartlyDelivered: true, status: 'delivered' } };
  const expiring: OrderQuery = { ...rare, filter: { expiresBeforeMs: FIRST_ORDER_MS + 4 * (ORDERS - 3) } };
  for (const { filter } of [partly, expiring]) assert.ok(all.some((order) => passes(order, filter)));
  await fc.assert(property, {
    numRuns: Math.ceil(RUNS * testEngine().share),
    examples: [[rare], [partly], [whole], [expiring]],
  });
  assert.ok(short > 0, 'some pages end before they are full');
});

test('a page looks through 128 orders, and reports where it ended', async (t) => {
  const { app } = await filledShop(t);
  const { orders } = app.store;
  const filter = { petId: POPULAR_PET, status: 'placed' } as const;
  const up = await orders.listOrders({ filter, order: 'asc', limit: 20 });
  assert.deepEqual(up, { orders: [], next: 1_280 });
  const rest = await orders.listOrders({ filter: { ...filter, after: 2_560 }, order: 'asc', limit: 20 });
  assert.deepEqual(
    [rest.orders.map(({ orderId }) => orderId), rest.next],
    [[2_980, 2_990, 3_000], undefined],
  );
  const down = await orders.listOrders({ filter: { ...filter, before: 2_971 }, order: 'desc', limit: 20 });
  assert.deepEqual(down, { orders: [], next: 1_700 });
  const full = await orders.listOrders({ filter: { petId: POPULAR_PET }, order: 'desc', limit: 300 });
  assert.deepEqual([full.orders.length, full.next], [128, 1_730]);
});

test('createdSince begins with the first of the orders placed at that moment', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n, 1_000)] });
  const { clock } = app;
  const beganAtMs = clock.nowMs;
  // Two orders per millisecond, and a pause of 10 ms after each third millisecond.
  const times: number[] = [];
  for (let i = 0; i < 60; i += 1) {
    clock.nowMs = beganAtMs + Math.floor(i / 2) + 10 * Math.floor(i / 6);
    times.push((await place(app, [[1n, 1]])).createdAtMs);
  }
  for (let atMs = beganAtMs - 2; atMs <= clock.nowMs + 2; atMs += 0.5) {
    const expected = times.flatMap((time, i) => (time >= atMs ? [i + 1] : []));
    for (const order of ['asc', 'desc'] as const) {
      const page = await app.store.orders.listOrders({ filter: { createdSinceMs: atMs }, order, limit: 100 });
      const ids = page.orders.map(({ orderId }) => orderId);
      assert.deepEqual(order === 'asc' ? ids : ids.toReversed(), expected, `since ${atMs}`);
      assert.equal(page.next, undefined);
    }
  }
});

test('due orders are the placed ones whose time has come, the earliest first', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n, 1_000)] });
  const { clock, store } = app;
  const beganAtMs = clock.nowMs;
  const expiries = Array.from({ length: 40 }, (_, i) => (i % 5 === 4 ? null : 1 + ((i * 7) % 41)));
  for (const ms of expiries) {
    await place(app, [[1n, 1]], { expiresAtMs: ms === null ? null : beganAtMs + 1_000 * ms });
  }
  await step(app, 1, 'approve');
  await step(app, 2, 'cancel');
  await step(app, 3, 'expire');
  const waiting = expiries.flatMap((ms, i) => (ms === null || i < 3 ? [] : [{ orderId: i + 1, ms }]));
  const expected = (seconds: number) =>
    waiting
      .filter(({ ms }) => ms <= seconds)
      .toSorted((a, b) => a.ms - b.ms)
      .map(({ orderId }) => orderId);
  for (const seconds of [0, 1, 20, 20.999, 21, 41, 100]) {
    clock.nowMs = beganAtMs + 1_000 * seconds;
    const due = await store.orders.dueOrders(100);
    // On a shared database the clock is one that no instance's clock is behind.
    assert.ok(due.atMs <= clock.nowMs && due.atMs >= beganAtMs);
    const reached = Math.floor((due.atMs - beganAtMs) / 1_000);
    assert.deepEqual(due.orderIds, expected(reached));
    assert.deepEqual((await store.orders.dueOrders(3)).orderIds, expected(reached).slice(0, 3));
  }
});
