import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { DOCUMENT } from '../support/openapi-document.ts';
import { petRow } from '../support/pet-rows.ts';
import { update } from '../support/stock-requests.ts';
import { openStream } from './app-stream.ts';

const STREAM = '/v1/movements/stream';
const pets = [1n, 9_007_199_254_740_993n, 3n].map((petId) => petRow(petId));

/** The rows of the history after a sequence, as they are sent. */
async function historyAfter({ request }: TestApp, sequence: number): Promise<string[]> {
  const { text } = await request('GET', `/v1/movements?order=asc&after=${sequence}`);
  return text.slice(1, -1).split(/,(?=\{"sequence":)/);
}

async function openReaders({ request }: TestApp): Promise<string | undefined> {
  const { text } = await request('GET', '/metrics');
  return /^petstore_live_readers (\d+)$/m.exec(text)?.[1];
}

test('without a sequence a stream sends new commits, with the same bytes as the history', async (t) => {
  const app = await startApp(t, { pets });
  const stream = await openStream(t, app);
  await update(app, 9_007_199_254_740_993n, { quantity: 41, reason: 'restock', note: 'Zwölf\n "neue"' });
  await update(app, 3, { quantity: 42 });
  const events = await stream.takeEvents(2);
  assert.deepEqual(
    events.map(({ id, type }) => [id, type]),
    [
      ['4', 'movement'],
      ['5', 'movement'],
    ],
  );
  assert.deepEqual(
    events.map(({ data }) => data),
    await historyAfter(app, 3),
  );
});

test('Last-Event-ID or after sets the start of a stream, and the header takes precedence', async (t) => {
  const app = await startApp(t, { pets });
  const rows = await historyAfter(app, 0);
  const byQuery = await openStream(t, app, { query: '?after=1' });
  const byHeader = await openStream(t, app, { query: '?after=0', 'Last-Event-ID': '2' });
  const whole = await openStream(t, app, { 'Last-Event-ID': '0' });
  for (const [stream, count] of [
    [byQuery, 2],
    [byHeader, 1],
    [whole, 3],
  ] as const) {
    const events = await stream.takeEvents(count);
    assert.deepEqual(
      events.map(({ data }) => data),
      rows.slice(-count),
    );
  }
});

test('the headers are those of the start: no caching, no buffering, the limits; HEAD has them too', async (t) => {
  const app = await startApp(t, { pets, limits: { perMinute: 10, perDay: 100 } });
  const { response } = await openStream(t, app, { Accept: 'text/event-stream' });
  const head = await app.request('HEAD', STREAM);
  for (const headers of [response.headers, head.headers]) {
    assert.equal(headers.get('Content-Type'), 'text/event-stream');
    assert.equal(headers.get('Cache-Control'), 'no-store');
    assert.equal(headers.get('X-Accel-Buffering'), 'no');
    assert.equal(headers.get('Content-Encoding'), null);
  }
  assert.equal(response.headers.get('X-RateLimit-Remaining'), '9');
  assert.equal(response.headers.get('Connection'), 'close', 'no request waits behind the stream');
  assert.equal(head.headers.get('X-RateLimit-Remaining'), '8');
  assert.equal(await openReaders(app), '1', 'HEAD opens nothing');
});

test('a stream counts once against the quota, and is counted as a request when it begins', async (t) => {
  const app = await startApp(t, { pets, limits: { perMinute: 10, perDay: 100 } });
  const stream = await openStream(t, app, { query: '?after=0' });
  await stream.takeEvents(3);
  const { headers } = await app.request('HEAD', '/v1/inventory');
  assert.equal(headers.get('X-RateLimit-Remaining'), '8');
  const { text } = await app.request('GET', '/metrics');
  assert.match(text, /petstore_requests_total\{operation="streamMovements",status="200"\} 1/);
});

const REFUSED: readonly (readonly [string, Record<string, string>, string])[] = [
  ['?after=-1', {}, 'invalid_parameter'],
  ['?after=01', {}, 'invalid_parameter'],
  ['?after=1.0', {}, 'invalid_parameter'],
  ['?after=', {}, 'invalid_parameter'],
  ['?after=9007199254740993', {}, 'invalid_parameter'],
  ['?after=1&after=2', {}, 'invalid_parameter'],
  ['?since=1', {}, 'invalid_parameter'],
  ['?after=4', {}, 'invalid_parameter'],
  ['', { 'Last-Event-ID': '4' }, 'invalid_parameter'],
  ['', { 'Last-Event-ID': '+1' }, 'invalid_parameter'],
  ['', { 'Last-Event-ID': '1, 2' }, 'invalid_parameter'],
  ['?after=x', { 'Last-Event-ID': '1' }, 'invalid_parameter'],
  ['', { Accept: 'application/json' }, 'not_acceptable'],
  ['', { Accept: 'text/event-stream;q=0' }, 'not_acceptable'],
];

test('an invalid sequence, a future sequence and other invalid stream requests are refused', async (t) => {
  const app = await startApp(t, { pets });
  for (const [query, headers, code] of REFUSED) {
    const answer = await app.request('GET', `${STREAM}${query}`, { headers });
    assert.equal(answer.code, code, `${query} ${JSON.stringify(headers)}`);
  }
  assert.equal(await openReaders(app), '0');
});

test('other methods are 405, a key without movements:read is 403, and other operations refuse events', async (t) => {
  const app = await startApp(t, { pets });
  const posted = await app.request('POST', STREAM);
  assert.equal(posted.code, 'method_not_allowed');
  assert.equal(posted.headers.get('Allow'), 'GET, HEAD, OPTIONS');
  const options = await app.request('OPTIONS', STREAM);
  assert.equal(options.headers.get('Allow'), 'GET, HEAD, OPTIONS');
  const { key } = await app.makeKey({ scopes: ['inventory:read'] });
  assert.equal((await app.request('GET', STREAM, { key })).code, 'insufficient_scope');
  const headers = { Accept: 'text/event-stream' };
  assert.equal((await app.request('GET', '/v1/inventory', { headers })).code, 'not_acceptable');
});

test('a stream above PETSTORE_MAX_STREAMS gets 503, and a disconnect frees a place immediately', async (t) => {
  const app = await startApp(t, { pets, config: { PETSTORE_MAX_STREAMS: '1' } });
  const stream = await openStream(t, app);
  const refused = await app.request('GET', STREAM);
  assert.equal(refused.code, 'service_unavailable');
  assert.equal(refused.headers.get('Retry-After'), '5');
  await stream.cancel();
  assert.equal(await openReaders(app), '0');
  await openStream(t, app);
  assert.equal(await openReaders(app), '1');
});

test('each management key has a share of the streams of its own', async (t) => {
  const app = await startApp(t, { pets, config: { PETSTORE_MAX_STREAMS: '8' } });
  const base = '/admin/v1';
  const [viewer, other] = [await app.makeAdminKey('viewer'), await app.makeAdminKey('viewer')];
  for (let i = 0; i < 2; i += 1) await openStream(t, { app: app.app, key: viewer.key, base });
  const refused = await app.request('GET', `${base}/movements/stream`, { key: viewer.key });
  assert.equal(refused.code, 'service_unavailable');
  assert.equal((await openStream(t, { app: app.app, key: other.key, base })).response.status, 200);
});

test('a sequence before those that the operator keeps is 410', async (t) => {
  const app = await startApp(t, { pets });
  for (let quantity = 100; quantity < 110; quantity += 1) await update(app, 1, { quantity });
  await app.admin.pruneMovements(app.clock.nowMs + 1, CLI_AUTHOR);
  assert.equal((await app.request('GET', `${STREAM}?after=2`)).code, 'history_pruned');
  const stream = await openStream(t, app);
  await update(app, 1, { quantity: 1 });
  assert.equal((await stream.takeEvents(1)).length, 1);
});

test('when the service stops, each stream sends an end event and ends, and a later one is refused', async (t) => {
  const app = await startApp(t, { pets });
  const stream = await openStream(t, app, { query: '?after=0' });
  await stream.takeEvents(3);
  app.app.startDraining();
  const last = (await stream.takeAll()).at(-1);
  assert.equal(last?.type, 'end');
  const documented = JSON.stringify(DOCUMENT.paths['/movements/stream']);
  assert.match(documented, /`movement`: the id is [^`]*`Movement`\. `end`: the data is an `Error`/);
  assert.doesNotMatch(documented, /`error`/);
  assert.equal((JSON.parse(last?.data ?? '') as { code: string }).code, 'service_unavailable');
  assert.equal(stream.parser.lastEventId, '3');
  const late = await app.request('GET', STREAM);
  assert.equal(late.code, 'service_unavailable');
  assert.equal(late.headers.get('Retry-After'), '2');
  assert.equal(late.headers.get('Connection'), 'close');
});
