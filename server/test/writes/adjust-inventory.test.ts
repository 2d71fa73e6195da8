import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/harness.ts';
import { petRow, petRows } from '../support/pet-rows.ts';
import {
  adjust,
  getItem,
  movementOf,
  outcome,
  setStatus,
  update,
  wholeLedger,
} from '../support/stock-requests.ts';

const PETS = [petRow(7n, 10), petRow(9_007_199_254_740_993n, 1)];

test('201: an adjustment answers with its movement, where it is, and the item’s tag', async (t) => {
  const app = await startApp(t, { pets: PETS });
  app.clock.nowMs += 5_000;
  const answer = await adjust(app, 7, { delta: -3, reason: 'damaged' });
  assert.equal(answer.status, 201);
  const { hash, requestId, ...movement } = movementOf(answer);
  assert.deepEqual(movement, {
    sequence: 3,
    petId: 7,
    version: 2,
    kind: 'adjust',
    delta: -3,
    quantityBefore: 10,
    quantityAfter: 7,
    statusBefore: 'available',
    statusAfter: 'available',
    reservedBefore: 0,
    reservedAfter: 0,
    alertBefore: null,
    alertAfter: null,
    alert: null,
    orderId: null,
    reason: 'damaged',
    note: null,
    referenceDocumentUri: null,
    referenceId: null,
    occurredAt: null,
    recordedAt: new Date(app.clock.nowMs).toISOString(),
    actor: { keyId: app.principal.key.id, name: app.principal.key.name },
    revertedSequence: null,
    previousSequence: 1,
  });
  assert.match(hash, /^[0-9a-f]{64}$/);
  assert.equal(requestId, answer.headers.get('X-Request-Id'));
  assert.equal(answer.headers.get('Cache-Control'), 'no-store');
  assert.equal(answer.headers.get('Location'), `${app.config.baseUrl}/movements/3`);
  const item = await getItem(app, 7);
  assert.equal(item.headers.get('ETag'), answer.headers.get('ETag'));
  assert.match(item.text, /"quantity":7,"status":"available",.*"version":2/);
  assert.equal((await app.request('GET', '/v1/movements/3')).text, answer.text);
});

test('201: a large petId is exact in the movement, and a delta may be any integer by value', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const answer = await adjust(app, 9_007_199_254_740_993n, '{"delta":2.0e0,"reason":"received"}');
  assert.match(answer.text, /"petId":9007199254740993,.*"delta":2,/);
});

test('409 insufficient_stock: never below zero, and nothing is recorded', async (t) => {
  const app = await startApp(t, { pets: PETS });
  for (const delta of [-11, -9_007_199_254_740_991]) {
    const { status, code, text, headers } = await adjust(app, 7, { delta });
    assert.deepEqual([status, code], [409, 'insufficient_stock']);
    assert.match(text, /petId 7 has quantity 10/);
    assert.equal(headers.get('Inventory-Quantity'), '10');
  }
  assert.equal((await adjust(app, 7, { delta: -10 })).status, 201);
  assert.deepEqual(outcome(await adjust(app, 7, { delta: -1 })), [409, 'insufficient_stock']);
  assert.equal((await wholeLedger(app)).length, 3);
});

test('409 conflict above the ceiling, which the message names', async (t) => {
  const app = await startApp(t, { pets: PETS, config: { PETSTORE_MAX_QUANTITY: '12' } });
  assert.equal((await adjust(app, 7, { delta: 2 })).status, 201);
  for (const delta of [1, 9_007_199_254_740_991]) {
    const { status, code, text, headers } = await adjust(app, 7, { delta });
    assert.deepEqual([status, code], [409, 'conflict']);
    assert.match(text, /more than 12, the largest quantity: petId 7 has quantity 12/);
    assert.equal(headers.get('Inventory-Quantity'), '12');
  }
});

test('no concurrent adjustment is lost, and the last unit is taken one time', async (t) => {
  const app = await startApp(t, { pets: petRows(1), config: { PETSTORE_LOG_LEVEL: 'error' } });
  await update(app, 1, { quantity: 50 });
  const taken = await Promise.all(Array.from({ length: 80 }, () => adjust(app, 1, { delta: -1 })));
  assert.equal(taken.filter(({ status }) => status === 201).length, 50);
  assert.equal(taken.filter(({ code }) => code === 'insufficient_stock').length, 30);
  const added = await Promise.all(Array.from({ length: 40 }, (_, i) => adjust(app, 1, { delta: i + 1 })));
  assert.ok(added.every(({ status }) => status === 201));
  assert.match((await getItem(app, 1)).text, /"quantity":820,/);
  assert.deepEqual((await app.admin.verify()).faults, []);
});

test('sold-at-zero holds for adjustments too', async (t) => {
  const app = await startApp(t, { pets: PETS, config: { PETSTORE_STATUS_POLICY: 'sold-at-zero' } });
  assert.equal(movementOf(await adjust(app, 7, { delta: -10 })).statusAfter, 'sold');
  assert.equal(movementOf(await adjust(app, 7, { delta: 1 })).statusAfter, 'available');
});

test('setInventoryStatus sets the status alone, and records nothing where it is there already', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const set = await setStatus(app, 7, { status: 'sold', reason: 'sold', referenceId: 'order 9' });
  assert.deepEqual([set.status, set.text], [200, '{"petId":7,"quantity":10,"status":"sold"}']);
  assert.equal(set.headers.get('ETag'), (await getItem(app, 7)).headers.get('ETag'));
  const again = await setStatus(app, 7, { status: 'sold' });
  assert.deepEqual([again.status, again.headers.get('ETag')], [200, set.headers.get('ETag')]);
  const ledger = await wholeLedger(app);
  assert.equal(ledger.length, 3);
  const { kind, delta, statusBefore, statusAfter, reason, referenceId } = ledger[2] as (typeof ledger)[0];
  assert.deepEqual(
    [kind, delta, statusBefore, statusAfter, reason, referenceId],
    ['status', 0, 'available', 'sold', 'sold', 'order 9'],
  );
});
