import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StockStore } from '../../src/domain/ledger-store.ts';
import { OrderExpiry } from '../../src/order-expiry.ts';
import { getOrder, linesOf, orderOf, place } from '../orders/order-requests.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';
import { until } from '../support/until.ts';

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;
const MINUTE_MS = 60_000;
/** Orders hold their units for half an hour. */
const JUMPS: readonly (readonly [name: string, ms: number, changes: number, order: string])[] = [
  ['an hour ahead', HOUR_MS, 200, 'expired'],
  ['an hour back', -HOUR_MS, 200, 'placed'],
  ['a year ahead', YEAR_MS, 503, 'placed'],
  ['a year back', -YEAR_MS, 200, 'placed'],
];

/** Runs the expiry until it has looked for orders that are due, and has tried to expire them. */
async function expireDue({ store }: TestApp): Promise<void> {
  let looks = 0;
  const orders: StockStore['orders'] = {
    findOrder: (orderId) => store.orders.findOrder(orderId),
    listOrders: (query) => store.orders.listOrders(query),
    findApproval: (orderId) => store.orders.findApproval(orderId),
    dueOrders: (limit) => {
      looks += 1;
      return store.orders.dueOrders(limit);
    },
  };
  const write: StockStore['write'] = (request) => store.write(request);
  const expiry = new OrderExpiry({ write, orders }, { onError: () => undefined, intervalMs: 5 });
  expiry.start();
  await until(() => looks > 1, 'the expiry looks for orders');
  await expiry.stop();
}

for (const [name, jumpMs, status, order] of JUMPS) {
  test(`a clock that jumps ${name} and returns doubles no change, and keeps keys, limits and the ledger`, async (t) => {
    const app = await startApp(t, {
      pets: [petRow(1n, 1_000)],
      limits: { perMinute: 20, perDay: 1_000 },
      // No time passes for the monotonic clock.
      elapsed: [() => 0],
    });
    const rightMs = app.clock.nowMs;
    const send = (quantity: number, idempotencyKey: string) =>
      app.request('PATCH', '/v1/inventory/1', {
        body: JSON.stringify({ quantity }),
        headers: { 'Idempotency-Key': idempotencyKey },
      });
    assert.equal((await send(900, 'before')).status, 200);
    assert.equal((await place(app, linesOf([1n, 1]))).status, 201);
    const stock = async () => (await app.request('GET', '/v1/inventory/1')).text;

    app.clock.nowMs += jumpMs;
    assert.equal((await send(800, 'during')).status, status);
    await expireDue(app);
    assert.equal(orderOf(await getOrder(app, 1)).status, order);
    const ready = await app.request('GET', '/readyz', { key: null });
    assert.equal(ready.status, status);
    // A limit that is used up while the clock is wrong is there again after one window of that clock.
    let answer = await app.request('GET', '/v1/inventory');
    while (answer.status === 200) answer = await app.request('GET', '/v1/inventory');
    assert.equal(answer.code, 'rate_limit_exceeded');
    assert.ok(Number(answer.headers.get('Retry-After')) <= 60);
    app.clock.nowMs += MINUTE_MS;
    assert.equal((await app.request('GET', '/v1/inventory')).status, 200);
    const before = await stock();
    const repeated = await send(900, 'before');
    assert.ok(repeated.headers.get('Idempotency-Replayed') === 'true' || repeated.status === 503);
    assert.equal(await stock(), before);

    app.clock.nowMs = rightMs + 2 * MINUTE_MS;
    const again = await send(900, 'before');
    assert.deepEqual([again.status, again.headers.get('Idempotency-Replayed')], [200, 'true']);
    assert.equal(await stock(), before);
    const after = await send(700, 'after');
    assert.equal(after.status, 200, after.text);
    assert.deepEqual((await app.admin.verify()).faults, []);
    const [[latest]] = (await app.database.rows('SELECT max(recorded_at) FROM movements')) as [[number]];
    assert.ok(latest <= rightMs + Math.max(0, Math.min(jumpMs, HOUR_MS)) + 2 * MINUTE_MS);
  });
}
