import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startApp, type TestApp } from '../../../server/test/support/harness.ts';
import { petRow } from '../../../server/test/support/pet-rows.ts';
import { until } from '../../../server/test/support/until.ts';
import { SYSTEM_CLOCK } from '../../src/clock.ts';
import type { Movement, PetstoreError } from '../../src/index.ts';
import { MovementOrder } from '../../src/stream/movement-order.ts';
import { clientOf, fetchOf } from '../support/client-of.ts';
import { eventsOf, streamOf } from '../support/stream-pieces.ts';

const LARGE = 9007199254740993n;
const pets = [petRow(7n), petRow(LARGE)];
/** Without jitter, so that nothing waits. */
const clock = { ...SYSTEM_CLOCK, random: () => 0 };

/** Changes the stock some times, and returns the sequences and the movements as the service has them. */
async function changed(t: TestContext, count: number): Promise<{ app: TestApp; movements: Movement[] }> {
  const app = await startApp(t, { pets });
  const client = clientOf(app);
  const movements: Movement[] = [];
  for (let i = 0; i < count; i += 1) {
    movements.push(await client.adjustInventory(LARGE, { delta: 1, reason: 'received' }));
  }
  return { app, movements };
}

/** A `fetch` whose streams are these, one per connection, and everything else is of the service. */
function fetchWith(
  app: TestApp,
  streams: readonly (() => ReadableStream<Uint8Array>)[],
  urls: string[] = [],
) {
  const service = fetchOf(app);
  let next = 0;
  const fake: typeof fetch = async (input, init) => {
    const url = String(input);
    if (!url.includes('/stream')) return service(input, init);
    urls.push(url);
    const stream = streams[next++];
    assert.ok(stream, 'no further connection');
    return new Response(stream(), { headers: { 'Content-Type': 'text/event-stream' } });
  };
  return fake;
}

async function take(movements: AsyncIterable<Movement>, count: number): Promise<number[]> {
  const sequences: number[] = [];
  for await (const { sequence } of movements) {
    if (sequences.push(sequence) === count) break;
  }
  return sequences;
}

test('follows the ledger from a sequence, live', async (t) => {
  const { app } = await changed(t, 3);
  const client = clientOf(app);
  const stream = client.streamMovements({ after: 2 });
  const early = [await stream.next(), await stream.next(), await stream.next()];
  assert.deepEqual(
    early.map(({ value }) => [(value as Movement).sequence, (value as Movement).petId]),
    [3, 4, 5].map((sequence) => [sequence, LARGE]),
  );
  const next = stream.next();
  await client.updateInventory(7, { quantity: 1 });
  assert.equal(((await next).value as Movement).sequence, 6);
  await stream.return();
});

test(
  'resumes after the last movement when the connection breaks or is silent',
  {
    timeout: 20_000,
  },
  async (t) => {
    const { app, movements } = await changed(t, 4);
    const [one, two, three, four] = eventsOf(movements) as [string, string, string, string];
    const urls: string[] = [];
    const errors: string[] = [];
    const streams = [
      () => streamOf(['id: 2\n\n', one, two.slice(0, 50)], 'break'),
      () => streamOf([two, three], 'stay open'),
      () => streamOf(['retry: 1\n', `id: 5\n\n`, four], 'end'),
    ];
    const client = clientOf(app, { fetch: fetchWith(app, streams, urls), clock });
    const onDisconnect = ({ code }: PetstoreError) => errors.push(code);
    const stream = client.streamMovements({ after: 2 }, { silenceMs: 50, onDisconnect });
    assert.deepEqual(await take(stream, 4), [3, 4, 5, 6]);
    assert.deepEqual(
      urls.map((url) => url.split('?')[1]),
      ['after=2', 'after=3', 'after=5'],
    );
    assert.deepEqual(errors, ['connection_failed', 'timed_out']);
  },
);

test('repeated and reordered pieces change nothing', async (t) => {
  const { app, movements } = await changed(t, 5);
  const [one, two, three, four, five] = eventsOf(movements) as [string, string, string, string, string];
  const streams = [
    () => streamOf([one, one, three, two, one, five, ':\n\n'], 'stay open'),
    () => streamOf([four, three, five], 'stay open'),
  ];
  const client = clientOf(app, { fetch: fetchWith(app, streams), clock });
  assert.deepEqual(await take(client.streamMovements({ after: 2 }), 5), [3, 4, 5, 6, 7]);
});

test('a stream that goes on without a movement is given up before it fills the memory', () => {
  const order = new MovementOrder(0);
  const early = (sequence: number) => order.add({ sequence } as Movement);
  for (let sequence = 2; sequence <= 101; sequence += 1) assert.deepEqual(early(sequence), []);
  assert.throws(() => early(102), { code: 'connection_failed' });
});

