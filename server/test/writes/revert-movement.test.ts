import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startApp } from '../support/harness.ts';
import { petRow, petRows } from '../support/pet-rows.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { movementBounds, movementRows } from '../../src/domain/management/reports/movement-report.ts';
import {
  adjust,
  batch,
  getItem,
  movementOf,
  outcome,
  revert,
  setStatus,
  update,
  wholeLedger,
} from '../support/stock-requests.ts';
import { isSkippedDaily } from '../support/long-test.ts';

test('201: a movement is reverted by one with the opposite delta, also after later changes', async (t) => {
  const app = await startApp(t, { pets: [petRow(7n, 10)] });
  await adjust(app, 7, { delta: 5 });
  await update(app, 7, { quantity: 40 });
  const answer = await revert(app, 2, { reason: 'correction', note: 'counted twice' });
  assert.equal(answer.status, 201);
  const { sequence, kind, delta, quantityBefore, quantityAfter, revertedSequence, reason, note } =
    movementOf(answer);
  assert.deepEqual(
    [sequence, kind, delta, quantityBefore, quantityAfter, revertedSequence, reason, note],
    [4, 'revert', -5, 40, 35, 2, 'correction', 'counted twice'],
  );
  assert.equal(answer.headers.get('Location'), `${app.config.baseUrl}/movements/4`);
  assert.equal(answer.headers.get('ETag'), (await getItem(app, 7)).headers.get('ETag'));
  assert.equal((await app.request('GET', '/v1/movements/4')).text, answer.text);
});

test('201: the body may be missing, empty or an empty object', async (t) => {
  const app = await startApp(t, { pets: [petRow(7n, 10)] });
  for (let i = 0; i < 6; i += 1) await adjust(app, 7, { delta: 1 });
  const stream = (text: string) => new Blob([text]).stream() as ReadableStream<Uint8Array>;
  const post = (sequence: number, sending: object) =>
    app.request('POST', `/v1/movements/${sequence}/revert`, sending);
  assert.equal((await revert(app, 2)).status, 201);
  assert.equal((await revert(app, 3, '')).status, 201);
  assert.equal((await revert(app, 4, '{}')).status, 201);
  assert.equal((await post(5, { body: stream('') })).status, 201);
  assert.equal((await post(6, { headers: { 'Content-Length': '0' } })).status, 201);
  assert.deepEqual(outcome(await revert(app, 7, ' ')), [400, 'malformed_json']);
  assert.deepEqual(outcome(await revert(app, 7, '[]')), [400, 'validation_failed']);
  assert.deepEqual(outcome(await revert(app, 7, '{}', { 'Content-Type': 'text/plain' })), [
    415,
    'unsupported_media_type',
  ]);
  assert.deepEqual(outcome(await revert(app, 7, `{"x":"${'x'.repeat(20_000)}"}`)), [413, 'body_too_large']);
  assert.equal((await wholeLedger(app)).length, 12);
});

test('409 conflict the second time, with a link to the movement that did it', async (t) => {
  const app = await startApp(t, { pets: [petRow(7n, 10)] });
  await adjust(app, 7, { delta: 5 });
  assert.equal((await revert(app, 2)).status, 201);
  const again = await revert(app, 2);
  assert.deepEqual(outcome(again), [409, 'conflict']);
  assert.match(again.text, /Movement 2 was reverted before, by movement 3\./);
  assert.equal(again.headers.get('Link'), `<${app.config.baseUrl}/movements/3>; rel="related"`);
  assert.equal(again.headers.get('Inventory-Quantity'), '10');
  assert.equal(again.headers.get('ETag'), (await getItem(app, 7)).headers.get('ETag'));
  assert.equal(movementOf(await revert(app, 3)).quantityAfter, 15, 'a revert can be reverted');
});

