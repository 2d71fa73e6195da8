import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceAuthor } from '../../src/domain/orders/orders.ts';
import type { Answer } from '../support/harness.ts';
import { startApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';
import { getItem, outcome, wholeLedger } from '../support/stock-requests.ts';
import { linesOf, orderOf, place, take } from './order-requests.ts';

const PETS = [petRow(1n, 10), petRow(9_007_199_254_740_993n, 10)];

/** Headers that are equal on a replay. */
function kept({ headers }: Answer): (string | null)[] {
  const names = ['ETag', 'Location', 'Link', 'Inventory-Quantity', 'Inventory-Version', 'Content-Type'];
  return names.map((name) => headers.get(name));
}

function assertReplay(first: Answer, again: Answer): void {
  assert.deepEqual([again.status, again.text, kept(again)], [first.status, first.text, kept(first)]);
  assert.equal(first.headers.get('Idempotency-Replayed'), null);
  assert.equal(again.headers.get('Idempotency-Replayed'), 'true');
}

test('a placement and each step with a key are done once, and a repetition gets the first response', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const body = linesOf([1, 3], [9_007_199_254_740_993n, 2]);
  const requests: readonly ((headers: Record<string, string>) => Promise<Answer>)[] = [
    (headers) => place(app, body, headers),
    (headers) => take(app, 'approve', 1, undefined, headers),
    (headers) => take(app, 'deliver', 1, linesOf([1, 2]), headers),
    (headers) => take(app, 'return', 1, linesOf([1, 1]), headers),
    (headers) => take(app, 'cancel', 1, { note: 'enough' }, headers),
  ];
  const first: Answer[] = [];
  for (const request of requests) {
    app.clock.nowMs += 1_000;
    first.push(await request({ 'Idempotency-Key': 'k' }));
  }
  assert.deepEqual(
    first.map(({ status }) => status),
    [201, 200, 200, 200, 200],
  );
  const length = (await wholeLedger(app)).length;
  app.clock.nowMs += 3_600_000;
  for (const [i, request] of requests.entries()) {
    assertReplay(first[i] as Answer, await request({ 'Idempotency-Key': '"k"' }));
  }
  assert.equal((await wholeLedger(app)).length, length);
  app.clock.nowMs += 24 * 3_600_000;
  const later = await place(app, body, { 'Idempotency-Key': 'k' });
  assert.equal(orderOf(later).orderId, 2, 'a key is kept for a day');
});

test('a refusal is repeated too, also when the request would succeed now', async (t) => {
  const app = await startApp(t, { pets: PETS });
  await place(app, linesOf([1, 8]));
  const key = { 'Idempotency-Key': 'k' };
  const requests: readonly (readonly [() => Promise<Answer>, number, string])[] = [
    [() => place(app, linesOf([1, 5]), key), 409, 'insufficient_stock'],
    [() => place(app, linesOf([2, 1]), { 'Idempotency-Key': 'k2' }), 404, 'not_found'],
    [() => take(app, 'deliver', 1, undefined, key), 409, 'invalid_transition'],
    [() => take(app, 'return', 1, linesOf([1, 1]), key), 409, 'invalid_transition'],
    [() => take(app, 'approve', 2, undefined, key), 404, 'not_found'],
    [() => take(app, 'cancel', 1, undefined, { ...key, 'If-Match': '"x"' }), 412, 'precondition_failed'],
  ];
  const first: Answer[] = [];
  for (const [request, status, code] of requests) {
    const answer = await request();
    assert.deepEqual(outcome(answer), [status, code]);
    first.push(answer);
  }
  await take(app, 'approve', 1);
  await take(app, 'deliver', 1, linesOf([1, 6]));
  await take(app, 'cancel', 1);
  await place(app, linesOf([1, 1]));
  for (const [i, [request]] of requests.entries()) assertReplay(first[i] as Answer, await request());
});

test('an order that has expired since is returned as it was placed; expiresAt is decided once', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const key = { 'Idempotency-Key': 'k' };
  const body = { ...linesOf([1, 3]), expiresAt: '2026-07-01T12:01:30Z' };
  const placed = await place(app, body, key);
  assert.equal(placed.status, 201);
  app.clock.nowMs += 60_000;
  const refused = await take(app, 'approve', 1, undefined, key);
  assert.deepEqual(outcome(refused), [409, 'invalid_transition']);
  const author = serviceAuthor(app.clock.nowMs);
  await app.store.write({ author, command: { kind: 'step', step: 'expire', orderId: 1 } });
  // Without the key it is refused now, because the moment has passed.
  assert.deepEqual(outcome(await place(app, body)), [400, 'validation_failed']);
  assertReplay(placed, await place(app, body, key));
  assertReplay(refused, await take(app, 'approve', 1, undefined, key));
  const late = await place(app, body, { 'Idempotency-Key': 'late' });
  assertReplay(late, await place(app, body, { 'Idempotency-Key': 'late' }));
  assert.equal(((await getItem(app, 1)).json as { reserved: number }).reserved, 0);
});

test('422 when a key comes with another request; a key belongs to the path of one order and step', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const key = { 'Idempotency-Key': 'k' };
  const line = { petId: 1, quantity: 1 };
  await place(app, { lines: [line] }, key);
  for (const other of [
    { lines: [{ ...line, quantity: 2 }] },
    { lines: [{ ...line, petId: 9_007_199_254_740_993n }] },
    { lines: [line], expiresAt: null },
    { lines: [line], note: 'x' },
  ]) {
    assert.deepEqual(outcome(await place(app, other, key)), [422, 'idempotency_key_reused']);
  }
  await place(app, { lines: [line] });
  for (const orderId of [1, 2]) {
    assert.equal((await take(app, 'approve', orderId, undefined, key)).status, 200);
    assert.equal((await take(app, 'deliver', orderId, linesOf([1, 1]), key)).status, 200);
  }
  assert.equal((await take(app, 'deliver', 1, undefined, key)).status, 422);
  assert.equal((await take(app, 'approve', 1, undefined, { ...key, 'If-Match': '*' })).status, 422);
});

test('one of concurrent placements with one key reserves', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => place(app, linesOf([1, 1]), { 'Idempotency-Key': 'k' })),
  );
  const placed = answers.filter(({ status }) => status === 201);
  const others = answers.filter(({ code }) => code === 'idempotency_in_progress');
  assert.equal(placed.length + others.length, 20);
  assert.equal(((await getItem(app, 1)).json as { reserved: number }).reserved, 1);
});