test('a stream of single bytes is the same stream', async (t) => {
  const { app, movements } = await changed(t, 2);
  const text = `retry: 5\r\nid: 2\r\n\r\n:\r\n\r\n${eventsOf(movements).join('').replaceAll('\n', '\r\n')}`;
  const streams = [() => streamOf([...text], 'stay open')];
  const client = clientOf(app, { fetch: fetchWith(app, streams), clock });
  assert.deepEqual(await take(client.streamMovements({ after: 2 }), 2), [3, 4]);
});

test('another ledger with the same sequences is an error', async (t) => {
  const { app, movements } = await changed(t, 2);
  const [one] = eventsOf(movements) as [string];
  const other = one.replace(/"hash":"[0-9a-f]{4}/, '"hash":"0000');
  const client = clientOf(app, { fetch: fetchWith(app, [() => streamOf([other], 'end')]), clock });
  const stream = client.streamMovements({ after: 2 });
  assert.equal(((await stream.next()).value as Movement).sequence, 3);
  await assert.rejects(stream.next(), { code: 'ledger_replaced' });
});

test('another ledger that ends before the last movement is an error', async (t) => {
  const { movements } = await changed(t, 1);
  const shorter = await startApp(t, { pets });
  const fetch = fetchWith(shorter, [() => streamOf(eventsOf(movements), 'end')]);
  const stream = clientOf(shorter, { fetch, clock }).streamMovements({ after: 2 });
  assert.equal(((await stream.next()).value as Movement).sequence, 3);
  await assert.rejects(stream.next(), { code: 'ledger_replaced' });
});

test('another ledger that has grown past the start is an error, also without a movement', async (t) => {
  const old = await startApp(t, { pets });
  const other = await startApp(t, { pets: [...pets, petRow(8n), petRow(9n)] });
  let app = old;
  let hasPlace = false;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('Authorization', `Bearer ${app.key}`);
    const response = await fetchOf(app)(input, { ...init, headers });
    hasPlace ||= String(input).endsWith('/movements/2');
    return response;
  };
  const next = clientOf(old, { fetch, clock }).streamMovements().next();
  await until(() => hasPlace, 'the client knows the place in the ledger');
  app = other;
  old.app.startDraining();
  await assert.rejects(next, { code: 'ledger_replaced' });
});

test('an end that cannot be continued is an error', async (t) => {
  const { app } = await changed(t, 1);
  const end = 'event: end\ndata: {"code":"revoked_api_key","message":"Revoked.","status":401}\n\n';
  const client = clientOf(app, { fetch: fetchWith(app, [() => streamOf([end], 'end')]), clock });
  await assert.rejects(take(client.streamMovements(), 1), { code: 'revoked_api_key', status: 401 });
  await assert.rejects(take(clientOf(app).streamMovements({ after: 99 }), 1), { code: 'invalid_parameter' });
});

test('the signal ends a silent stream', async (t) => {
  const { app } = await changed(t, 1);
  const controller = new AbortController();
  const stream = clientOf(app).streamMovements({}, { signal: controller.signal });
  const next = stream.next();
  await until(
    () => app.request('GET', '/metrics').then(({ text }) => /petstore_live_readers 1/.test(text)),
    'the stream is open',
  );
  controller.abort(new Error('enough'));
  await assert.rejects(next, { message: 'enough' });
  await until(
    () => app.request('GET', '/metrics').then(({ text }) => /petstore_live_readers 0/.test(text)),
    'the stream is closed',
  );
});

test('a stream without sense is opened again, and not too often', async (t) => {
  const { app, movements } = await changed(t, 2);
  const [one, two] = eventsOf(movements) as [string, string];
  const waits: number[] = [];
  const slow = {
    ...clock,
    random: () => 1,
    after: (ms: number, callback: () => void) => {
      if (ms < 10_000) waits.push(ms);
      return clock.after(ms < 10_000 ? 0 : ms, callback);
    },
  };
  const streams = [
    () => streamOf(['retry: 0\n\n', 'event: movement\ndata: null\n\n'], 'stay open'),
    () => streamOf(['event: end\ndata: null\n\n'], 'stay open'),
    () => streamOf([one], 'end'),
    () => streamOf([two], 'stay open'),
  ];
  const client = clientOf(app, { fetch: fetchWith(app, streams), clock: slow });
  assert.deepEqual(await take(client.streamMovements({ after: 2 }), 2), [3, 4]);
  assert.deepEqual(waits, [500, 1_000, 500], 'after a movement the pauses begin again');
});
