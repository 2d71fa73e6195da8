import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminShop } from '../support/admin-shop.ts';
import { startApp } from '../support/harness.ts';
import { petRow, petRows } from '../support/pet-rows.ts';

test('addresses in the headers of shared operations are those of the management API', async (t) => {
  const { app, key } = await adminShop(t, 'staff', { pets: petRows(5) });
  const page = await app.request('GET', '/admin/v1/inventory?limit=2', { key });
  assert.match(page.headers.get('Link') ?? '', /^<http:\/\/localhost:8080\/admin\/v1\/inventory\?/);
  const body = '{"delta":1,"reason":"received"}';
  const made = await app.request('POST', '/admin/v1/inventory/1/adjustments', { key, body });
  assert.match(made.headers.get('Location') ?? '', /\/admin\/v1\/movements\/\d+$/);
  const lines = '{"lines":[{"petId":1,"quantity":1}]}';
  const order = await app.request('POST', '/admin/v1/store/orders', { key, body: lines });
  const location = new URL(order.headers.get('Location') ?? '').pathname;
  assert.match(location, /^\/admin\/v1\/store\/orders\/\d+$/);
  assert.deepEqual((await app.request('GET', location, { key })).json, order.json);
  const own = await app.request('GET', '/v1/inventory?limit=2');
  assert.match(own.headers.get('Link') ?? '', /^<http:\/\/localhost:8080\/v1\/inventory\?/);
});

test('an Idempotency-Key belongs to the management key that sent it', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n, 5)] });
  const keys = [await app.makeAdminKey('staff'), await app.makeAdminKey('staff')];
  const adjust = (key: string, delta: number) =>
    app.request('POST', '/admin/v1/inventory/1/adjustments', {
      key,
      body: JSON.stringify({ delta, reason: 'received' }),
      headers: { 'Idempotency-Key': 'one' },
    });
  for (const { key } of keys) {
    const first = await adjust(key, 1);
    const again = await adjust(key, 1);
    assert.deepEqual([first.status, again.status], [201, 201]);
    assert.equal(first.headers.get('Idempotency-Replayed'), null);
    assert.equal(again.headers.get('Idempotency-Replayed'), 'true');
    assert.equal((await adjust(key, 2)).code, 'idempotency_key_reused');
  }
  const { json } = await app.request('GET', '/v1/inventory/1');
  assert.equal((json as { quantity: number }).quantity, 7);
  const entries = await app.admin.activity.list({ action: 'inventory.adjust', limit: 10 });
  assert.equal(entries.length, 2, 'a replay is no further action');
});

test('a management key has 1,200 requests per minute, 60 of them costly', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n)] });
  const [one, other] = [await app.makeAdminKey('viewer'), await app.makeAdminKey('viewer')];
  const codes = new Map<string | undefined, number>();
  const get = async (target: string, key: string) => {
    const answer = await app.request('GET', `/admin/v1${target}`, { key });
    codes.set(answer.code, (codes.get(answer.code) ?? 0) + 1);
    return answer;
  };
  for (let i = 0; i < 62; i += 1) await get('/ledger/audit', one.key);
  assert.deepEqual([codes.get(undefined), codes.get('rate_limit_exceeded')], [60, 2]);
  codes.clear();
  for (let i = 0; i < 1_203; i += 1) await get('/system', one.key);
  assert.deepEqual([codes.get(undefined), codes.get('rate_limit_exceeded')], [1_200, 3]);
  assert.equal((await get('/ledger/audit', other.key)).status, 200, 'each key has its own');
  assert.equal(
    (await get('/nowhere', one.key)).code,
    'rate_limit_exceeded',
    'before the look-up of the path',
  );
  app.clock.nowMs += 60_000;
  const later = await get('/system', one.key);
  assert.equal(later.headers.get('X-RateLimit-Remaining'), '1199');
});

test('wrong management keys are charged to the address', async (t) => {
  const { app, key } = await adminShop(t, 'viewer', { config: { PETSTORE_ADDRESS_LIMIT: '3' } });
  const get = (sent: string | null, from: string) =>
    app.request('GET', '/admin/v1/system', { key: sent, from });
  for (const sent of [null, 'psa_live_x', app.key]) assert.equal((await get(sent, '192.0.2.1')).status, 401);
  assert.equal((await get(null, '192.0.2.1')).code, 'rate_limit_exceeded');
  assert.equal((await get(null, '192.0.2.2')).code, 'missing_api_key');
  assert.equal((await get(key, '192.0.2.1')).status, 200, 'a valid key is not charged');
});

test('pages of other origins cannot read the responses of the management API', async (t) => {
  const origin = 'https://shop.example';
  const { app, key } = await adminShop(t, 'viewer', { config: { PETSTORE_CORS_ORIGINS: origin } });
  const answer = await app.request('GET', '/admin/v1/system', { key, headers: { Origin: origin } });
  assert.equal(answer.headers.get('Access-Control-Allow-Origin'), null);
  const preflight = await app.request('OPTIONS', '/admin/v1/system', {
    key: null,
    headers: { Origin: origin, 'Access-Control-Request-Method': 'GET' },
  });
  assert.deepEqual([preflight.status, preflight.headers.get('Access-Control-Allow-Methods')], [204, null]);
});
