import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { api, endRequests, handleDoubt, isReached, LONG_WORK_MS, open } from '../../src/api/client.ts';
import { ApiError } from '../../src/api/api-error.ts';
import { MovementStream, type StreamSource } from '../../src/live/movement-stream.ts';

/** Lets promises settle; timers are those of the test. */
const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

/** A stream whose service answers as the test says. */
function openStream(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const service = { isReached: true, opened: 0, lost: 0 };
  let body: ReadableStreamDefaultController<Uint8Array> | undefined;
  const source: StreamSource = {
    open: async (_method, _path, { signal } = {}) => {
      service.opened += 1;
      if (!service.isReached) {
        return new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason)),
        );
      }
      const stream = new ReadableStream<Uint8Array>({
        start: (controller) => {
          body = controller;
          signal?.addEventListener('abort', () => controller.error(signal.reason));
        },
      });
      return new Response(stream);
    },
    isReached: async () => service.isReached,
    onLost: () => {
      service.lost += 1;
    },
  };
  const stream = new MovementStream(source);
  t.after(() => stream.stop());
  const tick = async (ms: number) => {
    t.mock.timers.tick(ms);
    await settled();
  };
  return { stream, service, tick, send: (text: string) => body?.enqueue(new TextEncoder().encode(text)) };
}

test('a stream is live only as long as something arrives', async (t) => {
  const { stream, service, tick, send } = openStream(t);
  stream.start();
  await settled();
  assert.equal(stream.status.state, 'live');
  for (let comments = 0; comments < 3; comments += 1) {
    await tick(16_000);
    send(':\n\n');
    await settled();
    assert.equal(stream.status.state, 'live', 'the service sends a comment in 15 seconds');
  }
  service.isReached = false;
  await tick(18_000);
  assert.equal(stream.status.state, 'offline');
  await tick(500);
  assert.equal(service.opened, 2);
  await tick(5_000);
  await tick(1_000);
  assert.equal(service.opened, 3, 'an attempt without an answer ends');
  service.isReached = true;
  await tick(5_000);
  await tick(2_000);
  assert.equal(stream.status.state, 'live');
});

test('an answer to another request connects a stream again that was not reached, and none that was refused', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  let opened = 0;
  let failure: ApiError | undefined;
  const open = async () => {
    opened += 1;
    if (failure) throw failure;
    return new Response(new ReadableStream());
  };
  const stream = new MovementStream({ open, isReached: async () => true, onLost: () => {} });
  t.after(() => stream.stop());
  failure = new ApiError('service_unavailable', '', 503);
  stream.start();
  await settled();
  stream.answered();
  await settled();
  assert.equal(opened, 1);
  failure = new ApiError('offline', '', 0);
  t.mock.timers.tick(500);
  await settled();
  assert.deepEqual([opened, stream.status.state], [2, 'offline']);
  failure = undefined;
  stream.answered();
  await settled();
  assert.deepEqual([opened, stream.status.state], [3, 'live']);
});

test('a request without an answer makes the stream offline only if the service answers nothing', async (t) => {
  const { stream, service } = openStream(t);
  await stream.check();
  assert.equal(stream.status.state, 'connecting', 'a stream that is not open loses nothing');
  stream.start();
  await settled();
  await stream.check();
  assert.equal(stream.status.state, 'live');
  service.isReached = false;
  await stream.check();
  assert.deepEqual([stream.status.state, service.lost], ['offline', 1]);
});

