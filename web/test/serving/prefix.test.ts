import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../../../server/test/blackbox/service.ts';
import { startPrefixProxy } from '../support/prefix-proxy.ts';
import { builtFixture, REFERENCE } from './built-fixture.ts';

test('behind a proxy that removes a prefix, each address in a response leads back through the proxy', async (t) => {
  const proxy = await startPrefixProxy(t, '/stock');
  const base = `${proxy.url}/stock/v1`;
  const service = await startService(t, {
    pets: [
      { petId: 1n, quantity: 4 },
      { petId: 2n, quantity: 1 },
    ],
    env: { PETSTORE_BASE_URL: base, PETSTORE_DASHBOARD: builtFixture(t) },
  });
  proxy.forwardTo(service.url);
  const call = async (url: string, method = 'GET', body?: object) => {
    const response = await fetch(url, {
      method,
      headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    });
    assert.ok(response.ok, `${method} ${url}: ${response.status}`);
    return response;
  };
  const linkOf = ({ headers }: Response, relation: string) => {
    const found = new RegExp(`<([^>]*)>; rel="${relation}"`).exec(headers.get('Link') ?? '');
    return found?.[1] ?? assert.fail(`no link ${relation}: ${headers.get('Link')}`);
  };

  const page = await call(`${base}/inventory?limit=1`);
  assert.equal(linkOf(page, 'next').startsWith(`${base}/inventory?`), true);
  assert.match(await (await call(linkOf(page, 'next'))).text(), /"petId":2/);
  const adjusted = await call(`${base}/inventory/1/adjustments`, 'POST', { delta: -1, reason: 'sold' });
  const movement = await call(adjusted.headers.get('Location') ?? '');
  assert.match(await movement.text(), /"delta":-1/);
  const documentation = linkOf(await call(`${base}/pets/1`), 'deprecation');
  assert.equal(documentation, `${proxy.url}/stock/docs/reference#getPet`);
  assert.equal(await (await call(documentation)).text(), REFERENCE);
  assert.equal((await call(`${proxy.url}/stock/docs/`)).url, `${proxy.url}/stock/docs`);
  const orders = await call(`${proxy.url}/stock/docs/live-stream/`);
  assert.equal(orders.url, `${proxy.url}/stock/docs/live-stream`);
  const missing = await fetch(`${proxy.url}/stock/docs/nosuch`, { headers: { Accept: 'text/html' } });
  assert.equal(missing.status, 404);
  const [, link = ''] = /href="([^"]*docs)"/.exec(await missing.text()) ?? [];
  assert.equal(new URL(link, missing.url).href, `${proxy.url}/stock/docs`);
  const { servers } = (await (await call(`${proxy.url}/stock/openapi.json`)).json()) as {
    servers: { url: string }[];
  };
  assert.deepEqual(
    servers.map(({ url }) => url),
    [base],
  );
});
