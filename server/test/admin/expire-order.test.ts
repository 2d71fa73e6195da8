import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminShop } from '../support/admin-shop.ts';
import { petRow } from '../support/pet-rows.ts';

test('staff expires a placed order before its time, which releases its units', async (t) => {
  const { app, key, principal } = await adminShop(t, 'staff', { pets: [petRow(1n, 5)] });
  const expire = (orderId: number, headers = {}) =>
    app.request('POST', `/admin/v1/store/orders/${orderId}/expire`, { key, headers });
  for (let orderId = 1; orderId <= 2; orderId += 1) {
    const placed = await app.request('POST', '/v1/store/orders', {
      body: '{"lines":[{"petId":1,"quantity":2}],"expiresAt":null}',
    });
    assert.partialDeepStrictEqual(placed.json, { orderId });
  }
  await app.request('POST', '/v1/store/orders/2/approve');

  const expired = await expire(1, { 'Idempotency-Key': 'one' });
  assert.equal(expired.status, 200, expired.text);
  assert.partialDeepStrictEqual(expired.json, { orderId: 1, status: 'expired' });
  const replayed = await expire(1, { 'Idempotency-Key': 'one' });
  assert.deepEqual([replayed.json, replayed.headers.get('Idempotency-Replayed')], [expired.json, 'true']);
  const { json } = await app.request('GET', '/v1/inventory/1');
  assert.partialDeepStrictEqual(json, { quantity: 5, reserved: 2, available: 3 });

  for (const orderId of [1, 2]) {
    const refused = await expire(orderId);
    assert.deepEqual([refused.status, refused.code], [409, 'invalid_transition'], refused.text);
  }
  const entries = await app.admin.activity.list({ action: 'orders.expire', limit: 10 });
  assert.deepEqual(
    entries.map(({ actor, target }) => [actor, target]),
    [[principal.key.id, '1']],
  );
});
