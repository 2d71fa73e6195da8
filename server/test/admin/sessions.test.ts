import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ROLES, type Role } from '@petstore-inventory/shared/words';
import { readPepper } from '../../src/cli/pepper.ts';
import { hashApiKey } from '../../src/domain/access/api-key.ts';
import { includesRole } from '../../src/domain/access/roles.ts';
import { createSessionSecret } from '../../src/domain/access/sessions.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { type Answer, startApp } from '../support/harness.ts';
import { ADMIN_DOCUMENT, operationsIn } from '../support/openapi-document.ts';
import { petRow } from '../support/pet-rows.ts';
import { assertNoticed } from '../support/test-database.ts';
import { until } from '../support/until.ts';
import { cookieOf, type SessionJson, sessionOf, signedIn, signIn } from './cookie-requests.ts';
import { ADMIN_REQUESTS, pathOf } from './requests.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const HOUR_MS = 3_600_000;
const SECURE = /^__Host-petstore_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/;
const PLAIN = /^petstore_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/;

async function startShop(t: Pick<TestContext, 'after'>, config: Readonly<Record<string, string>> = {}) {
  return startApp(t, { pets: [petRow(1n, 50)], nowMs: 'now', config });
}

test('a key is exchanged for a cookie, which works until the sign-out', async (t) => {
  const app = await startShop(t);
  const { key, principal } = await app.makeAdminKey('staff');
  const answer = await signIn(app, { key });
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('Set-Cookie') ?? '', PLAIN);
  assert.equal(answer.headers.get('Cache-Control'), 'no-store');
  const session = sessionOf(answer);
  assert.deepEqual(
    [session.keyId, session.name, session.role, session.isCurrent],
    [principal.key.id, 'staff', 'staff', true],
  );
  const lifeMs = Date.parse(session.expiresAt) - Date.parse(session.createdAt);
  const idleMs = Date.parse(session.idleExpiresAt) - Date.parse(session.createdAt);
  assert.deepEqual([lifeMs, idleMs], [24 * HOUR_MS, 8 * HOUR_MS]);

  const page = await signedIn(app, 'staff', { key, principal });
  const own = await page.send('GET', '/session');
  assert.equal(sessionOf(own).sessionId, page.sessionId);
  const ended = await page.send('DELETE', '/session');
  assert.equal(ended.status, 204);
  assert.equal(
    ended.headers.get('Set-Cookie'),
    'petstore_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0',
  );
  assert.equal((await page.send('GET', '/session')).code, 'session_ended');
  const actions = await app.admin.activity.list({ actor: principal.key.id, limit: 10 });
  assert.deepEqual(
    actions.map(({ action, target }) => [action, target]),
    [
      ['sessions.end', page.sessionId],
      ['sessions.create', page.sessionId],
      ['sessions.create', session.sessionId],
    ],
  );
  const [[stored]] = (await app.database.rows('SELECT hash FROM sessions')) as [[Uint8Array]];
  assert.equal(stored.byteLength, 32, 'the database has only a hash');
});

test('a session names the first one of the keys that led to its key by rotation', async (t) => {
  const app = await startShop(t);
  const administrator = await app.makeAdminKey('administrator');
  const first = await app.makeAdminKey('staff');
  let { id } = first.principal.key;
  let key = first.key;
  for (let rotation = 0; rotation <= 2; rotation += 1) {
    const answer = await signIn(app, { key });
    const headers = { Cookie: cookieOf(answer), 'Sec-Fetch-Site': 'same-origin' };
    const read = await app.request('GET', '/admin/v1/session', { key: null, headers });
    for (const session of [sessionOf(answer), sessionOf(read)])
      assert.deepEqual(
        [session.keyId, session.firstKeyId],
        [id, first.principal.key.id],
        `rotation ${rotation}`,
      );
    const rotated = await app.request('POST', `/admin/v1/admin-keys/${id}/rotate`, {
      key: administrator.key,
      body: '{"overlapSeconds":60}',
    });
    ({ id, key } = rotated.json as unknown as { id: string; key: string });
  }
  const listed = await app.request('GET', '/admin/v1/sessions', { key: administrator.key });
  const sessions = listed.json as unknown as readonly SessionJson[];
  assert.deepEqual(
    sessions.map(({ firstKeyId }) => firstKeyId),
    sessions.map(() => first.principal.key.id),
  );
  assert.equal(sessions.length, 3);
});

