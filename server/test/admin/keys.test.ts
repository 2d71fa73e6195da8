import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { MAX_NAME } from '@petstore-inventory/shared/limits';
import { keyState } from '../../src/domain/actions/keys.ts';
import { NAMED_CURSOR } from '../../src/http/operation/parameter.ts';
import { adminShop } from '../support/admin-shop.ts';
import type { Answer, TestApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';
import { assertNoticed, testOnceIn } from '../support/test-database.ts';

const once = testOnceIn();
const HOUR_MS = 3_600_000;

interface KeyJson {
  readonly id: string;
  readonly key: string;
  readonly state: string;
  readonly name: string;
  readonly role?: string;
  readonly rotatedFrom: string | null;
  readonly scopes?: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly oldExpiresAt: string | null;
}

function jsonOf(answer: Answer): KeyJson {
  return answer.json as unknown as KeyJson;
}

async function send(app: TestApp, key: string, target: string, body?: object): Promise<Answer> {
  const method = body === undefined ? 'GET' : 'POST';
  return app.request(method, `/admin/v1${target}`, { key, ...(body && { body: JSON.stringify(body) }) });
}

function startShop(t: TestContext) {
  return adminShop(t, 'administrator', { pets: [petRow(1n)], nowMs: 'now' });
}

test('a key works from its creation until its revocation', async (t) => {
  const { app, key } = await startShop(t);
  const account = await send(app, key, '/accounts', { name: ' corner shop ', plan: 'pro' });
  assert.equal(account.status, 201);
  const { id: accountId, name } = jsonOf(account);
  assert.equal(name, 'corner shop');
  assert.match(account.headers.get('Location') ?? '', new RegExp(`/admin/v1/accounts/${accountId}$`));

  const made = await send(app, key, '/keys', { accountId, scopes: ['inventory:read'] });
  assert.equal(made.headers.get('Cache-Control'), 'no-store');
  const own = jsonOf(made);
  assert.equal(own.name, 'corner shop');
  const statusOf = async (target: string) => (await app.request('GET', target, { key: own.key })).status;
  assert.equal(await statusOf('/v1/inventory'), 200);
  assert.equal(await statusOf('/v1/pets/1'), 403);

  const revoked = await send(app, key, `/keys/${own.id}/revoke`, {});
  assert.equal(jsonOf(revoked).state, 'revoked');
  await assertNoticed(() => statusOf('/v1/inventory'), 401);
  const again = await send(app, key, `/keys/${own.id}/revoke`, {});
  // The use of the key is recorded about once per second.
  assert.deepEqual({ ...jsonOf(again), lastUsedAt: null }, { ...jsonOf(revoked), lastUsedAt: null });
  const refused = await send(app, key, `/keys/${own.id}/rotate`, {});
  assert.deepEqual([refused.status, refused.code], [409, 'conflict']);
});

test('a rotated management key works until its overlap ends, and has one successor', async (t) => {
  const { app, key } = await startShop(t);
  const own = jsonOf(await send(app, key, '/admin-keys', { role: 'staff', name: 'Ada' }));
  const rotations = await Promise.all(
    [1, 2, 3].map(() => send(app, key, `/admin-keys/${own.id}/rotate`, { overlapSeconds: 60 })),
  );
  assert.deepEqual(rotations.map(({ status }) => status).toSorted(), [201, 409, 409]);
  const next = jsonOf(rotations.find(({ status }) => status === 201) as Answer);
  assert.deepEqual([next.role, next.name, next.rotatedFrom], ['staff', 'Ada', own.id]);
  for (const one of [own.key, next.key]) assert.equal((await send(app, one, '/system')).status, 200);
  app.clock.nowMs = Date.parse(next.oldExpiresAt ?? '');
  await assertNoticed(async () => (await send(app, own.key, '/system')).code, 'expired_api_key');
  assert.equal((await send(app, next.key, '/system')).status, 200);
});

test('the overlap and the expiry of a rotation are those of its body, and a scope is named one time', async (t) => {
  const { app, key } = await startShop(t);
  const { principal } = await app.makeKey();
  const accountId = principal.account.id;
  const scopes = ['inventory:read', 'inventory:read'];
  const own = jsonOf(await send(app, key, '/keys', { accountId, scopes }));
  assert.deepEqual(own.scopes, ['inventory:read']);
  const expiresAt = '2099-12-31T23:59:59.000Z';
  const next = jsonOf(await send(app, key, `/keys/${own.id}/rotate`, { overlapSeconds: 90, expiresAt }));
  assert.equal(next.expiresAt, expiresAt);
  assert.equal(Date.parse(next.oldExpiresAt ?? '') - Date.parse(next.createdAt), 90_000);
});

test('a rotated key has the scopes and the lifetime of the old one, which works for a day more by default', async (t) => {
  const { app, key } = await startShop(t);
  const { principal } = await app.makeKey();
  const accountId = principal.account.id;
  const expiresAt = new Date(app.clock.nowMs + 3 * HOUR_MS).toISOString();
  const own = jsonOf(await send(app, key, '/keys', { accountId, scopes: ['pets:read'], expiresAt }));
  const next = jsonOf(await send(app, key, `/keys/${own.id}/rotate`, {}));
  const lifeOf = ({ createdAt, expiresAt: endsAt }: KeyJson) =>
    Date.parse(endsAt ?? '') - Date.parse(createdAt);
  assert.deepEqual([next.scopes, lifeOf(next)], [['pets:read'], lifeOf(own)]);
  assert.equal(next.oldExpiresAt, expiresAt, 'the old one lives no longer than before');

  const every = jsonOf(await send(app, key, '/keys', { accountId }));
  const later = jsonOf(await send(app, key, `/keys/${every.id}/rotate`, {}));
  assert.equal(Date.parse(later.oldExpiresAt ?? '') - Date.parse(later.createdAt), 24 * HOUR_MS);
  const stored = await app.database.rows(`SELECT scopes, expires_at FROM api_keys WHERE id = '${later.id}'`);
  assert.deepEqual(stored, [[null, null]], 'a key with every scope keeps those of later releases too');
});

test('a key works until the moment of its expiry, and not in it', () => {
  const key = { revokedAtMs: null, expiresAtMs: 5 };
  assert.deepEqual([keyState(key, 4), keyState(key, 5)], ['active', 'expired']);
  assert.equal(keyState({ ...key, revokedAtMs: 1 }, 4), 'revoked');
});

once(
  'the activity log says when a rotated key ends that expires before the end of its overlap',
  async (t) => {
    const { app, key } = await startShop(t);
    const expiresAt = new Date(app.clock.nowMs + 60_000).toISOString();
    const own = jsonOf(await send(app, key, '/admin-keys', { role: 'staff', name: 'Ada', expiresAt }));
    const next = jsonOf(await send(app, key, `/admin-keys/${own.id}/rotate`, { overlapSeconds: 3_600 }));
    const [line] = await app.admin.activity.list({ target: own.id, limit: 1 });
    const { oldExpiresAt } = (line?.details ?? {}) as { oldExpiresAt?: string };
    assert.deepEqual([next.oldExpiresAt, oldExpiresAt], [expiresAt, expiresAt]);
  },
);

test('a write that is repeated with the key of a rotation, or of the next one, is executed once', async (t) => {
  const { app, key: first } = await startShop(t);
  const staff = await app.makeAdminKey('staff');
  const adjust = (key: string) =>
    app.request('POST', '/admin/v1/inventory/1/adjustments', {
      key,
      headers: { 'Idempotency-Key': 'delivery-7' },
      body: '{"delta":1,"reason":"received"}',
    });
  const made = await adjust(staff.key);
  assert.equal(made.status, 201);
  let { id } = staff.principal.key;
  for (let rotation = 1; rotation <= 2; rotation += 1) {
    const next = jsonOf(await send(app, first, `/admin-keys/${id}/rotate`, { overlapSeconds: 60 }));
    const again = await adjust(next.key);
    assert.deepEqual([again.status, again.text], [201, made.text], `rotation ${rotation}`);
    assert.equal(again.headers.get('Idempotency-Replayed'), 'true');
    ({ id } = next);
  }
  const listed = await app.admin.keys.list({ kind: 'management' });
  assert.ok(
    listed.every(({ key }) => key.firstKeyId === undefined),
    'a list follows no chain of rotations',
  );
});

once('a key of one kind is not found among those of the other', async (t) => {
  const { app, key } = await startShop(t);
  const { id } = app.principal.key;
  const other = await app.makeAdminKey('viewer');
  for (const target of [`/admin-keys/${id}`, `/keys/${other.principal.key.id}`, '/keys/nothing']) {
    const answer = await send(app, key, target);
    assert.deepEqual([answer.status, answer.code], [404, 'not_found'], target);
  }
  for (const target of [`/admin-keys/${id}/revoke`, `/keys/${other.principal.key.id}/rotate`]) {
    assert.equal((await send(app, key, target, {})).status, 404, target);
  }
  const secret = await send(app, key, `/keys/${app.key}`);
  assert.equal(secret.status, 404);
  assert.doesNotMatch(secret.text, /psk_live_[0-9A-Za-z]/);
});

test('wrong bodies name the field', async (t) => {
  const { app, key } = await startShop(t);
  const { id: accountId } = app.principal.account;
  const wrong: readonly [string, object, RegExp][] = [
    ['/accounts', { plan: 'pro' }, /^name is required/],
    ['/accounts', { name: 'a\nb', plan: 'pro' }, /^name must have 1 to 100 characters/],
    ['/accounts', { name: 'a', plan: 'gold' }, /^plan must be one of free/],
    ['/accounts', { name: 'a', plan: 'pro', perMinute: 5 }, /pro plan has its own/],
    ['/accounts', { name: 'a', plan: 'enterprise', perMinute: 5 }, /needs both limits/],
    ['/accounts', { name: 'a', plan: 'enterprise', perMinute: 0, perDay: 1 }, /^perMinute must be a whole/],
    ['/accounts', { name: 'a', plan: 'pro', colour: 1 }, /^colour is not a member/],
    ['/keys', { name: 'a' }, /^accountId is required/],
    ['/keys', { accountId: 'shop' }, /^accountId must be the id of an account/],
    ['/keys', { accountId, scopes: ['pets:eat'] }, /^scopes\[0\] must be one of/],
    ['/keys', { accountId, scopes: [] }, /^scopes must have at least one/],
    ['/keys', { accountId, expiresAt: '2020-01-01T00:00:00Z' }, /^expiresAt must be in the future/],
    ['/keys', { accountId, expiresAt: 'soon' }, /^expiresAt must be a date/],
    ['/admin-keys', { role: 'owner' }, /^role must be one of viewer/],
  ];
  for (const [target, body, message] of wrong) {
    const answer = await send(app, key, target, body);
    assert.deepEqual([answer.status, answer.code], [400, 'validation_failed'], `${target} ${answer.text}`);
    assert.match((answer.json as { message: string }).message, message);
  }
  assert.equal((await send(app, key, '/keys', { accountId: 'acc_0000000000000000' })).status, 404);
  const same = await send(app, key, '/accounts', { name: app.principal.account.name, plan: 'free' });
  assert.deepEqual([same.status, same.code], [409, 'conflict']);
});

test('collections are paged, each member one time', async (t) => {
  const { app, key } = await startShop(t);
  for (let i = 0; i < 4; i += 1) {
    await send(app, key, '/accounts', { name: `shop ${i}`, plan: 'free' });
    await app.makeKey();
    await app.makeAdminKey('viewer');
  }
  for (const collection of ['accounts', 'keys', 'admin-keys', `keys?accountId=${app.principal.account.id}`]) {
    const all = (await send(app, key, `/${collection}`)).json as unknown as KeyJson[];
    assert.equal(all.length, 5, collection);
    const paged: KeyJson[] = [];
    const first = `/${collection}${collection.includes('?') ? '&' : '?'}limit=2`;
    for (let target: string | undefined = first; target !== undefined;) {
      const page: Answer = await send(app, key, target);
      paged.push(...(page.json as unknown as KeyJson[]));
      target = /\/admin\/v1(\/[^>]*)>; rel="next"/.exec(page.headers.get('Link') ?? '')?.[1];
    }
    // The service may write the last use of a key between two requests.
    const idsOf = (members: readonly KeyJson[]) => members.map(({ id }) => id);
    assert.deepEqual(idsOf(paged), idsOf(all), collection);
  }
  const wrong = await send(app, key, '/keys?cursor=AAAA');
  assert.equal(wrong.code, 'invalid_parameter');
});

test('a page continues at its place, also after the account at its end was renamed', async (t) => {
  const { app, key } = await startShop(t);
  for (let i = 0; i < 4; i += 1) await app.makeKey({ accountId: await app.makeAccount() });
  for (const collection of ['accounts', 'keys']) {
    const all = (await send(app, key, `/${collection}`)).json as unknown as KeyJson[];
    const first = await send(app, key, `/${collection}?limit=2`);
    const target = /\/admin\/v1(\/[^>]*)>; rel="next"/.exec(first.headers.get('Link') ?? '')?.[1] ?? '';
    const last = (first.json as unknown as (KeyJson & { accountId?: string })[])[1];
    const path = `/admin/v1/accounts/${last?.accountId ?? last?.id}`;
    const body = JSON.stringify({ name: `z ${collection}` });
    assert.equal((await app.request('PATCH', path, { key, body })).status, 200);
    const rest = (await send(app, key, target.replace('limit=2', 'limit=9'))).json as unknown as KeyJson[];
    // The renamed one is behind the others now.
    const ids = (members: readonly KeyJson[]) => members.map(({ id }) => id);
    assert.deepEqual(ids(rest), [...ids(all).slice(2), last?.id], collection);
  }
});

test('a cursor with the longest name is as long as its document says, and continues', async (t) => {
  const { app, key } = await startShop(t);
  const names = ['🐈', '🐕'].map((pet) => pet.repeat(MAX_NAME));
  for (const name of names) {
    const { json } = await send(app, key, '/accounts', { name, plan: 'free' });
    await app.makeKey({ accountId: (json as { id: string }).id });
  }
  for (const collection of ['accounts', 'keys']) {
    const all = (await send(app, key, `/${collection}`)).json as unknown as KeyJson[];
    const page = await send(app, key, `/${collection}?limit=${all.length - 1}`);
    const [, cursor = ''] = /cursor=([^&>]+)/.exec(page.headers.get('Link') ?? '') ?? [];
    assert.ok(cursor.length > 500 && cursor.length <= NAMED_CURSOR.schema.maxLength, `${cursor.length}`);
    const rest = (await send(app, key, `/${collection}?cursor=${cursor}`)).json as unknown as KeyJson[];
    assert.deepEqual(
      rest.map(({ id }) => id),
      [all.at(-1)?.id],
      collection,
    );
  }
});

test('changes of an account apply to its next request', async (t) => {
  const { app, key } = await startShop(t);
  const accountId = await app.makeAccount({ perMinute: 100, perDay: 100 });
  const { key: own } = await app.makeKey({ accountId });
  const limit = async () =>
    (await app.request('GET', '/v1/inventory', { key: own })).headers.get('X-RateLimit-Limit');
  assert.equal(await limit(), '100');
  const target = `/admin/v1/accounts/${accountId}`;
  const patch = (body: string) => app.request('PATCH', target, { key, body });
  assert.equal((await patch('{"plan":"free","name":"renamed"}')).status, 200);
  await assertNoticed(limit, '60');
  assert.equal((await patch('{}')).status, 200, 'nothing to change');
  assert.equal((await patch('{"perMinute":7}')).code, 'validation_failed');
  assert.equal((await patch('{"plan":"enterprise","perMinute":70,"perDay":700}')).status, 200);
  assert.equal((await patch('{"perMinute":50,"perDay":500}')).status, 200, 'the plan stays');
  await assertNoticed(limit, '50');
  const limits = { perMinute: 40, perDay: 500 };
  for (const body of ['{"perMinute":40}', '{"perDay":500}', '{"plan":"enterprise"}']) {
    const { perMinute, perDay } = (await patch(body)).json as typeof limits;
    assert.deepEqual({ perMinute, perDay }, limits, `${body}: what is left out stays`);
  }
  assert.equal((await patch('{"plan":"pro"}')).status, 200);
  assert.equal((await patch('{"plan":"enterprise","perDay":700}')).code, 'validation_failed');
  const { json } = await app.request('GET', target, { key });
  assert.equal((json as { name: string }).name, 'renamed');
});
