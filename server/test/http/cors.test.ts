import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/harness.ts';
import { DOCUMENT, operationsIn } from '../support/openapi-document.ts';
import { petRows } from '../support/pet-rows.ts';

const SHOP = 'https://shop.example';
const TILL = 'http://localhost:3000';
const config = { PETSTORE_CORS_ORIGINS: `${SHOP},${TILL}` };
const ALLOW = 'GET, HEAD, OPTIONS';

/** Headers that a page may always read, or does not need. */
const UNEXPOSED = ['Accept', 'Accept-Patch', 'Cache-Control', 'Vary', 'X-Accel-Buffering'];

function corsOf(headers: Headers): string[] {
  return [...headers.keys()].filter((name) => name.startsWith('access-control-'));
}

test('a configured origin may read every answer, errors and service routes included', async (t) => {
  const { request } = await startApp(t, { config, pets: petRows(1) });
  const headers = { Origin: SHOP };
  const answers = [
    await request('GET', '/v1/inventory', { headers }),
    await request('GET', '/v1/inventory', { headers: { ...headers, 'If-None-Match': '*' } }),
    await request('PATCH', '/v1/inventory/1', { headers, body: '{"quantity":-1}' }),
    await request('GET', '/v1/inventory', { headers, key: null }),
    await request('GET', '/v1/nothing', { headers }),
    await request('GET', '/healthz', { headers, key: null }),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 304, 400, 401, 404, 200],
  );
  for (const answer of answers) {
    assert.equal(answer.headers.get('Access-Control-Allow-Origin'), SHOP);
    assert.match(answer.headers.get('Vary') ?? '', /\bOrigin\b/);
    const exposed = answer.headers.get('Access-Control-Expose-Headers') ?? '';
    const documented = operationsIn(DOCUMENT).flatMap(({ operation }) => Object.values(operation.responses));
    const names = documented.flatMap((response) => Object.keys(response.headers ?? {}));
    assert.ok(names.includes('Inventory-Sequence'));
    for (const name of names.filter((one) => !UNEXPOSED.includes(one))) {
      assert.ok(exposed.split(', ').includes(name), name);
    }
    assert.equal(answer.headers.get('Access-Control-Allow-Credentials'), null, 'keys are not cookies');
  }
});

test('the list still varies by encoding when it varies by origin', async (t) => {
  const { request } = await startApp(t, { config });
  const { headers } = await request('GET', '/v1/inventory', { headers: { Origin: TILL } });
  assert.equal(headers.get('Vary'), 'Accept-Encoding, Origin');
});

test('any other origin is answered as if it had not named itself', async (t) => {
  const { request } = await startApp(t, { config });
  const others = [
    'https://evil.example',
    'https://shop.example.evil.example',
    'http://shop.example',
    `${SHOP}:8443`,
    'null',
    SHOP.toUpperCase(),
    `${SHOP}/`,
  ];
  for (const origin of others) {
    const { status, headers } = await request('GET', '/v1/inventory', { headers: { Origin: origin } });
    assert.deepEqual([status, corsOf(headers)], [200, []], origin);
  }
});

test('without configured origins nothing is allowed to any', async (t) => {
  const { request } = await startApp(t);
  const { headers } = await request('GET', '/v1/inventory', { headers: { Origin: SHOP } });
  assert.deepEqual(corsOf(headers), []);
});

test('204: a preflight needs no key, and lists the allowed methods and headers', async (t) => {
  const { request } = await startApp(t, { config });
  const headers = {
    Origin: SHOP,
    'Access-Control-Request-Method': 'PATCH',
    'Access-Control-Request-Headers': 'authorization, content-type',
  };
  const answer = await request('OPTIONS', '/v1/inventory/7', { key: null, headers });
  assert.equal(answer.status, 204);
  assert.equal(answer.headers.get('Access-Control-Allow-Origin'), SHOP);
  assert.equal(answer.headers.get('Access-Control-Allow-Methods'), 'GET, HEAD, PATCH, OPTIONS');
  assert.equal(answer.headers.get('Access-Control-Max-Age'), '7200');
  const allowed = (answer.headers.get('Access-Control-Allow-Headers') ?? '').split(', ');
  const documented = operationsIn(DOCUMENT).flatMap(({ operation }) => operation.parameters ?? []);
  const names = documented.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
  assert.ok(names.includes('If-Match'));
  for (const name of ['Authorization', 'Content-Type', ...names]) assert.ok(allowed.includes(name), name);
});