test('every operation works with a cookie as with its key', async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startShop(t);
  await app.request('POST', '/v1/store/orders', { body: '{"lines":[{"petId":1,"quantity":1}]}' });
  const pages = await Promise.all(ROLES.map((role) => signedIn(app, role)));
  for (const { method, operation } of operationsIn(ADMIN_DOCUMENT)) {
    const { operationId } = operation;
    const role = operation['x-role'] as Role | undefined;
    const row = ADMIN_REQUESTS[operationId];
    if (role === undefined || !row || operationId.endsWith('Session')) continue;
    for (const [i, held] of ROLES.entries()) {
      const body: string | undefined = typeof row.body === 'function' ? await row.body(app) : row.body;
      const sending: { body?: string } = body === undefined ? {} : { body };
      const answer: Answer | undefined = await pages[i]?.send(
        row.method ?? method,
        await pathOf(app, row),
        sending,
      );
      const expected: number = includesRole(held, role) ? row.status : 403;
      assert.equal(answer?.status, expected, `${operationId} as ${held}: ${answer?.text}`);
    }
  }
});

test('a session ends when it is not used for 8 hours, 24 hours after the sign-in, or with its key', async (t) => {
  const app = await startShop(t);
  const startMs = app.clock.nowMs;
  const page = await signedIn(app, 'viewer');
  const at = async (hours: number) => {
    app.clock.nowMs = startMs + hours * HOUR_MS;
    return page.send('GET', '/session');
  };
  for (const hours of [7.9, 15, 22, 23.9]) assert.equal((await at(hours)).status, 200, `${hours} hours`);
  assert.equal((await at(24.1)).code, 'session_ended');

  const idle = await signedIn(app, 'viewer');
  app.clock.nowMs = startMs + 8.1 * HOUR_MS;
  assert.equal((await idle.send('GET', '/session')).code, 'session_ended');

  app.clock.nowMs = startMs;
  const expiring = await signedIn(app, 'viewer', await app.makeAdminKey('viewer', startMs + HOUR_MS));
  const { expiresAt, idleExpiresAt } = sessionOf(await expiring.send('GET', '/session'));
  assert.deepEqual([Date.parse(expiresAt), Date.parse(idleExpiresAt)], Array(2).fill(startMs + HOUR_MS));
  app.clock.nowMs = startMs + HOUR_MS;
  assert.equal((await expiring.send('GET', '/session')).code, 'session_ended');
});

test('sessions that have ended are in no list', async (t) => {
  const app = await startShop(t);
  const { key } = await app.makeAdminKey('administrator');
  const makeExpiring = () => app.makeAdminKey('viewer', app.clock.nowMs + HOUR_MS);
  const [live, idle, over, ofExpired, ofRevoked] = [
    await signedIn(app, 'viewer'),
    await signedIn(app, 'viewer'),
    await signedIn(app, 'viewer'),
    await signedIn(app, 'viewer', await makeExpiring()),
    await signedIn(app, 'viewer'),
  ];
  const past = (column: string, ms: number) => `${column} = ${column} - ${ms}`;
  await app.database.run(
    `UPDATE sessions SET ${past('used_at', 8 * HOUR_MS)} WHERE id = '${idle.sessionId}'`,
  );
  await app.database.run(
    `UPDATE sessions SET ${past('ends_at', 24 * HOUR_MS)} WHERE id = '${over.sessionId}'`,
  );
  const keyOf = (page: typeof live) => `WHERE id = '${page.principal.key.id}'`;
  await app.database.run(`UPDATE api_keys SET ${past('expires_at', HOUR_MS)} ${keyOf(ofExpired)}`);
  await app.database.run(`UPDATE api_keys SET revoked_at = created_at ${keyOf(ofRevoked)}`);
  const listed = await app.request('GET', '/admin/v1/sessions', { key });
  assert.deepEqual(
    (listed.json as unknown as { sessionId: string }[]).map(({ sessionId }) => sessionId),
    [live.sessionId],
  );
});