test('409 conflict where nothing would change, 409 insufficient_stock below zero, 404 for none', async (t) => {
  const app = await startApp(t, { pets: [petRow(7n, 10)] });
  await setStatus(app, 7, { status: 'sold' });
  await setStatus(app, 7, { status: 'pending' });
  const nothing = await revert(app, 2);
  assert.deepEqual(outcome(nothing), [409, 'conflict']);
  assert.match(nothing.text, /Nothing would change: petId 7 has quantity 10 and status pending at version 3/);
  await adjust(app, 7, { delta: 5 });
  await update(app, 7, { quantity: 4 });
  assert.deepEqual(outcome(await revert(app, 4)), [409, 'insufficient_stock']);
  assert.deepEqual(outcome(await revert(app, 99)), [404, 'not_found']);
  for (const sequence of ['0', 'x', '1.5']) {
    const answer = await app.request('POST', `/v1/movements/${sequence}/revert`);
    assert.deepEqual(outcome(answer), [400, 'invalid_parameter'], sequence);
  }
});

test('a revert restores the status, unless a later movement changed it', async (t) => {
  const app = await startApp(t, { pets: [petRow(7n, 10), petRow(8n, 10)] });
  await setStatus(app, 7, { status: 'sold' });
  assert.equal(movementOf(await revert(app, 3)).statusAfter, 'available');
  await setStatus(app, 8, { status: 'sold' });
  await setStatus(app, 8, { status: 'pending' });
  assert.equal((await revert(app, 5)).status, 409);
  assert.match((await getItem(app, 8)).text, /"status":"pending"/);
});

test('one of many concurrent reverts of one movement succeeds', async (t) => {
  const app = await startApp(t, { pets: [petRow(7n, 10)], config: { PETSTORE_LOG_LEVEL: 'error' } });
  await adjust(app, 7, { delta: 5 });
  const answers = await Promise.all(Array.from({ length: 20 }, () => revert(app, 2)));
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  assert.equal(answers.filter(({ code }) => code === 'conflict').length, 19);
  assert.match((await getItem(app, 7)).text, /"quantity":10,/);
});

test('reverting all movements, in any order, restores the initial stock', async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startApp(t, { pets: petRows(2), config: { PETSTORE_LOG_LEVEL: 'error' } });
  await update(app, 1, { quantity: 500 });
  const property = fc.asyncProperty(
    fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 8 }),
    fc.infiniteStream(fc.nat(1_000)),
    async (deltas, order) => {
      const before = (await getItem(app, 1)).json as { quantity: number };
      const made: number[] = [];
      for (const delta of deltas.filter((one) => one !== 0)) {
        made.push(movementOf(await adjust(app, 1, { delta })).sequence);
      }
      const shuffled = made.map((sequence) => [order.next().value as number, sequence] as const).toSorted();
      for (const [, sequence] of shuffled) assert.equal((await revert(app, sequence)).status, 201);
      const after = (await getItem(app, 1)).json as { quantity: number };
      assert.equal(after.quantity, before.quantity);
    },
  );
  await fc.assert(property, { numRuns: 25, seed: 3 });
  assert.deepEqual((await app.admin.verify()).faults, []);
});

test('the undo of an undo of a sale that a prune deleted adds no sale, and has no reason in the report', async (t) => {
  const app = await startApp(t, { pets: [petRow(7n, 10)] });
  await adjust(app, 7, { delta: -5, reason: 'sold' });
  await revert(app, 2);
  await app.admin.pruneMovements(Number.MAX_SAFE_INTEGER, CLI_AUTHOR);
  assert.deepEqual(outcome(await revert(app, 2)), [410, 'history_pruned']);
  const row = { petId: 7, revert: 2 };
  assert.deepEqual(outcome(await batch(app, { changes: [row] })), [410, 'history_pruned']);
  assert.equal(movementOf(await revert(app, 3)).quantityAfter, 5);
  assert.equal(JSON.parse((await getItem(app, 7)).text).daysOfStock, null);
  const { reports } = app.admin;
  const bounds = await movementBounds(reports, {});
  const rows = await Array.fromAsync(
    movementRows(reports, { by: 'total', per: 'month', timeZone: 'UTC', ...bounds }),
  );
  assert.deepEqual(
    rows.flat().map(({ kind, revertedReason, unitsOut }) => [kind, revertedReason, unitsOut]),
    [['revert', null, 5n]],
  );
});
