import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { pause, SYSTEM_CLOCK } from '../src/clock.ts';
import { writeExact } from '../src/exact-json.ts';
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
  const told = clientWith([() => refusal(503, 'service_unavailable', { 'Retry-After': '7' }), item]);
  await told.client.getInventoryItem(7);
  assert.deepEqual(told.pauses, [7_250]);
});

test('after a 429 a call waits one time, at the gate', async () => {
  const { client, pauses } = clientWith([
    () => refusal(429, 'rate_limit_exceeded', { 'Retry-After': '7' }),
    item,
  ]);
  await client.getInventoryItem(7);
  assert.deepEqual(pauses, [7_500]);
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

test('petIds in a list are written with all digits', () => {
  const petIds = [9_007_199_254_740_993n, '-9223372036854775808', 7];
  assert.equal(writeExact({ petIds }), '{"petIds":[9007199254740993,-9223372036854775808,7]}');
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