test('a use after a clock that was ahead is recorded with its own time', async (t) => {
  const app = await startShop(t);
  const startMs = app.clock.nowMs;
  const page = await signedIn(app, 'viewer');
  const { key, principal } = await app.makeAdminKey('viewer');
  const use = async (nowMs: number) => {
    app.clock.nowMs = nowMs;
    assert.equal((await page.send('GET', '/session')).status, 200);
    assert.equal((await app.request('GET', '/admin/v1/system', { key })).status, 200);
    const used = `SELECT used_at FROM sessions WHERE id = '${page.sessionId}' UNION ALL
SELECT last_used_at FROM api_keys WHERE id = '${principal.key.id}'`;
    await until(
      async () => (await app.database.rows(used)).every(([atMs]) => atMs === nowMs),
      `the use at ${nowMs - startMs} is written`,
    );
  };
  await use(startMs + 2 * HOUR_MS);
  // The sign-in was by the clock of the database, and no use is before it.
  await use(startMs + HOUR_MS);
});

test('a clock that goes back a day ends no session when it is right again', async (t) => {
  const app = await startShop(t);
  const startMs = app.clock.nowMs;
  const page = await signedIn(app, 'viewer');
  const at = async (ms: number) => {
    app.clock.nowMs = startMs + ms;
    return (await page.send('GET', '/session')).status;
  };
  const usedAt = async () => (await app.database.rows('SELECT used_at FROM sessions'))[0]?.[0];
  assert.equal(await at(HOUR_MS), 200);
  await until(async () => (await usedAt()) === startMs + HOUR_MS, 'the use is written');
  assert.equal(await at(-24 * HOUR_MS), 200);
  await until(async () => (await usedAt()) !== startMs + HOUR_MS, 'the use of the wrong clock is written');
  assert.equal(await at(2 * HOUR_MS), 200);
});

test('the last use of a session is recorded, so that it lasts after a restart and at other instances', async (t) => {
  const app = await startShop(t);
  const page = await signedIn(app, 'viewer');
  app.clock.nowMs += 7 * HOUR_MS;
  assert.equal((await page.send('GET', '/session')).status, 200);
  const usedAt = async () => (await app.database.rows('SELECT used_at FROM sessions'))[0]?.[0];
  await until(async () => (await usedAt()) === app.clock.nowMs, 'the use is written');
});

test('revoking the key of a session, or changing its role, applies to it within 5 seconds', async (t) => {
  const app = await startShop(t);
  const [page, other] = [await signedIn(app, 'administrator'), await signedIn(app, 'staff')];
  const create = { body: '{"role":"viewer"}' };
  assert.equal((await page.send('POST', '/admin-keys', create)).status, 201);
  const { id } = page.principal.key;
  await app.database.run(`UPDATE api_keys SET role = 'viewer' WHERE id = '${id}'`);
  await assertNoticed(
    async () => (await page.send('POST', '/admin-keys', create)).code,
    'insufficient_scope',
  );
  assert.equal(sessionOf(await page.send('GET', '/session')).role, 'viewer');
  await app.admin.keys.revoke(id, app.clock.nowMs, CLI_AUTHOR);
  await assertNoticed(async () => (await page.send('GET', '/session')).code, 'session_ended');
  assert.equal((await other.send('GET', '/session')).status, 200);
});