test('204: a preflight of another origin gets Allow and no CORS headers', async (t) => {
  const { request } = await startApp(t, { config });
  for (const headers of [{}, { Origin: 'https://evil.example' }]) {
    const answer = await request('OPTIONS', '/v1/inventory', { key: null, headers });
    assert.deepEqual([answer.status, answer.headers.get('Allow'), corsOf(answer.headers)], [204, ALLOW, []]);
  }
});

test('OPTIONS counts against the address without a key, and against the account with one', async (t) => {
  const { request } = await startApp(t, {
    config: { ...config, PETSTORE_ADDRESS_LIMIT: '2' },
    limits: { perMinute: 10, perDay: 100 },
  });
  const remainingOf = async (key?: null) => {
    const sent = key === null ? { key } : {};
    const { headers } = await request('OPTIONS', '/v1/inventory', sent);
    return headers.get('X-RateLimit-Remaining');
  };
  assert.deepEqual([await remainingOf(null), await remainingOf(null)], ['1', '0']);
  const { status, code } = await request('OPTIONS', '/v1/inventory', { key: null });
  assert.deepEqual([status, code], [429, 'rate_limit_exceeded']);
  assert.equal(await remainingOf(), '9');
});

test('a preflight of an allowed origin takes nothing from the address, and is answered when nothing is left', async (t) => {
  const { request } = await startApp(t, { config: { ...config, PETSTORE_ADDRESS_LIMIT: '2' } });
  const preflight = (more: Record<string, string> = {}, path = '/v1/inventory/7') => {
    const headers = { Origin: SHOP, 'Access-Control-Request-Method': 'PATCH', ...more };
    return request('OPTIONS', path, { key: null, headers });
  };
  for (let i = 0; i < 70; i += 1) {
    const { status, headers } = await preflight({}, `/v1/inventory/${i}`);
    assert.deepEqual([status, headers.get('X-RateLimit-Remaining')], [204, '2']);
  }
  // Each request that is not a preflight of an allowed page costs one.
  const counted = await preflight({ Origin: 'https://evil.example' });
  assert.deepEqual([counted.status, counted.headers.get('X-RateLimit-Remaining')], [204, '1']);
  const unknown = await preflight({}, '/v1/nothing');
  assert.deepEqual([unknown.status, unknown.headers.get('X-RateLimit-Remaining')], [401, '0']);
  const { status, headers } = await preflight();
  assert.deepEqual([status, headers.get('X-RateLimit-Remaining')], [204, '0'], 'the truth, and not counted');
  assert.equal(headers.get('Access-Control-Allow-Methods'), 'GET, HEAD, PATCH, OPTIONS');
  assert.equal((await preflight({ Origin: 'https://evil.example' })).status, 429);
  const { status: plain } = await request('OPTIONS', '/v1/inventory', {
    key: null,
    headers: { Origin: SHOP },
  });
  assert.equal(plain, 429, 'OPTIONS of an allowed page that names no method');
});

test('a preflight with a credential counts, so that no key is guessed by it', async (t) => {
  const { request } = await startApp(t, { config: { ...config, PETSTORE_ADDRESS_LIMIT: '1' } });
  const headers = { Origin: SHOP, 'Access-Control-Request-Method': 'GET' };
  const guess = () => request('OPTIONS', '/v1/inventory', { key: 'guess', headers });
  assert.equal((await guess()).headers.get('X-RateLimit-Remaining'), '0');
  assert.equal((await guess()).status, 429);
});

test('an outsider cannot find paths by OPTIONS any better than by GET: an unknown one is 401', async (t) => {
  const { request } = await startApp(t, { config });
  assert.equal((await request('OPTIONS', '/v1/nothing', { key: null })).status, 401);
  assert.equal((await request('OPTIONS', '/v1/nothing')).status, 404);
});

test('Allow lists the methods of a path, with Accept-Patch if it has PATCH', async (t) => {
  const { request } = await startApp(t);
  const list = await request('OPTIONS', '/v1/inventory');
  assert.deepEqual([list.headers.get('Allow'), list.headers.get('Accept-Patch')], [ALLOW, null]);
  const item = await request('OPTIONS', '/v1/inventory/7');
  assert.equal(item.headers.get('Allow'), 'GET, HEAD, PATCH, OPTIONS');
  assert.equal(item.headers.get('Accept-Patch'), 'application/json, application/merge-patch+json');
});
