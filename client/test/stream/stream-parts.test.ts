import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { attemptStream } from '../../src/http/attempt.ts';
import { readText } from '../../src/http/body-reader.ts';
import { type Movement, PetstoreClient } from '../../src/index.ts';
import { WaitingLine } from '../../src/limits/waiting-line.ts';
import { MovementOrder } from '../../src/stream/movement-order.ts';
import { refusal, scripted, SHORTEST_TIMEOUT_MS, success } from '../support/scripted-service.ts';
import { streamOf } from '../support/stream-pieces.ts';

test('a character that arrives in two pieces is whole', async () => {
  const bytes = new TextEncoder().encode('Größe: 3 €');
  const pieces = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  assert.equal(await readText(pieces), 'Größe: 3 €');
});

test('a movement that comes again is no early one', () => {
  const order = new MovementOrder(4);
  const add = (sequence: number) => order.add({ sequence } as Movement).length;
  assert.deepEqual([add(5), add(5), add(3), order.hasGap, order.last], [1, 0, 0, false, 5]);
  assert.deepEqual([add(7), order.hasGap, add(6), order.hasGap], [0, true, 2, false]);
});

test('a call that leaves the line twice takes no other one along', () => {
  const line = new WaitingLine<string>();
  line.add('a');
  const [removeB, removeC] = [line.add('b'), line.add('c')];
  line.add('d');
  removeB();
  removeC();
  removeB();
  assert.deepEqual([...line], ['a', 'd']);
});

test('a page in place of a stream is an error', async () => {
  const { options } = scripted([]);
  const fetch = async () => new Response('<h1>Hello</h1>', { headers: { 'Content-Type': 'text/html' } });
  const sending = { url: 'http://localhost', init: {}, fetch, clock: options.clock };
  const opened = attemptStream({ ...sending, timeoutMs: 60_000, signal: undefined });
  await assert.rejects(opened, { code: 'invalid_response', status: 200 });
});

test('the place of a stream is asked for one time, and a failure of that does not end the stream', async (t) => {
  const stream = new Response(streamOf(['id: 2\n\n', ':\n\n', ':\n\n', ':\n\n'], 'stay open'), {
    headers: { 'Content-Type': 'text/event-stream' },
  });
  const answers = [() => stream, () => refusal(500, 'internal_error'), () => success('{}')];
  const { options, requests } = scripted(answers);
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  const stop = new AbortController();
  t.after(() => stop.abort(new Error('enough')));
  const streamOptions = { signal: stop.signal, silenceMs: SHORTEST_TIMEOUT_MS };
  const next = new PetstoreClient(options).streamMovements({}, streamOptions).next();
  next.catch(() => {});
  for (let i = 0; i < 500 && requests.length < 2; i += 1) await turn();
  for (let i = 0; i < 50; i += 1) await turn();
  process.off('unhandledRejection', note);
  assert.deepEqual(unhandled, []);
  assert.deepEqual(
    requests.map(({ url }) => url.slice('http://localhost/v1/movements/'.length)),
    ['stream', '2'],
  );
});
