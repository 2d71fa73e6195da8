import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type ServiceRoute, serviceRoutes } from '../../src/http/system-routes.ts';
import { startApp } from '../support/harness.ts';
import { petRows } from '../support/pet-rows.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const PATHS = ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs', '/'];

test('200: each service route answers without a key, and takes nothing from any limit', async (t) => {
  const { request } = await startApp(t, { config: { PETSTORE_ADDRESS_LIMIT: '3' } });
  for (const path of PATHS) {
    const { status, headers } = await request('GET', path, { key: null });
    assert.equal(status, 200, path);
    assert.equal(headers.get('X-RateLimit-Remaining'), '3', path);
  }
});

test('200: a key sent to a service route is not looked at', async (t) => {
  const { request } = await startApp(t);
  assert.equal((await request('GET', '/healthz', { key: 'nonsense' })).status, 200);
});

test('HEAD has the headers of GET and no body', async (t) => {
  const { request } = await startApp(t);
  for (const path of PATHS) {
    const get = await request('GET', path, { key: null });
    const head = await request('HEAD', path, { key: null });
    assert.deepEqual([head.status, head.bytes.length], [200, 0], path);
    assert.equal(head.headers.get('Content-Type'), get.headers.get('Content-Type'), path);
    assert.equal(head.headers.get('Cache-Control'), get.headers.get('Cache-Control'), path);
  }
});

test('OPTIONS lists the methods of each service route, and of a batch', async (t) => {
  const { request } = await startApp(t);
  for (const path of PATHS) {
    const { status, headers } = await request('OPTIONS', path, { key: null });
    assert.deepEqual([status, headers.get('Allow')], [204, 'GET, HEAD, OPTIONS']);
  }
  const batch = await request('OPTIONS', '/v1/inventory/batch');
  assert.equal(batch.headers.get('Allow'), 'POST, OPTIONS');
});

test('a path that is nearly a service route is none', async (t) => {
  const { request, key } = await startApp(t);
  for (const path of [
    '/healthz/',
    '//healthz',
    '/Healthz',
    '/health',
    '/favicon.ico/',
    '/metrics/x',
    '/openapi',
    '/v1',
    '/v1/',
  ]) {
    assert.equal((await request('GET', path, { key: null })).code, 'missing_api_key', path);
    assert.equal((await request('GET', path, { key })).code, 'route_not_found', path);
  }
});

test('/docs/ leads to the reference, and no browser is refused an icon', async (t) => {
  const { request } = await startApp(t, { config: { PETSTORE_ADDRESS_LIMIT: '3' } });
  for (const [path, expected, location] of [
    ['/docs/', 308, '../docs'],
    ['/favicon.ico', 204, null],
  ] as const) {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await request(method, path, { key: null });
      assert.deepEqual([status, headers.get('Location')], [expected, location]);
      assert.equal(headers.get('X-RateLimit-Remaining'), '3');
      assert.equal(headers.get('Cache-Control'), 'public, max-age=300');
    }
    assert.equal((await request('POST', path, { key: null })).code, 'method_not_allowed');
  }
});

test('errors and system routes end with a newline, as a terminal expects', async (t) => {
  const { request, key } = await startApp(t);
  for (const [path, sentKey] of [
    ['/v1/inventory', null],
    ['/v1/nowhere', key],
    ['/healthz', null],
    ['/readyz', null],
    ['/openapi.json', null],
  ] as const) {
    assert.match((await request('GET', path, { key: sentKey })).text, /\}\n$/, path);
  }
});

test('503 service_unavailable from /readyz while draining; everything else is still answered, and closes', async (t) => {
  const { request, app } = await startApp(t, { pets: petRows(1) });
  assert.equal((await request('GET', '/readyz', { key: null })).text, '{"status":"ready"}\n');
  app.startDraining();
  const { status, code, headers } = await request('GET', '/readyz', { key: null });
  assert.deepEqual([status, code, headers.get('Retry-After')], [503, 'service_unavailable', '5']);
  assert.equal((await request('GET', '/healthz', { key: null })).status, 200);
  for (const [method, path] of [
    ['GET', '/v1/inventory'],
    ['GET', '/v1/nothing'],
    ['OPTIONS', '/v1/inventory'],
  ] as const) {
    const answer = await request(method, path);
    assert.equal(answer.headers.get('Connection'), 'close', `${method} ${path}`);
  }
  assert.equal((await request('PATCH', '/v1/inventory/1', { body: '{"quantity":1}' })).status, 200);
});

test('503 service_unavailable from /readyz has no words of the database', async () => {
  const checkHealth = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.5:5432'));
  const parts = { checkHealth, isDraining: () => false } as unknown as Parameters<typeof serviceRoutes>[0];
  const answer = serviceRoutes(parts)['/readyz'] as ServiceRoute;
  const context = {} as unknown as Parameters<ServiceRoute>[0];
  await assert.rejects(async () => answer(context), {
    code: 'service_unavailable',
    message: 'The database does not answer.',
    headers: { 'Retry-After': '5' },
  });
});