test('requests without an answer end, and a slow one is a reason to look for the service', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  t.mock.method(
    globalThis,
    'fetch',
    (_url: string, { signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  let doubts = 0;
  handleDoubt(() => {
    doubts += 1;
  });
  const ended: string[] = [];
  const start = (name: string, limitMs?: number, signal?: AbortSignal) =>
    void api('POST', '/work', { limitMs, signal }).catch(({ code, name: kind }) =>
      ended.push(`${name}: ${code ?? kind}`),
    );
  const tick = async (ms: number) => {
    t.mock.timers.tick(ms);
    await settled();
  };
  start('usual');
  start('long', LONG_WORK_MS);
  await settled();
  await tick(2_499);
  assert.equal(doubts, 0);
  await tick(1);
  assert.equal(doubts, 1, 'long work is no reason');
  await tick(27_500);
  assert.deepEqual(ended, ['usual: offline']);

  start('lost');
  await settled();
  endRequests();
  await settled();
  assert.deepEqual(ended.splice(0), ['usual: offline', 'lost: offline']);
  await tick(LONG_WORK_MS);
  assert.deepEqual(ended.splice(0), ['long: offline']);

  const given = new AbortController();
  const before = doubts;
  start('given up', undefined, given.signal);
  await settled();
  given.abort(new DOMException('The page is gone.', 'AbortError'));
  await settled();
  assert.deepEqual([ended[0], doubts], ['given up: 20', before], 'the page gave it up; nothing failed');
});

/** A stream of a service with a ledger of some hashes, that the test breaks and replaces. */
function streamOf(t: TestContext, hashes: readonly string[]) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const service = {
    hashes,
    after: [] as (string | undefined)[],
    reads: 0,
    isReadable: true,
    prunedTo: 0,
    failure: undefined as ApiError | undefined,
    isLost: () => false,
  };
  const seen: string[] = [];
  let body: ReadableStreamDefaultController<Uint8Array> | undefined;
  const send = (text: string) => body?.enqueue(new TextEncoder().encode(text));
  const open: StreamSource['open'] = async (_method, path, { query, signal } = {}) => {
    const sequence = Number(/^\/movements\/(\d+)$/.exec(path)?.[1]);
    if (sequence > 0) {
      service.reads += 1;
      if (!service.isReadable) throw new ApiError('rate_limit_exceeded', '', 429);
      if (sequence <= service.prunedTo) throw new ApiError('history_pruned', '', 410);
      const hash = service.hashes[sequence - 1];
      if (hash === undefined) throw new ApiError('not_found', '', 404);
      return new Response(JSON.stringify({ hash }));
    }
    const after = (query as { after?: string }).after;
    service.after.push(after);
    service.isLost = () => signal?.aborted === true;
    if (service.failure) throw service.failure;
    if (Number(after) < service.prunedTo) throw new ApiError('history_pruned', '', 410);
    if (Number(after) > service.hashes.length) throw new ApiError('invalid_parameter', '', 400);
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      body = controller;
      signal?.addEventListener('abort', () => controller.error(signal.reason));
    };
    const stream = new ReadableStream<Uint8Array>({ start });
    send(`id: ${after ?? service.hashes.length}\nretry: 2000\n\n`);
    return new Response(stream);
  };
  const stream = new MovementStream({ open, isReached: async () => true, onLost: () => {} });
  t.after(() => stream.stop());
  stream.subscribe({
    onMovements: (movements) => seen.push(...movements.map(({ hash }) => hash)),
    onGap: () => seen.push('gap'),
    onOtherLedger: () => seen.push('other ledger'),
  });
  return {
    stream,
    service,
    seen,
    sendText: send,
    send: (sequence: number) =>
      send(
        `id: ${sequence}\nevent: movement\ndata: ${JSON.stringify({ hash: service.hashes[sequence - 1] })}\n\n`,
      ),
    /** Ends the connection, and waits for the next one. */
    reconnect: async () => {
      await settled();
      body?.close();
      await settled();
      for (let attempts = 0; attempts < 3 && stream.status.state !== 'live'; attempts += 1) {
        t.mock.timers.tick(2_000);
        await settled();
      }
      assert.equal(stream.status.state, 'live');
    },
  };
}

test('a stream resumes in the same ledger, and begins again in that of a restored backup', async (t) => {
  const { stream, service, seen, send, reconnect } = streamOf(t, ['a', 'b']);
  stream.start();
  await settled();
  service.hashes = ['a', 'b', 'c'];
  send(3);
  await reconnect();
  assert.deepEqual([service.after, seen], [[undefined, '3'], ['c']]);
  // The place of a lost movement is taken by another one.
  service.hashes = ['a', 'b', 'd', 'e'];
  await reconnect();
  assert.deepEqual([service.after.at(-1), seen], [undefined, ['c', 'other ledger']]);
  await reconnect();
  assert.deepEqual([service.after.at(-1), seen], ['4', ['c', 'other ledger']]);
  // A ledger that ends before the last movement.
  service.hashes = ['a'];
  await reconnect();
  assert.deepEqual([service.after.at(-1), seen.at(-1), stream.lastId], [undefined, 'other ledger', '1']);
});

test('a stream without a movement knows its ledger too', async (t) => {
  const { stream, service, seen, reconnect } = streamOf(t, ['a', 'b']);
  stream.start();
  await settled();
  assert.equal(service.reads, 1);
  service.hashes = ['a', 'x', 'y'];
  await reconnect();
  assert.deepEqual(seen, ['other ledger']);
});

test('a stream whose place could not be read begins again where the ledger ends before it', async (t) => {
  const { stream, service, seen, reconnect } = streamOf(t, ['a', 'b']);
  service.isReadable = false;
  stream.start();
  await settled();
  service.hashes = ['x'];
  await reconnect();
  assert.deepEqual([service.after, seen], [[undefined, '2', undefined], ['other ledger']]);
});