test('people see and end their own sessions, administrators those of all', async (t) => {
  const app = await startShop(t);
  const first = await signedIn(app, 'staff');
  const second = await signedIn(app, 'staff', first);
  const other = await signedIn(app, 'viewer');
  const boss = await signedIn(app, 'administrator');
  const idsOf = async (page: typeof first, query = '') => {
    const list = (await page.send('GET', `/sessions${query}`)).json as unknown as { sessionId: string }[];
    return list.map(({ sessionId }) => sessionId).toSorted();
  };
  const own = [first.sessionId, second.sessionId].toSorted();
  assert.deepEqual(await idsOf(first), own);
  assert.deepEqual(await idsOf(other), [other.sessionId]);
  assert.deepEqual(await idsOf(boss), [...own, other.sessionId, boss.sessionId].toSorted());
  const page = await boss.send('GET', '/sessions?limit=3');
  const next = new URL(/<([^>]+)>/.exec(page.headers.get('Link') ?? '')?.[1] ?? '');
  assert.equal((await idsOf(boss, next.search)).length, 1);

  assert.equal((await other.send('DELETE', `/sessions/${first.sessionId}`)).code, 'not_found');
  assert.equal((await first.send('DELETE', `/sessions/${second.sessionId}`)).status, 204);
  await assertNoticed(async () => (await second.send('GET', '/session')).code, 'session_ended');
  assert.equal((await boss.send('DELETE', `/sessions/${other.sessionId}`)).status, 204);
  await assertNoticed(async () => (await other.send('GET', '/session')).code, 'session_ended');
  assert.equal((await boss.send('DELETE', `/sessions/${other.sessionId}`)).status, 404);
  assert.deepEqual(await idsOf(boss), [first.sessionId, boss.sessionId].toSorted());
});

test('a key has at most 100 sessions, and those that are over are deleted', async (t) => {
  const app = await startShop(t);
  const { key, principal } = await app.makeAdminKey('viewer');
  const begin = (i: number) =>
    app.admin.sessions.begin(
      { id: `ses_${String(i).padStart(16, '0')}`, hash: hashApiKey(`${i}`, new Uint8Array()) },
      principal.key.id,
      null,
    );
  for (let i = 0; i < 100; i += 1) await begin(i);
  const count = async () => (await app.database.rows('SELECT count(*) FROM sessions'))[0]?.[0];
  await app.database.run("UPDATE sessions SET begun_at = 1 WHERE id = 'ses_0000000000000007'");
  assert.equal((await signIn(app, { key })).status, 200);
  assert.equal(await count(), 100);
  assert.deepEqual(await app.database.rows("SELECT id FROM sessions WHERE id = 'ses_0000000000000007'"), []);
  await app.database.run('UPDATE sessions SET ends_at = 1');
  assert.equal((await signIn(app, { key })).status, 200);
  assert.equal(await count(), 1);
});

test('a sign-in code works once, for 10 minutes', async (t) => {
  const app = await startShop(t);
  const { principal } = await app.makeAdminKey('administrator');
  const pepper = readPepper(app.config) as Uint8Array;
  const addCode = async () => {
    const code = createSessionSecret();
    await app.admin.sessions.addCode(hashApiKey(code, pepper), principal.key.id, CLI_AUTHOR);
    return code;
  };
  const client = (await app.makeKey()).principal.key.id;
  await assert.rejects(app.admin.sessions.addCode(hashApiKey('', pepper), client, CLI_AUTHOR), {
    message: `Management key ${client} does not work.`,
  });
  const code = await addCode();
  const answers = await Promise.all([signIn(app, { code }), signIn(app, { code }), signIn(app, { code })]);
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401]);
  assert.equal((await signIn(app, { code })).code, 'invalid_api_key');
  const expired = await addCode();
  await app.database.run(`UPDATE sign_in_codes SET expires_at = expires_at - ${10 * 60_000}`);
  assert.equal((await signIn(app, { code: expired })).status, 401);
  await addCode();
  assert.equal(
    (await app.database.rows('SELECT 1 FROM sign_in_codes')).length,
    1,
    'expired ones are deleted',
  );
  const revoked = await addCode();
  await app.admin.keys.revoke(principal.key.id, app.clock.nowMs, CLI_AUTHOR);
  assert.equal((await signIn(app, { code: revoked })).code, 'invalid_api_key');
});

