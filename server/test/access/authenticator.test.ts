import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiKey, hashApiKey } from '../../src/domain/access/api-key.ts';
import type { Principal } from '../../src/domain/access/principal.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import type { KeyStore } from '../../src/domain/store.ts';
import { Authenticator } from '../../src/http/access/authenticator.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { principalOf } from '../support/principals.ts';
import { assertNoticed } from '../support/test-database.ts';

const PATH = '/v1/rate-limit';

/** The error code of a request with this Authorization header; `undefined` if it is accepted. */
async function codeOf({ request }: TestApp, authorization: string): Promise<string | undefined> {
  return (await request('GET', PATH, { key: null, headers: { Authorization: authorization } })).code;
}

test('the scheme may be written in any case, with any number of spaces before the key', async (t) => {
  const app = await startApp(t);
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
    assert.equal(await codeOf(app, `${scheme} ${app.key}`), undefined, scheme);
    assert.equal(await codeOf(app, `${scheme}   ${app.key}`), undefined, scheme);
  }
});

test('401 missing_api_key without a bearer credential', async (t) => {
  const app = await startApp(t);
  for (const authorization of [
    'Bearer',
    'Bearer ',
    'bearer   ',
    'Basic dXNlcjpwYXNz',
    app.key,
    `Token ${app.key}`,
    `Bearer${app.key}`,
    '',
  ]) {
    assert.equal(await codeOf(app, authorization), 'missing_api_key', authorization);
  }
  const { headers } = await app.request('GET', PATH, { key: null });
  assert.equal(headers.get('WWW-Authenticate'), 'Bearer realm="petstore"');
});

test('401 invalid_api_key with the same body for every kind of invalid key', async (t) => {
  const app = await startApp(t);
  const wrong = [
    createApiKey('production'),
    createApiKey('staging'),
    app.key.slice(0, -1),
    `${app.key}0`,
    app.key.toLowerCase(),
    app.key.replace('live', 'test'),
    'x',
    '%00',
  ];
  const bodies = new Set<string>();
  for (const key of wrong) {
    const { status, text, headers } = await app.request('GET', PATH, { key });
    assert.equal(status, 401);
    assert.equal(headers.get('WWW-Authenticate'), 'Bearer realm="petstore", error="invalid_token"');
    bodies.add(text);
  }
  assert.deepEqual(
    [...bodies],
    [
      '{"code":"invalid_api_key","message":"The API key is not valid here. Check that it begins with psk_, is complete, and is neither revoked nor expired.","status":401}\n',
    ],
  );
});

test('400 malformed_request for two credentials, be they equal or not', async (t) => {
  const app = await startApp(t);
  const other = await app.makeKey();
  const pairs = [
    [app.key, app.key],
    [app.key, other.key],
    ['x', app.key],
    [app.key, ''],
  ].map((keys) => keys.map((key) => `Bearer ${key}`));
  for (const credentials of [
    ...pairs,
    [`Bearer ${app.key}`, 'Basic eDp5'],
    ['Basic eDp5', `Bearer ${app.key}`],
  ]) {
    const headers = new Headers(credentials.map((credential) => ['Authorization', credential]));
    const { status, code } = await app.request('GET', '/v1/inventory', { key: null, headers });
    assert.deepEqual([status, code], [400, 'malformed_request']);
  }
});

test('401 for one credential with commas, which is another scheme or no key', async (t) => {
  const { request, key } = await startApp(t);
  const credentials = [
    ['Digest username="Mufasa", realm="shop of pets", nonce="a" , opaque = "b"', 'missing_api_key'],
    ['AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature=c', 'missing_api_key'],
    ['Bearer a,b', 'invalid_api_key'],
    [`Bearer ${key},`, 'invalid_api_key'],
  ];
  for (const [Authorization = '', expected] of credentials) {
    const { status, code } = await request('GET', '/v1/inventory', { key: null, headers: { Authorization } });
    assert.deepEqual([status, code], [401, expected], Authorization);
  }
});

test('a key revoked by another connection is refused, although it was remembered', async (t) => {
  const app = await startApp(t);
  const other = await app.makeKey();
  const authorization = `Bearer ${other.key}`;
  for (let i = 0; i < 3; i += 1) assert.equal(await codeOf(app, authorization), undefined);
  await app.admin.keys.revoke(other.principal.key.id, app.clock.nowMs, CLI_AUTHOR);
  await assertNoticed(() => codeOf(app, authorization), 'revoked_api_key');
  assert.equal(await codeOf(app, `Bearer ${app.key}`), undefined, 'other keys stay good');
});

