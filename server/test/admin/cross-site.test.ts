import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { openStream } from '../live/app-stream.ts';
import { adminShop } from '../support/admin-shop.ts';
import { startApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';
import { signedIn, signIn } from './cookie-requests.ts';

const OWN = 'http://localhost';
const SITES = [null, 'same-origin', 'same-site', 'cross-site', 'none', 'x', ''] as const;
const ORIGINS = [
  null,
  OWN,
  'https://localhost',
  'http://localhost:81',
  'http://evil.example',
  'http://localhost.evil.example',
  'null',
  '',
] as const;
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The rule in other words than those of the service. */
function mayUseSession(method: string, site: string | null, origin: string | null): boolean {
  const isRead = /^(?:GET|HEAD|OPTIONS)$/.test(method);
  if (site === 'same-origin') return true;
  if (site === 'none') return isRead;
  if (site !== null) return false;
  return origin === OWN || (origin === null && isRead);
}

function headersOf(site: string | null, origin: string | null): Record<string, string> {
  return { ...(site !== null && { 'Sec-Fetch-Site': site }), ...(origin !== null && { Origin: origin }) };
}

test('a cookie counts only with requests of own pages: method, Sec-Fetch-Site and Origin', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n)], nowMs: 'now' });
  const page = await signedIn(app, 'administrator');
  const unknown = 'petstore_session=x';
  for (const method of METHODS) {
    for (const site of SITES) {
      for (const origin of ORIGINS) {
        const cell = `${method} ${site} ${origin}`;
        const headers = headersOf(site, origin);
        const send = (sent: Record<string, string>, key: string | null = null) =>
          app.request(method, '/admin/v1/thresholds', { key, headers: { ...headers, ...sent } });
        const isAllowed = mayUseSession(method, site, origin);
        const withCookie = await send({ Cookie: page.cookie });
        assert.equal(withCookie.status === 403, !isAllowed, `${cell}: ${withCookie.status}`);
        if (withCookie.text !== '' && !isAllowed) assert.equal(withCookie.code, 'cross_site_request', cell);
        const wrong = await send({ Cookie: unknown });
        const expected = method === 'OPTIONS' ? 204 : 401;
        assert.equal(wrong.status, isAllowed ? expected : 403, `${cell} with an unknown cookie`);
        assert.notEqual((await send({ Cookie: unknown }, page.key)).status, 403, `${cell} with a key`);
        assert.notEqual((await send({})).status, 403, `${cell} without a cookie`);
        for (const name of withCookie.headers.keys()) assert.doesNotMatch(name, /access-control/, cell);
      }
    }
  }
});

test('a page of another site cannot sign a person in', async (t) => {
  const { app, key } = await adminShop(t, 'viewer', { nowMs: 'now' });
  for (const site of SITES) {
    for (const origin of ORIGINS) {
      const isProgram = site === null && origin === null;
      const isAllowed = isProgram || mayUseSession('POST', site, origin);
      const answer = await signIn(app, { key }, headersOf(site, origin));
      assert.equal(answer.status, isAllowed ? 200 : 403, `${site} ${origin}`);
      assert.equal(answer.headers.has('Set-Cookie'), isAllowed);
    }
  }
});

test('with TLS the own origin has its scheme, and only the cookie with the prefix counts', async (t) => {
  const app = await startApp(t, { nowMs: 'now', config: { PETSTORE_TRUSTED_PROXIES: '192.0.2.9' } });
  const { cookie, key } = await signedIn(app, 'administrator');
  const secret = cookie.split('=')[1];
  const put = (headers: Record<string, string>, sentCookie: string, from = '192.0.2.9') =>
    app.request('PUT', '/admin/v1/thresholds', {
      key: null,
      body: '{"lowStockAt":3,"restockAt":5}',
      headers: { Host: 'shop.example', Cookie: sentCookie, ...headers },
      from,
    });
  const tls = { 'X-Forwarded-Proto': 'https', Origin: 'https://shop.example' };
  const secure = `__Host-petstore_session=${secret}`;
  assert.equal((await put(tls, secure)).status, 200);
  assert.equal((await put({ ...tls, Origin: 'http://shop.example' }, secure)).code, 'cross_site_request');
  assert.equal(
    (await put({ ...tls, Origin: 'https://shop.example:444' }, secure)).code,
    'cross_site_request',
  );
  assert.equal((await put({ ...tls, Host: 'shop.example:443' }, secure)).status, 200, 'the port of https');
  for (const other of [cookie, `x=1,${secure}`, `x${secure}`, `x="${secure}"`, secure.toLowerCase()]) {
    assert.equal((await put(tls, other)).code, 'missing_api_key', other);
  }
  assert.equal((await put(tls, `a=b; ${secure} ;c`)).status, 200);
  assert.equal((await put(tls, secure, '192.0.2.1')).code, 'missing_api_key', 'no TLS for an unknown proxy');
  const noTls = { Origin: 'http://shop.example' };
  assert.equal((await put(noTls, cookie)).code, 'missing_api_key', 'sessions are not allowed there');
  const withKey = { Authorization: `Bearer ${key}`, Cookie: 'petstore_session=x', Host: 'localhost' };
  assert.equal((await put(withKey, 'petstore_session=x')).status, 200, 'the header wins');
});

test('a cookie opens nothing below /v1', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n)], nowMs: 'now' });
  const { cookie } = await signedIn(app, 'administrator');
  const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' };
  const answer = await app.request('GET', '/v1/inventory', { key: null, headers });
  assert.equal(answer.code, 'missing_api_key');
});

test('a live stream opens with a cookie, and ends with the session', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n, 5)], nowMs: 'now' });
  const page = await signedIn(app, 'viewer');
  const headers = { Cookie: page.cookie, 'Sec-Fetch-Site': 'same-origin' };
  const stream = await openStream(t, { app: app.app, key: null, base: '/admin/v1' }, headers);
  await app.request('PATCH', '/v1/inventory/1', { body: '{"quantity":4}' });
  const [first] = (await stream.takeEvents(1)).filter(({ type }) => type === 'movement');
  assert.equal((JSON.parse(first?.data ?? '{}') as { quantityAfter?: number }).quantityAfter, 4);
  await app.admin.sessions.end(page.sessionId, undefined, CLI_AUTHOR);
  const end = (await stream.takeAll()).find(({ type }) => type === 'end');
  assert.equal((JSON.parse(end?.data ?? '{}') as { code?: string }).code, 'session_ended');
});