test('503 service_unavailable from /readyz when the database is unreachable, without the reason', async (t) => {
  const { request, close, logs } = await startApp(t);
  await close();
  const { status, text } = await request('GET', '/readyz', { key: null });
  assert.equal(status, 503);
  const logged = logs.find(({ code }) => code === 'service_unavailable') as { err: { message: string } };
  assert.ok(
    logged.err.message !== '' && !text.includes(logged.err.message),
    'the cause is for the log alone',
  );
});

test('/metrics counts requests by operation and status, refusals by reason, commits and rebuilt chunks', async (t) => {
  const { request } = await startApp(t, { pets: petRows(600) });
  await request('GET', '/v1/inventory');
  await request('PATCH', '/v1/inventory/1', { body: '{"quantity":9}' });
  await request('PATCH', '/v1/inventory/999', { body: '{"quantity":9}' });
  await request('GET', '/v1/inventory', { key: null });
  await request('GET', '/v1/inventory');
  const { text, headers } = await request('GET', '/metrics', { key: null });
  assert.match(headers.get('Content-Type') ?? '', /^text\/plain; version=0\.0\.4/);
  const { bun, node } = process.versions;
  const runtime = bun === undefined ? 'node' : 'bun';
  for (const line of [
    'petstore_requests_total{operation="listInventory",status="200"} 2',
    'petstore_requests_total{operation="updateInventory",status="200"} 1',
    'petstore_requests_total{operation="updateInventory",status="404"} 1',
    'petstore_requests_total{operation="none",status="401"} 1',
    'petstore_request_duration_seconds_count{operation="listInventory",status="200"} 2',
    'petstore_request_duration_seconds_bucket{le="+Inf",operation="listInventory",status="200"} 2',
    'petstore_refusals_total{reason="missing_api_key"} 1',
    'petstore_refusals_total{reason="not_found"} 1',
    'petstore_commit_batch_changes_count 2',
    'petstore_commit_duration_seconds_count 2',
    'petstore_pets 600',
    `petstore_build_info{version="1.0.0",runtime="${runtime}",runtime_version="${bun ?? node}"} 1`,
  ]) {
    assert.ok(text.split('\n').includes(line), `${line} is not in\n${text}`);
  }
  for (const name of [
    'petstore_event_loop_delay_seconds',
    'petstore_list_chunks_rebuilt_total',
    'process_resident_memory_bytes',
    'process_start_time_seconds',
    'petstore_database_size_bytes',
  ]) {
    assert.match(text, new RegExp(`^${name} [\\d.e+-]+$`, 'm'));
  }
});

test('/metrics names no path, account or key, so that callers cannot make it grow', async (t) => {
  const { request, principal } = await startApp(t);
  const before = (await request('GET', '/metrics', { key: null })).text.split('\n').length;
  for (let i = 0; i < 30; i += 1) {
    await request('GET', `/v1/nowhere/${i}`);
    await request('BREW', `/v1/inventory/${i}`);
  }
  const { text } = await request('GET', '/metrics', { key: null });
  assert.doesNotMatch(text, /nowhere|BREW/);
  assert.ok(!text.includes(principal.key.id) && !text.includes(principal.account.id));
  assert.ok(text.split('\n').length < before + 60);
});

test('401 from /metrics without the configured token, which is not an API key', async (t) => {
  const token = 'a-token-for-the-scraper';
  const { request, key } = await startApp(t, { config: { PETSTORE_METRICS_TOKEN: token } });
  for (const wrong of [null, key, 'a-token-for-the-scrapes', `${token}x`, token.slice(1)]) {
    const { status, headers } = await request('GET', '/metrics', { key: wrong });
    assert.deepEqual([status, headers.get('WWW-Authenticate')], [401, 'Bearer realm="metrics"']);
  }
  assert.equal((await request('GET', '/metrics', { key: token })).status, 200);
});

test('wrong metrics tokens use up the minute of an address, and then no token is compared', async (t) => {
  const config = { PETSTORE_METRICS_TOKEN: 'short', PETSTORE_ADDRESS_LIMIT: '3' };
  const { request } = await startApp(t, { config });
  const metrics = (key: string, from = '192.0.2.1') => request('GET', '/metrics', { key, from });
  assert.equal(
    (await metrics('short')).headers.get('X-RateLimit-Remaining'),
    '3',
    'a right one costs nothing',
  );
  for (const remaining of ['2', '1', '0']) {
    const { status, headers } = await metrics('guess');
    assert.deepEqual([status, headers.get('X-RateLimit-Remaining')], [401, remaining]);
  }
  for (const token of ['guess', 'short']) {
    const { status, code } = await metrics(token);
    assert.deepEqual([status, code], [429, 'rate_limit_exceeded'], token);
  }
  assert.equal((await metrics('short', '192.0.2.2')).status, 200);
});

const DOCUMENTS = ['/openapi.json', '/admin/openapi.json'];
const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  none: (bytes) => bytes,
};

