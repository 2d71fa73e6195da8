import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OrderExpiry } from '../../src/order-expiry.ts';
import { linesOf, orderOf, place, take } from '../orders/order-requests.ts';
import { type Answer, startApps, type TestApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';
import { getItem, wholeLedger } from '../support/stock-requests.ts';
import { useEngine } from '../support/test-database.ts';
import { until } from '../support/until.ts';
import { PostgresEngine } from './support/postgres-engine.ts';

useEngine(new PostgresEngine());

const ORDERS = 240;
const HOLD_MS = 1_800_000;

test('instances place and take the steps of the same orders, and each order expires once', async (t) => {
  const apps = await startApps(t, 3, { pets: [petRow(1n, ORDERS), petRow(2n, 5)] });
  const any = (i: number) => apps[i % apps.length] as TestApp;
  const answers = await Promise.all(Array.from({ length: ORDERS + 30 }, (_, i) => placeOne(any(i))));
  const placed = answers.filter(({ status }) => status === 201).map((answer) => orderOf(answer).orderId);
  assert.deepEqual(
    placed.toSorted((a, b) => a - b),
    Array.from({ length: ORDERS }, (_, i) => i + 1),
  );
  const steps = await Promise.all(
    [1, 1, 1, 2, 2, 2].map((orderId, i) => take(any(i), i % 2 ? 'cancel' : 'approve', orderId)),
  );
  assert.ok(steps.filter(({ status }) => status === 200).length >= 2);
  any(0).clock.nowMs += HOLD_MS;
  const errors: unknown[] = [];
  const expiries = apps.map(
    ({ store }) => new OrderExpiry(store, { onError: (_, cause) => errors.push(cause), intervalMs: 5 }),
  );
  t.after(() => Promise.all(expiries.map((expiry) => expiry.stop())));
  for (const expiry of expiries) expiry.start();
  const isOpen = async () => {
    const { json } = await any(0).request('GET', '/v1/store/orders?status=placed&limit=1');
    return (json as unknown[]).length > 0;
  };
  await until(async () => !(await isOpen()), 'all orders expire');
  const expired = (await wholeLedger(any(1))).filter(({ actor }) => actor.name === 'service');
  assert.equal(expired.length, ORDERS - 2);
  assert.equal(new Set(expired.map(({ orderId }) => orderId)).size, ORDERS - 2);
  assert.deepEqual(errors, []);
  for (const app of apps) assert.equal(((await getItem(app, 2)).json as { reserved: number }).reserved, 0);
  assert.deepEqual((await any(0).admin.verify()).faults, []);
});

/** Sends an order again that a busy machine refuses: it was not placed. */
async function placeOne(app: TestApp): Promise<Answer> {
  for (;;) {
    const answer = await place(app, linesOf([1, 1]));
    if (answer.status !== 503) return answer;
  }
}
