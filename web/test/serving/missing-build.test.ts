import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { Dashboard } from '../../../server/src/http/dashboard/dashboard.ts';
import { variantOf } from '../../../server/src/http/request/variants.ts';
import { startApp } from '../../../server/test/support/harness.ts';

test('without a build / and /docs show how to make one, to people and to programs', async (t) => {
  const { request } = await startApp(t, { dashboard: new Dashboard(undefined) });
  const page = await request('GET', '/', { key: null, headers: { Accept: 'text/html,*/*' } });
  assert.deepEqual([page.status, page.headers.get('Content-Type')], [200, 'text/html; charset=utf-8']);
  assert.match(page.text, /npm run build --workspace web/);
  const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(page.text) ?? [];
  const policy = page.headers.get('Content-Security-Policy') ?? '';
  assert.ok(policy.includes(`style-src 'sha256-${hash('sha256', style, 'base64')}'`), policy);
  assert.match(page.text, /<a href="openapi\.json">/);
  const docs = await request('GET', '/docs', { key: null, headers: { Accept: 'text/html' } });
  assert.equal(docs.text, page.text);
  const value = await request('GET', '/', { key: null });
  assert.match((value.json as unknown as { message: string }).message, /npm run build --workspace web/);
  assert.equal((await request('HEAD', '/', { key: null })).status, 200);
  assert.equal((await request('POST', '/', { key: null })).status, 405);
});

test('a browser gets a page for an address that does not exist, and a program an error', async (t) => {
  const index = '<p>__CSP_NONCE__</p>';
  const built = new Dashboard({ index, docs: new Map(), files: new Map() });
  const off = new Dashboard({ index, docs: new Map(), files: new Map() }, false);
  for (const [dashboard, content] of [
    [built, /^<p>[\w-]{22}<\/p>$/],
    [off, /<h1>There is no such page<\/h1>/],
    [new Dashboard(undefined), /<h1>There is no such page<\/h1>/],
  ] as const) {
    const { request } = await startApp(t, { dashboard });
    const get = (path: string, headers: Record<string, string>, method = 'GET') =>
      request(method, path, { key: null, headers });
    const browser = { Accept: 'text/html,*/*;q=0.8' };
    for (const path of ['/nope', '/Stock/1', '/admin', '/index.html', '/v1x']) {
      const page = await get(path, browser);
      assert.deepEqual(
        [page.status, page.headers.get('Content-Type')],
        [404, 'text/html; charset=utf-8'],
        path,
      );
      assert.match(page.text, content);
      assert.match(page.headers.get('Content-Security-Policy') ?? '', /^default-src/);
      assert.equal((await get(path, browser, 'HEAD')).status, 404);
      const { status, text } = await get(path, { Accept: '*/*' });
      assert.equal(status, 401, path);
      assert.match(text, /"missing_api_key"/);
    }
    for (const path of ['/v1', '/v1/nope', '/admin/v1', '/admin/v1/nope']) {
      const { status, headers } = await get(path, browser);
      assert.deepEqual([status, headers.get('Content-Type')], [401, 'application/json'], path);
    }
    assert.equal((await get('/nope', browser, 'POST')).status, 401);
    const withKey = await request('GET', '/nope', { headers: browser });
    assert.equal(withKey.headers.get('Content-Type'), 'application/json');
  }
});

test('with the dashboard switched off, only the documentation is missing without a build', async (t) => {
  const { request } = await startApp(t, { dashboard: new Dashboard(undefined, false) });
  for (const path of ['/', '/docs']) {
    const page = await request('GET', path, { key: null, headers: { Accept: 'text/html' } });
    assert.match(page.text, /<h1>The pet store is open\. The documentation is not built\.<\/h1>/);
    assert.match(page.text, /PETSTORE_DASHBOARD=off/);
    assert.doesNotMatch(page.text, /npm start/, 'it builds nothing then');
    const { json } = await request('GET', path, { key: null });
    assert.equal(
      (json as unknown as { message: string }).message,
      'The documentation is not built: run npm ci and npm run build --workspace web, then restart the service. The API works without a build.',
    );
  }
});

test('without the dashboard the documentation is at / too, and there is no other page', async (t) => {
  const page = {
    contentType: 'text/html',
    variants: { identity: variantOf(() => Buffer.from('<p>docs</p>')) },
  };
  const docs = new Map([['/docs', page]]);
  const build = { index: '<p>__CSP_NONCE__</p>', docs, files: new Map() };
  const { request } = await startApp(t, { dashboard: new Dashboard(build, false) });
  const headers = { Accept: 'text/html' };
  for (const path of ['/', '/docs']) {
    assert.equal((await request('GET', path, { key: null, headers })).text, '<p>docs</p>');
  }
  assert.equal((await request('GET', '/stock', { key: null, headers })).status, 404);
});

test('requests of pages have one name in the metrics', async (t) => {
  const index = '<p>__CSP_NONCE__</p>';
  const { request } = await startApp(t, {
    dashboard: new Dashboard({ index, docs: new Map(), files: new Map() }),
  });
  const headers = { Accept: 'text/html' };
  for (const path of ['/', '/pets/1', '/pets/2']) {
    assert.equal((await request('GET', path, { key: null, headers })).status, 200);
  }
  const { text } = await request('GET', '/metrics', { key: null });
  assert.ok(text.includes('petstore_requests_total{operation="dashboard",status="200"} 3'), text);
});
