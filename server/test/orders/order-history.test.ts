import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceAuthor } from '../../src/domain/orders/orders.ts';
import { openStream } from '../live/app-stream.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { petIdsOf, petRow } from '../support/pet-rows.ts';
import {
  adjust,
  getItem,
  movementOf,
  movements,
  movementsOf,
  outcome,
  wholeLedger,
} from '../support/stock-requests.ts';
import { linesOf, place, take } from './order-requests.ts';

const LARGE = 9_007_199_254_740_993n;
const PETS = [petRow(1n, 5), petRow(LARGE, 5)];

/** Every kind of step. */
async function runOrders({ store, clock, ...app }: TestApp): Promise<void> {
  await place(app, linesOf([1, 2], [LARGE, 5]));
  await take(app, 'approve', 1);
  await take(app, 'deliver', 1, linesOf([LARGE, 3]));
  await take(app, 'return', 1, linesOf([LARGE, 1]));
  await take(app, 'cancel', 1);
  await place(app, linesOf([1, 5]));
  await place(app, linesOf([LARGE, 3]));
  clock.nowMs += 1_800_000;
  for (const orderId of [2, 3]) {
    const command = { kind: 'step', step: 'expire', orderId } as const;
    await store.write({ author: serviceAuthor(clock.nowMs), command });
  }
}

test('each step of an order is in the stream and in the history, with the same bytes', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const stream = await openStream(t, app);
  await runOrders(app);
  const ledger = await wholeLedger(app);
  const steps = ledger.slice(PETS.length);
  const events = await stream.takeEvents(steps.length);
  const { text } = await movements(app, `?after=${PETS.length}`);
  assert.equal(`[${events.map(({ data }) => data).join(',')}]`, text);
  assert.deepEqual(
    steps.map(({ kind, orderId, actor }) => `${kind} ${orderId} ${actor.name}`),
    [
      'reserve 1 test',
      'reserve 1 test',
      'deliver 1 test',
      'return 1 test',
      'release 1 test',
      'release 1 test',
      'reserve 2 test',
      'reserve 3 test',
      'release 2 service',
      'release 3 service',
    ],
  );
  assert.deepEqual((await app.admin.verify()).faults, []);
});

test('filters find the movements of orders by their kind, pet and author', async (t) => {
  const app = await startApp(t, { pets: PETS });
  await runOrders(app);
  const ledger = await wholeLedger(app);
  for (const kind of ['reserve', 'release', 'deliver', 'return', 'thresholds']) {
    for (const [query, petId] of [
      [`?kind=${kind}`, undefined],
      [`?kind=${kind}&petId=${LARGE}`, LARGE],
    ] as const) {
      const expected = ledger.filter((one) => one.kind === kind && (petId ?? one.petId) === one.petId);
      assert.deepEqual(movementsOf(await movements(app, query)), expected, query);
    }
  }
  const byService = ledger.filter(({ actor }) => actor.name === 'service');
  assert.deepEqual(movementsOf(await movements(app, '?actor=service')), byService);
  assert.deepEqual(outcome(await movements(app, '?actor=services')), [400, 'invalid_parameter']);
  const ofPet = await app.request('GET', `/v1/inventory/${LARGE}/movements?kind=reserve&order=desc`);
  assert.deepEqual(
    movementsOf(ofPet).map(({ orderId }) => orderId),
    [3, 1],
  );
});

test('the stock of the past has the status that orders gave it', async (t) => {
  const app = await startApp(t, { pets: PETS, config: { PETSTORE_STATUS_POLICY: 'follow-orders' } });
  await runOrders(app);
  const statuses = new Map<bigint, string>();
  for (const { sequence, petId, statusAfter, quantityAfter } of await wholeLedger(app)) {
    statuses.set(BigInt(petId), `"quantity":${quantityAfter},"status":"${statusAfter}"`);
    const { text } = await app.request('GET', `/v1/inventory?atSequence=${sequence}`);
    const expected = [...statuses].map(([id, stock]) => `{"petId":${id},${stock}}`);
    assert.equal(text, `[${expected.join(',')}]`, `at ${sequence}`);
  }
  const pending = await app.request('GET', '/v1/inventory?status=pending&atSequence=4');
  assert.deepEqual(petIdsOf(pending.json), [LARGE]);
});

test('orders raise and end alerts, and stock around a threshold alerts once', async (t) => {
  const thresholds = { lowStockAt: 3, restockAt: 6 };
  const app = await startApp(t, { pets: [{ ...petRow(1n, 8), thresholds }, petRow(2n, 2)] });
  const listed = async (alert: string) =>
    petIdsOf((await app.request('GET', `/v1/inventory?alert=${alert}`)).json);
  await place(app, linesOf([1, 5]));
  const item = (await getItem(app, 1)).json as Record<string, unknown>;
  const { available, alertLevel, lowStockAt, restockAt } = item;
  assert.deepEqual([available, alertLevel, lowStockAt, restockAt], [3, 'low', 3, 6]);
  assert.deepEqual(await listed('low'), [1n]);
  const alerts = [];
  for (const delta of [2, -2, 2, -5, 2, 4]) {
    const { alert, alertAfter } = movementOf(await adjust(app, 1, { delta, takeReserved: true }));
    alerts.push([alert, alertAfter]);
  }
  // Available: 5, 3, 5, 0, 2, 6.
  assert.deepEqual(alerts, [
    [null, 'low'],
    [null, 'low'],
    [null, 'low'],
    ['out', 'out'],
    [null, 'low'],
    ['back', null],
  ]);
  await place(app, linesOf([1, 6], [2, 2]));
  assert.deepEqual(await listed('out'), [1n, 2n]);
  await take(app, 'cancel', 2);
  assert.deepEqual(await listed('low,out,oversold'), []);
  const last = movementsOf(await movements(app, '?order=desc&limit=2'));
  assert.deepEqual(
    last.map(({ alertBefore, alert }) => [alertBefore, alert]),
    [
      ['out', 'back'],
      ['out', 'back'],
    ],
  );
});