test('a stream resumes behind deleted movements, and what it missed among them is read again', async (t) => {
  const { stream, service, seen, sendText, reconnect } = streamOf(t, ['a', 'b']);
  stream.start();
  await settled();
  service.hashes = ['a', 'b', 'c', 'd', 'e'];
  service.prunedTo = 2;
  await reconnect();
  assert.deepEqual([service.after.at(-1), seen], ['2', []], 'all that follows is there');
  service.prunedTo = 4;
  await reconnect();
  // A reading before the new stream is live may lack what comes between both.
  assert.deepEqual(
    [service.after.slice(-2), seen.splice(0)],
    [
      ['2', undefined],
      ['gap', 'gap'],
    ],
  );
  // The service ends a stream whose next movements were deleted before they were sent.
  sendText('event: end\ndata: {"code":"history_pruned"}\n\n');
  await reconnect();
  assert.deepEqual([service.after.at(-1), seen], [undefined, ['gap', 'gap']]);
});

test('a stream that began late has missed movements, and one of a session that is over does not go on', async (t) => {
  const { stream, service, seen, reconnect } = streamOf(t, ['a', 'b']);
  service.failure = new ApiError('offline', '', 0);
  stream.start();
  await settled();
  service.failure = undefined;
  await reconnect();
  assert.deepEqual(seen, ['gap']);
  stream.stop();
  await settled();
  stream.start();
  await settled();
  assert.equal(service.after.at(-1), undefined, 'another person signs in');
  service.failure = new ApiError('session_ended', '', 401);
  const { length } = service.after;
  stream.lose();
  assert.equal(service.isLost(), true);
  for (let attempts = 0; attempts < 3; attempts += 1) {
    await settled();
    t.mock.timers.tick(15_000);
  }
  await settled();
  assert.equal(service.after.length, length + 1);
});

test('attempts to connect come less and less often, every 15 seconds at last, and soon after a stream', async (t) => {
  const { stream, service, reconnect } = streamOf(t, []);
  const attempt = async (ms: number) => {
    t.mock.timers.tick(ms);
    await settled();
    return service.after.length;
  };
  service.failure = new ApiError('offline', '', 0);
  stream.start();
  await settled();
  for (let attempts = 1; attempts < 12; attempts += 1)
    assert.equal(await attempt(15_000), attempts + 1, 'each after 15 s at most');
  assert.equal(await attempt(7_000), 12, 'and not before the half of it');
  service.failure = undefined;
  await attempt(8_000);
  assert.equal(stream.status.state, 'live');
  const { length } = service.after;
  await reconnect();
  assert.equal(service.after.length, length + 1);
});

test('what a proxy or a sign-in of a network responds is no answer of the service', async (t) => {
  let doubts = 0;
  handleDoubt(() => {
    doubts += 1;
  });
  let response = () => new Response('{}');
  t.mock.method(globalThis, 'fetch', async () => response());
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'answered',
      ({ code, status }: ApiError) => `${code} ${status}`,
    );
  const page = { headers: { 'Content-Type': 'text/html; charset=utf-8' } };
  const unready = { code: 'service_unavailable', message: 'No instance is ready.', status: 503 };
  const foreign = [
    () => new Response('<p>Sign in to the network</p>', page),
    () => new Response('[1,2', { headers: { 'Content-Type': 'application/json' } }),
    () => new Response(null, { status: 502 }),
    () => new Response('upstream request timeout', { status: 504 }),
    // As the shipped haproxy.cfg.
    () => Response.json({ code: 'service_unavailable', message: '', status: 504 }, { status: 504 }),
    () => Response.json(unready, { status: 503, headers: { 'Retry-After': '5' } }),
    () => new Response('<h1>Unknown error</h1>', { ...page, status: 520 }),
  ];
  for (const each of foreign) {
    response = each;
    assert.equal(await codeOf(api('POST', '/orders', { body: {} })), 'offline 0');
  }
  assert.equal(doubts, foreign.length);
  const [signIn] = foreign as [() => Response];
  response = signIn;
  assert.deepEqual([await codeOf(open('GET', '/movements/stream')), await isReached()], ['offline 0', false]);
  // The service says itself that it cannot do this now.
  const headers = { 'Petstore-Version': '2026-01-01' };
  response = () => Response.json(unready, { status: 503, headers });
  assert.deepEqual(
    [await codeOf(api('POST', '/orders')), await isReached()],
    ['service_unavailable 503', true],
  );
  const refused = { code: 'internal_error', message: '' };
  response = () => Response.json(refused, { status: 500 });
  assert.deepEqual([await codeOf(api('POST', '/orders')), await isReached()], ['internal_error 500', true]);
  // A rule of a firewall would be met again by each attempt.
  response = () => new Response('<h1>Forbidden</h1>', { ...page, status: 403 });
  assert.equal(await codeOf(api('POST', '/orders')), 'internal_error 403');
});
