import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/harness.ts';
import { petRow } from '../../support/pet-rows.ts';
import { place, step } from './shop-orders.ts';

test('steps of one order in one commit are all kept, also after its placement in the same commit', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n, 50), petRow(2n, 50)] });
  const { store, admin } = app;
  const two = [{ petId: 1n, quantity: 2 }];
  const written = await Promise.all([
    place(app, [
      [1n, 5],
      [2n, 4],
    ]),
    step(app, 1, 'approve'),
    step(app, 1, 'deliver', two),
    step(app, 1, 'return', [{ petId: 1n, quantity: 1 }]),
    place(app, [[2n, 1]]),
  ]);
  assert.deepEqual(await store.orders.findOrder(1), written[3]);
  assert.deepEqual(await store.orders.findOrder(2), written[4]);
  const [, cancelled] = await Promise.all([
    step(app, 1, 'deliver', two),
    step(app, 1, 'cancel'),
    step(app, 2, 'approve'),
    step(app, 2, 'deliver'),
  ]);
  assert.deepEqual(await store.orders.findOrder(1), cancelled);
  assert.deepEqual(cancelled.lines, [
    { petId: 1n, quantity: 5, delivered: 4, returned: 1 },
    { petId: 2n, quantity: 4, delivered: 0, returned: 0 },
  ]);
  assert.equal((await store.orders.findOrder(2))?.status, 'delivered');
  assert.deepEqual((await admin.verify()).faults, []);
});