test('a key made by another connection is good for the very next request', async (t) => {
  const app = await startApp(t);
  for (let i = 0; i < 20; i += 1) {
    const { key } = await app.makeKey();
    assert.equal(await codeOf(app, `Bearer ${key}`), undefined);
  }
});

test('a change of plan by another connection holds from the next request on, and keeps the counts', async (t) => {
  const app = await startApp(t, { plan: 'free' });
  for (let i = 0; i < 10; i += 1) await app.request('GET', '/v1/inventory');
  await app.admin.accounts.update(app.principal.account.id, { plan: 'pro' }, CLI_AUTHOR);
  const { headers } = await app.request('GET', '/v1/inventory');
  assert.deepEqual([headers.get('X-RateLimit-Limit'), headers.get('X-RateLimit-Remaining')], ['300', '289']);
});

test('a remembered key expires at its moment', async (t) => {
  const app = await startApp(t);
  const expiresAtMs = app.clock.nowMs + 10_000;
  const { key } = await app.makeKey({ expiresAtMs });
  app.clock.nowMs = expiresAtMs - 1;
  assert.equal(await codeOf(app, `Bearer ${key}`), undefined);
  app.clock.nowMs = expiresAtMs;
  assert.equal(await codeOf(app, `Bearer ${key}`), 'expired_api_key');
});

test('all keys of an account share its quota', async (t) => {
  const app = await startApp(t, { limits: { perMinute: 5, perDay: 50 } });
  const second = await app.makeKey();
  await app.request('GET', '/v1/inventory');
  await app.request('GET', '/v1/inventory', { key: second.key });
  const { headers } = await app.request('GET', '/v1/inventory');
  assert.equal(headers.get('X-RateLimit-Remaining'), '2');
});

test('a staging database takes psk_test_ keys only', async (t) => {
  const app = await startApp(t, { config: { PETSTORE_ENVIRONMENT: 'staging' } });
  assert.match(app.key, /^psk_test_/);
  assert.equal(await codeOf(app, `Bearer ${app.key}`), undefined);
  assert.equal(await codeOf(app, `Bearer ${createApiKey('production')}`), 'invalid_api_key');
});

test('more keys than are remembered are all still good', async () => {
  const pepper = new Uint8Array(32);
  // The cache has 10,000 places.
  const keys = Array.from({ length: 10_000 + 50 }, () => createApiKey('production'));
  const owners = new Map(
    keys.map((key) => [
      Buffer.from(hashApiKey(key, pepper)).toString('hex'),
      principalOf(key, 'acc', { perMinute: 1, perDay: 1 }),
    ]),
  );
  let lookUps = 0;
  const findKey = (hash: Uint8Array) => {
    lookUps += 1;
    return owners.get(Buffer.from(hash).toString('hex'));
  };
  const store = { accessVersion: () => 1, findKey } as unknown as KeyStore;
  const authenticator = new Authenticator(store, 'production', pepper);
  for (const all of [keys, keys.toReversed()]) {
    const ids = all.map((key) => (authenticator.authenticate(`Bearer ${key}`, 0) as Principal).key.id);
    assert.deepEqual(ids, all);
  }
  assert.equal(lookUps, keys.length + 50);
});

test('guesses are charged to the address, a valid key never is', async (t) => {
  const app = await startApp(t, { config: { PETSTORE_ADDRESS_LIMIT: '3' } });
  const guess = async (from: string) =>
    (await app.request('GET', PATH, { key: createApiKey('production'), from })).code;
  for (let i = 0; i < 3; i += 1) assert.equal(await guess('192.0.2.1'), 'invalid_api_key');
  assert.equal(await guess('192.0.2.1'), 'rate_limit_exceeded');
  assert.equal((await app.request('GET', PATH, { from: '192.0.2.1' })).status, 200);
  assert.equal(await guess('192.0.2.2'), 'invalid_api_key');
  for (let i = 0; i < 2; i += 1) await guess(`2001:db8:0:1::${i}`);
  assert.equal(await guess('2001:db8:0:1:ffff::1'), 'invalid_api_key');
  assert.equal(await guess('2001:db8:0:1::9'), 'rate_limit_exceeded', 'a /64 is one caller');
  assert.equal(await guess('2001:db8:0:2::9'), 'invalid_api_key');
});