test('documents are compressed as the client accepts, each coding with its own strong tag', async (t) => {
  if (isSkippedDaily(t)) return;
  const { request } = await startApp(t);
  for (const path of DOCUMENTS) {
    const tags = new Set<string>();
    const plain = await request('GET', path, { key: null });
    for (const [accepted, coding] of [
      ['', 'none'],
      ['identity', 'none'],
      ['gzip', 'gzip'],
      ['gzip, deflate, br', 'br'],
      ['gzip;q=1.0, br;q=0.5', 'gzip'],
      ['br;q=0, gzip;q=0', 'none'],
      ['identity;q=0.8, br;q=0.5, gzip;q=0.7', 'none'],
      ['identity;q=0.8, br;q=0.5, gzip;q=0.9', 'gzip'],
      ['*', 'br'],
    ] as const) {
      const options = { key: null, headers: { 'Accept-Encoding': accepted } };
      const { status, headers, bytes } = await request('GET', path, options);
      assert.equal(status, 200);
      assert.equal(headers.get('Content-Encoding') ?? 'none', coding, accepted);
      assert.equal(headers.get('Vary'), 'Accept-Encoding');
      assert.ok(DECODERS[coding]?.(bytes).equals(plain.bytes), `${path} ${accepted}`);
      if (coding !== 'none') assert.ok(bytes.length < plain.bytes.length / 2, `${path} ${bytes.length}`);
      const tag = headers.get('ETag') ?? '';
      assert.match(tag, /^"[\w-]{22}"$/);
      tags.add(tag);
      const head = await request('HEAD', path, options);
      assert.equal(head.headers.get('ETag'), tag);
      assert.equal(head.headers.get('Content-Length'), String(bytes.length));
    }
    assert.equal(tags.size, 3, path);
  }
});

test('a document that the client has is 304, and If-Match is compared', async (t) => {
  if (isSkippedDaily(t)) return;
  const { request } = await startApp(t);
  for (const path of DOCUMENTS) {
    const getWith = (headers: Record<string, string>) => request('GET', path, { key: null, headers });
    const gzip = { 'Accept-Encoding': 'gzip' };
    const plain = (await getWith({})).headers.get('ETag') as string;
    const zipped = (await getWith(gzip)).headers.get('ETag') as string;
    for (const [headers, tag] of [
      [{ 'If-None-Match': plain }, plain],
      [{ 'If-None-Match': `"x", W/${plain}` }, plain],
      [{ ...gzip, 'If-None-Match': zipped }, zipped],
      [{ ...gzip, 'If-None-Match': plain }, plain],
      [{ 'If-None-Match': '*' }, plain],
    ] as const) {
      const { status, headers: received } = await getWith(headers);
      assert.deepEqual([status, received.get('ETag'), received.get('Vary')], [304, tag, 'Accept-Encoding']);
      assert.equal(received.get('Content-Type'), null);
    }
    assert.equal((await getWith({ 'If-None-Match': zipped })).status, 200, 'bytes it cannot read');
    assert.equal((await getWith({ 'If-Match': '"x"' })).status, 412);
    assert.equal((await getWith({ 'If-Match': plain })).status, 200);
  }
});

test('a document is rendered once for any number of requests', async (t) => {
  if (isSkippedDaily(t)) return;
  const { request } = await startApp(t);
  const getWith = () => Promise.all(DOCUMENTS.map((path) => request('GET', path, { key: null })));
  const timeOf = async (times: number) => {
    const begun = process.cpuUsage();
    for (let i = 0; i < times; i += 1) await getWith();
    const { user, system } = process.cpuUsage(begun);
    return user + system;
  };
  const first = await timeOf(1);
  const later = (await timeOf(10)) / 10;
  assert.ok(later < first / 3, `${later} µs after ${first} µs`);
});

test('/openapi.json lists a staging server only where one is configured, and in staging', async (t) => {
  const serversOf = async (config: Readonly<Record<string, string>>) => {
    const { request } = await startApp(t, { config });
    const { servers } = (await request('GET', '/openapi.json', { key: null })).json as unknown as {
      servers: { url: string }[];
    };
    return servers.map(({ url }) => url);
  };
  const production = 'http://localhost:8080/v1';
  assert.deepEqual(await serversOf({}), [production]);
  const staging = 'https://staging.pets.example/v1';
  assert.deepEqual(await serversOf({ PETSTORE_STAGING_BASE_URL: staging }), [production, staging]);
  const inStaging = { PETSTORE_ENVIRONMENT: 'staging', PORT: '8090' };
  assert.deepEqual(await serversOf(inStaging), [production, 'http://localhost:8090/v1']);
});

test('/openapi.json is the document of the running configuration', async (t) => {
  const config = { PETSTORE_BASE_URL: 'https://api.pets.example/v1', PETSTORE_MAX_QUANTITY: '99' };
  const { request } = await startApp(t, { config });
  const { json, headers } = await request('GET', '/openapi.json', { key: null });
  const document = json as unknown as {
    servers: { url: string }[];
    components: { schemas: { InventoryUpdate: { properties: { quantity: { maximum: number } } } } };
  };
  assert.equal(headers.get('Content-Type'), 'application/json');
  assert.equal(document.servers[0]?.url, 'https://api.pets.example/v1');
  assert.equal(document.components.schemas.InventoryUpdate.properties.quantity.maximum, 99);
});