test('failed sign-ins are limited per address, and others do not count', async (t) => {
  const app = await startShop(t);
  const { key } = await app.makeAdminKey('viewer');
  const attempt = (body: object, from: string) =>
    app.request('POST', '/admin/v1/session', { key: null, body: JSON.stringify(body), from });
  for (let i = 0; i < 15; i += 1) assert.equal((await attempt({ key }, '192.0.2.1')).status, 200);
  for (let i = 0; i < 10; i += 1) {
    const wrong = [{ key: 'psa_live_x' }, { code: createSessionSecret() }, { key: app.key }, { code: '"' }];
    assert.equal((await attempt(wrong[i % 4] as object, '192.0.2.1')).code, 'invalid_api_key');
  }
  const refused = await attempt({ key }, '192.0.2.1');
  assert.deepEqual([refused.status, refused.headers.get('X-RateLimit-Limit')], [429, '10']);
  assert.equal((await attempt({ key }, '192.0.2.2')).status, 200);
  app.clock.nowMs += 60_000;
  assert.equal((await attempt({ key }, '192.0.2.1')).status, 200);
});

test('requests without a key from the same address do not count as sign-ins', async (t) => {
  const app = await startShop(t, { PETSTORE_ADDRESS_LIMIT: '3' });
  const { key } = await app.makeAdminKey('viewer');
  const from = '192.0.2.1';
  for (let i = 0; i < 4; i += 1) await app.request('GET', '/admin/v1/session', { key: null, from });
  assert.equal((await app.request('GET', '/v1/inventory', { key: null, from })).status, 429);
  const withKey = await app.request('POST', '/admin/v1/session', {
    key: null,
    body: JSON.stringify({ key }),
    from,
  });
  assert.deepEqual([withKey.status, withKey.headers.get('X-RateLimit-Remaining')], [200, '10']);
  for (let i = 0; i < 10; i += 1) {
    await app.request('POST', '/admin/v1/session', { key: null, body: '{"key":"x"}', from });
  }
  const unread = await app.request('POST', '/admin/v1/session', { key: null, body: '{', from });
  assert.equal(unread.status, 429, 'before the body is read');
});

test('the cookie has its prefix with TLS, and elsewhere only this machine or the operator allows sessions', async (t) => {
  const app = await startShop(t, { PETSTORE_TRUSTED_PROXIES: '192.0.2.9' });
  const { key } = await app.makeAdminKey('viewer');
  const setCookieAt = async (host: string, proto: string | undefined, from = '192.0.2.9') => {
    const headers = { Host: host, ...(proto !== undefined && { 'X-Forwarded-Proto': proto }) };
    const sending = { key: null, body: JSON.stringify({ key }), headers, from };
    const answer = await app.request('POST', '/admin/v1/session', sending);
    return answer.status === 200 ? (answer.headers.get('Set-Cookie') ?? '') : answer.code;
  };
  assert.match((await setCookieAt('shop.example', 'https')) ?? '', SECURE);
  assert.match((await setCookieAt('localhost:8080', 'https, https')) ?? '', SECURE);
  for (const host of ['localhost', 'localhost:8080', '127.0.0.1:1', '[::1]:8080', 'LOCALHOST']) {
    assert.match((await setCookieAt(host, undefined)) ?? '', PLAIN, host);
  }
  for (const host of ['shop.example', 'localhost.shop.example', '127.0.0.2', 'xlocalhost', '0.0.0.0:8080']) {
    assert.equal(await setCookieAt(host, undefined), 'insecure_connection', host);
    assert.equal(await setCookieAt(host, 'https', '192.0.2.1'), 'insecure_connection', 'of an unknown proxy');
    assert.equal(await setCookieAt(host, 'https, http'), 'insecure_connection', 'a part without TLS');
  }
  const open = await startShop(t, { PETSTORE_ALLOW_HTTP_SESSIONS: 'true' });
  const made = await open.makeAdminKey('viewer');
  assert.match(
    cookieOf(await signIn(open, { key: made.key }, { Host: 'shop.example' })),
    /^petstore_session=/,
  );
});
