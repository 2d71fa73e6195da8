import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { pause, SYSTEM_CLOCK } from '../src/clock.ts';
import { readAll, readPieces } from '../src/http/body-reader.ts';
import { EtagCache } from '../src/http/etag-cache.ts';
import { type ClientOptions, PetstoreClient } from '../src/index.ts';
import { refusal, scripted, SHORTEST_TIMEOUT_MS, success } from './support/scripted-service.ts';

const ITEM = '{"petId":7,"quantity":4,"status":"available"}';
const item = (headers: Record<string, string> = {}) => success(ITEM, headers);

function clientWith(answers: readonly (() => Response)[], more: Partial<ClientOptions> = {}) {
  const { options, requests, pauses } = scripted(answers);
  return { client: new PetstoreClient({ ...options, ...more }), requests, pauses };
}

test('the pauses before repetitions double up to 20 seconds, and come after Retry-After', async () => {
  const broken = Array.from({ length: 8 }, () => () => refusal(500, 'internal_error'));
  const doubling = clientWith([...broken, item], { maxRetries: 8 });
  await doubling.client.getInventoryItem(7);
  assert.deepEqual(doubling.pauses, [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  const refused = clientWith([() => refusal(503, 'service_unavailable', { 'Retry-After': '7' }), item]);
  await refused.client.getInventoryItem(7);
  assert.deepEqual(refused.pauses, [7_250]);
});

test('after a 429 a call waits one time, at the gate', async () => {
  const { client, pauses } = clientWith([
    () => refusal(429, 'rate_limit_exceeded', { 'Retry-After': '7' }),
    item,
  ]);
  await client.getInventoryItem(7);
  assert.deepEqual(pauses, [7_500]);
});

test('options that cannot work are refused, and those of a call replace those of the client', async () => {
  const invalid = { code: 'invalid_argument' };
  for (const name of ['timeoutMs', 'maxRetries', 'maxWaitMs', 'maxConcurrent', 'cache']) {
    assert.throws(() => clientWith([], { [name]: Number.NaN }), invalid, name);
    assert.throws(() => clientWith([], { [name]: -1 }), invalid, name);
  }
  const answers = [() => refusal(500, 'internal_error'), () => success('{"isIntact":true}')];
  const { options, timeouts } = scripted(answers);
  const client = new PetstoreClient({ ...options, maxRetries: 5, timeoutMs: 70_000, cache: false });
  await assert.rejects(client.getInventoryItem(7, { maxRetries: 0 }), { status: 500 });
  await client.auditLedger();
  assert.deepEqual([...new Set(timeouts)], [70_000, 600_000], 'an audit reads the whole ledger');
  const busy = clientWith([() => refusal(429, 'rate_limit_exceeded', { 'Retry-After': '9' })]);
  await assert.rejects(busy.client.getInventoryItem(7, { maxWaitMs: 8_000 }), { status: 429 });
});

test('the address may have a slash at its end, a path and the version', async () => {
  for (const [baseUrl, url] of [
    ['http://localhost', 'http://localhost/v1/inventory'],
    ['http://localhost/v1/', 'http://localhost/v1/inventory'],
    ['https://shop.example:8443/stock//', 'https://shop.example:8443/stock/v1/inventory'],
  ]) {
    const { client, requests } = clientWith([() => success('[]')], { baseUrl: baseUrl as string });
    await client.listInventory();
    assert.equal(requests[0]?.url, url);
  }
  for (const baseUrl of ['', 'shop.example', 'ftp://a', 'http://a?b', 'http://a#b', 'http://a:b@c']) {
    assert.throws(() => clientWith([], { baseUrl }), { code: 'invalid_argument' }, baseUrl);
  }
});

test('without a cache no tag is sent', async () => {
  const tagged = () => item({ ETag: '"1"' });
  const { client, requests } = clientWith([tagged, tagged], { cache: false });
  await client.getInventoryItem(7);
  await client.getInventoryItem(7);
  assert.equal(requests[1]?.headers.get('If-None-Match'), null);
});

test('a failed call leaves its place to the next one', { timeout: 20_000 }, async () => {
  const { client } = clientWith([() => refusal(404, 'not_found'), item, item], { maxConcurrent: 1 });
  await assert.rejects(client.getInventoryItem(7), { code: 'not_found' });
  assert.equal((await client.getInventoryItem(7)).quantity, 4);
});

test('the state of the limits is read while calls wait for them', async () => {
  const { client, requests } = clientWith(
    [() => refusal(429, 'rate_limit_exceeded', { 'Retry-After': '9' })],
    { maxWaitMs: 0, maxRetries: 0 },
  );
  await assert.rejects(client.getInventoryItem(7), { status: 429 });
  await assert.rejects(client.getRateLimit(), { code: 'not_found' });
  assert.equal(requests.length, 1);
});

test('the tag of the cache is sent with a read, and not with one that has its own condition, nor with that of a write', async () => {
  const tagged = () => item({ ETag: '"1"' });
  const { client, requests } = clientWith([
    tagged,
    tagged,
    tagged,
    () => new Response(null, { status: 304 }),
  ]);
  await client.updateInventory(7, { quantity: 4 });
  await client.getInventoryItem(7);
  await client.getInventoryItem(7, { ifMatch: '"1"' });
  assert.equal((await client.getInventoryItem(7)).quantity, 4);
  assert.deepEqual(
    requests.map(({ headers }) => headers.get('If-None-Match')),
    [null, null, null, '"1"'],
  );
  const empty = clientWith([() => new Response(null, { status: 304 })]);
  await assert.rejects(empty.client.getInventoryItem(7), { code: 'invalid_response', status: 304 });
});

test('the cache keeps what was used last, up to its characters', () => {
  const cache = new EtagCache(10);
  const response = (text: string) => ({ text, headers: new Headers({ ETag: '"1"' }) });
  for (const url of ['a', 'b']) cache.set(url, response('1234'));
  cache.set('a', response('4321'));
  cache.get('b');
  cache.set('c', response('1234'));
  assert.deepEqual(
    ['a', 'b', 'c'].map((url) => cache.get(url)?.text),
    [undefined, '1234', '1234'],
  );
});

test('an error with the status of another response is not one of the service', async () => {
  const other = () => Response.json({ code: 'not_found', message: 'No.', status: 404 }, { status: 400 });
  const { client } = clientWith([other]);
  await assert.rejects(client.getInventoryItem(7), { code: 'invalid_response', status: 400 });
});

test('an error has all that its headers say, with exact petIds', async () => {
  const details = () =>
    refusal(409, 'conflict', {
      ETag: '"7.12"',
      'Inventory-Quantity': '0',
      'Inventory-Version': '12',
      'Inventory-Pets': '9007199254740993;quantity=1;result=-9007199254740993, -7;quantity=0;result=-1',
      'Inventory-Pet-Count': '21',
      Link: '</v1/movements?petId=7>; rel="related"',
      'WWW-Authenticate': 'Bearer realm="petstore", error="insufficient_scope", scope="orders:write"',
      'Idempotency-Replayed': 'true',
    });
  const { client } = clientWith([details, () => refusal(409, 'conflict')]);
  await assert.rejects(client.getInventoryItem(7), {
    details: {
      etag: '"7.12"',
      quantity: 0,
      version: 12,
      link: '/v1/movements?petId=7',
      pets: [
        { petId: 9007199254740993n, quantity: 1, result: -9007199254740993n },
        { petId: -7n, quantity: 0, result: -1n },
      ],
      petCount: 21,
      scope: 'orders:write',
      isReplayed: true,
    },
  });
  await assert.rejects(client.getInventoryItem(7), { details: {} });
});

test('a failed call of which only the response is awaited fails one time', async () => {
  const { client } = clientWith([() => refusal(404, 'not_found')]);
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  await assert.rejects(client.getInventoryItem(7).withResponse(), { code: 'not_found' });
  await turn();
  process.off('unhandledRejection', note);
  assert.deepEqual(unhandled, []);
});

test('a number that may have been rounded is no petId: in a path, a query and a body', async () => {
  const { client, requests } = clientWith([]);
  const refused = { code: 'invalid_argument' };
  const rounded = 2 ** 53;
  for (const petId of [
    rounded,
    -rounded,
    7.5,
    '007',
    '7.0',
    '',
    2n ** 63n,
    -(2n ** 63n) - 1n,
    null as never,
  ]) {
    await assert.rejects(async () => client.getInventoryItem(petId), refused, String(petId));
    await assert.rejects(async () => client.listInventory({ petId: [7, petId] }), refused, String(petId));
    const batch = { changes: [{ petId, quantity: 1 }] };
    await assert.rejects(async () => client.batchInventory(batch), refused, String(petId));
    const petIds = [petId];
    await assert.rejects(
      async () => client.createWebhookEndpoint({ url: 'https://shop.example', petIds }),
      refused,
      String(petId),
    );
  }
  assert.equal(requests.length, 0);
});

test('conditions, the own key and set parameters are sent, and unset ones are not', async () => {
  const { client, requests } = clientWith([item, item, () => success('[]')]);
  const options = { ifMatch: '"a"', ifNoneMatch: '*', idempotencyKey: 'sale 7' };
  await client.updateInventory(-(2n ** 63n), { quantity: 4 }, options);
  await client.updateInventory(7, { quantity: 4 });
  await client.listInventory({ limit: undefined, petId: [7, 8n] });
  const seen = requests.map(({ url, headers }) => [
    url.slice('http://localhost/v1/inventory'.length),
    ...['If-Match', 'If-None-Match', 'Idempotency-Key'].map((name) => headers.get(name)?.slice(0, 32).length),
  ]);
  assert.deepEqual(seen, [
    ['/-9223372036854775808', 3, 1, 6],
    ['/7', undefined, undefined, 32],
    ['?petId=7%2C8', undefined, undefined, undefined],
  ]);
  assert.equal(requests[0]?.headers.get('Idempotency-Key'), 'sale 7');
});

test('a body without an end is given up before it fills the memory, and is cancelled', async (t) => {
  const piece = new Uint8Array(2 ** 26);
  const cancelled = t.mock.fn();
  let left = 8;
  const body = new ReadableStream({
    pull: (controller) => (left-- > 0 ? controller.enqueue(piece) : controller.close()),
    cancel: cancelled,
  });
  const taken = t.mock.fn();
  await assert.rejects(readAll(body, taken), { code: 'invalid_response' });
  assert.deepEqual([taken.mock.callCount(), cancelled.mock.callCount()], [4, 1]);
});

/** A clock whose timers that neither ran nor were cancelled can be counted. */
function countingClock() {
  const timers = new Set<object>();
  const after = (ms: number, callback: () => void) => {
    const timer = {};
    timers.add(timer);
    const cancel = SYSTEM_CLOCK.after(ms, () => {
      timers.delete(timer);
      callback();
    });
    return () => {
      timers.delete(timer);
      cancel();
    };
  };
  return { timers, clock: { ...SYSTEM_CLOCK, random: () => 0, after } };
}

test('no call and no pause leaves a listener at its signal, or a timer', async () => {
  const { timers, clock } = countingClock();
  const { signal } = new AbortController();
  const { client } = clientWith([() => refusal(500, 'internal_error'), item], { clock });
  await client.getInventoryItem(7, { signal });
  assert.deepEqual([getEventListeners(signal, 'abort').length, timers.size], [0, 0]);
  const controller = new AbortController();
  const paused = pause(clock, SHORTEST_TIMEOUT_MS, controller.signal);
  controller.abort(new Error('enough'));
  await assert.rejects(paused, /enough/);
  assert.equal(timers.size, 0);
});

test('no piece of a stream leaves a listener or a timer, and its end closes the connection', async (t) => {
  const { timers, clock } = countingClock();
  const controller = new AbortController();
  const { signal } = controller;
  const options = { clock, silenceMs: SHORTEST_TIMEOUT_MS, signal };
  const open = () => {
    const cancelled = t.mock.fn();
    let left = 3;
    const body = new ReadableStream<Uint8Array>({
      pull: (stream) => (left-- > 0 ? stream.enqueue(new Uint8Array(1)) : new Promise(() => {})),
      cancel: cancelled,
    });
    return { cancelled, pieces: readPieces(body, options) };
  };
  const left = () => [getEventListeners(signal, 'abort').length, timers.size];
  const read = open();
  for (let i = 0; i < 3; i += 1) {
    await read.pieces.next();
    assert.deepEqual(left(), [0, 0]);
  }
  await read.pieces.return(undefined as never);
  assert.equal(read.cancelled.mock.callCount(), 1);
  const aborted = open();
  for (let i = 0; i < 3; i += 1) await aborted.pieces.next();
  const last = aborted.pieces.next();
  controller.abort(new Error('enough'));
  await assert.rejects(last, /enough/);
  assert.deepEqual([...left(), aborted.cancelled.mock.callCount()], [0, 0, 1]);
});

test('a pause of a month is not over immediately', async (t) => {
  const over = t.mock.fn();
  const cancel = SYSTEM_CLOCK.after(31 * 24 * 3_600_000, over);
  for (let i = 0; i < 50; i += 1) await turn();
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(over.mock.callCount(), 0);
  cancel();
});
