import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Ledger } from '../../src/domain/ledger-store.ts';
import { holdSteps, nextStep } from '../../src/process/turn.ts';
import { StockReader } from '../../src/http/inventory/stock-reader.ts';
import { Pipelines } from '../../src/listen/pipelines.ts';
import { TurnQueue } from '../../src/listen/turn-queue.ts';
import { request } from '../blackbox/api-request.ts';
import { RawSocket } from '../blackbox/raw-socket.ts';
import { startService } from '../blackbox/service.ts';
import { until } from '../support/until.ts';
import { answerOf, listen } from './listening.ts';
import { isSkippedDaily, isSkippedOnBun } from '../support/long-test.ts';

function get(path: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
}

function authorized(key: string): string {
  return `Authorization: Bearer ${key}\r\n`;
}

function patch(quantity: number, key: string): string {
  const body = `{"quantity":${quantity}}`;
  const headers = `${authorized(key)}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `PATCH /v1/inventory/1 HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n${body}`;
}

/** A client that sends and reads nothing. */
async function deaf(t: TestContext, port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  t.after(() => socket.destroy());
  socket.pause();
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Sends requests on other connections, so that the server had time for everything sent before. */
async function serveOthers(port: number, times = 50): Promise<void> {
  for (let i = 0; i < times; i += 1) {
    const socket = await RawSocket.open(port);
    socket.send(get('/other', 'Connection: close\r\n'));
    assert.equal((await socket.next())?.status, 200);
    socket.destroy();
  }
}

test('a client that reads no answer has few of them made', async (t) => {
  const answered = { deaf: 0 };
  const large = 'x'.repeat(1_000_000);
  const { port } = await listen(t, (request) => {
    if (request.target.endsWith('/other')) return answerOf('other');
    answered.deaf += 1;
    return answerOf(large);
  });
  const socket = await deaf(t, port);
  socket.write(get('/large').repeat(500));
  await until(() => answered.deaf > 0, 'the first is answered');
  await serveOthers(port);
  // The system accepts some megabytes for the client.
  assert.ok(answered.deaf < 50, `${answered.deaf} answers of a megabyte were made`);
});

test('the socket of a client that sends on and on is not read while its requests wait', async (t) => {
  if (isSkippedOnBun(t, 'it closes a connection whose client pipelines')) return;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const received = { count: 0 };
  const { port } = await listen(t, async (request) => {
    if (request.target.endsWith('/other')) return answerOf('other');
    received.count += 1;
    await held;
    return answerOf('late');
  });
  const socket = await RawSocket.open(port);
  socket.send(get('/').repeat(500_000));
  await until(() => received.count > 0, 'the first request arrives');
  await serveOthers(port);
  assert.equal(received.count, 1);
  assert.ok(socket.unsentBytes > 0, 'the service has read all of it');
  release();
  for (let i = 0; i < 2_000; i += 1) assert.equal((await socket.next())?.body.toString(), 'late');
  socket.destroy();
});

test('queued requests on a closed connection do not start', async (t) => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const received: string[] = [];
  const { port } = await listen(t, async (request) => {
    if (request.target.endsWith('/other')) return answerOf('other');
    received.push(request.target);
    await held;
    return answerOf('');
  });
  const socket = await RawSocket.open(port);
  socket.send(get('/first') + get('/second').repeat(10));
  await until(() => received.length > 0, 'the first request arrives');
  socket.reset();
  await serveOthers(port, 5);
  release();
  await serveOthers(port, 5);
  assert.deepEqual(received, ['/first']);
});

test('a stop ends a connection after the current answer, and starts no later request', async (t) => {
  if (isSkippedOnBun(t, 'it closes a connection whose client pipelines')) return;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const received: string[] = [];
  const { port, close } = await listen(t, async (request) => {
    received.push(request.target);
    await held;
    return answerOf('done', 200, { Connection: 'close' });
  });
  const socket = await RawSocket.open(port);
  socket.send(get('/first') + get('/second').repeat(100));
  await until(() => received.length > 0, 'the first request arrives');
  const closed = close(20_000);
  release();
  const answers = await socket.untilClosed();
  assert.deepEqual(
    answers.map(({ body }) => body.toString()),
    ['done'],
  );
  await closed;
  assert.deepEqual(received, ['/first']);
});

test('ten thousand requests wait on all connections, and not more', () => {
  const pipelines = new Pipelines();
  const connection = () => {
    const socket = Object.assign(new EventEmitter(), {
      destroyed: false,
      pause: () => {},
      resume: () => {},
      destroy: () => {
        socket.destroyed = true;
        socket.emit('close');
      },
    });
    return socket;
  };
  const wait = (socket: ReturnType<typeof connection>, times: number) => {
    for (let i = 0; i < times; i += 1) {
      const previous = new EventEmitter() as ServerResponse;
      pipelines.startAfter(previous, { socket: socket as unknown as Socket } as IncomingMessage, () => {});
    }
    return socket;
  };
  const sockets = Array.from({ length: 10 }, () => wait(connection(), 1_000));
  assert.ok(sockets.every(({ destroyed }) => !destroyed));
  assert.equal(wait(connection(), 1).destroyed, true, 'one more has no place');
  sockets[0]?.destroy();
  assert.equal(wait(connection(), 1_000).destroyed, false, 'those of a closed connection wait no more');
  assert.equal(wait(connection(), 1).destroyed, true);
});

test('a service', async (t) => {
  if (isSkippedOnBun(t, 'it closes a connection whose client pipelines')) return;
  if (isSkippedDaily(t)) return;
  const pets = Array.from({ length: 10_000 }, (_, i) => ({ petId: BigInt(i + 1), quantity: 0 }));
  const service = await startService(t, { pets });

  await t.test('answers a read behind an update with its effect, a thousand in their order', async () => {
    const read = get('/v1/inventory/1', authorized(service.key));
    const requests = Array.from({ length: 1_000 }, (_, i) => (i % 3 === 0 ? patch(i, service.key) : read));
    const socket = await RawSocket.open(service.port);
    socket.send(requests.join(''));
    for (let i = 0; i < requests.length; i += 1) {
      const answer = await socket.next();
      assert.equal(answer?.status, 200);
      const { quantity } = JSON.parse(answer.body.toString()) as { quantity: number };
      assert.equal(quantity, i - (i % 3), `answer ${i}`);
    }
    socket.destroy();
  });

  await t.test('takes little memory for twenty clients that request lists without reading them', async () => {
    const before = await residentBytes(service);
    const requests = get('/v1/inventory', authorized(service.key)).repeat(2_000);
    const sockets = await Promise.all(Array.from({ length: 20 }, () => deaf(t, service.port)));
    for (const socket of sockets) socket.write(requests);
    for (let i = 0; i < 200; i += 1) await request(service, { path: '/healthz' });
    const grownBytes = (await residentBytes(service)) - before;
    t.diagnostic(`${Math.round(grownBytes / 2 ** 20)} MiB more`);
    assert.ok(grownBytes < 300 * 2 ** 20, `${grownBytes} bytes more`);
  });
});

async function residentBytes(service: { port: number }): Promise<number> {
  const { body } = await request(service, { path: '/metrics' });
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(body.toString())?.[1]);
}

test('a body that is late behind a paused pipeline is refused after the pipeline has gone on', async (t) => {
  if (isSkippedOnBun(t, 'it closes a connection whose client pipelines')) return;
  const times = { headersTimeoutSeconds: 0.5, requestTimeoutSeconds: 0.5 };
  const { port } = await listen(
    t,
    async (request) => {
      // The pipeline is paused while Node reports the late body, which it does once.
      if (request.method === 'GET') await pause(200);
      else await request.readBody(10_000).catch(() => undefined);
      return answerOf('done');
    },
    times,
  );
  const socket = await RawSocket.open(port);
  const head = 'PATCH / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000\r\n\r\n';
  socket.send(`${get('/first').repeat(20)}${head}x`);
  const dripping = setInterval(() => socket.send('x'), 100);
  t.after(() => clearInterval(dripping));
  const statuses = (await socket.untilClosed()).map(({ status }) => status);
  assert.deepEqual(statuses, [...Array<number>(20).fill(200), 400]);
});

test('the requests of one turn start together, after the last of them is read', async () => {
  const started: string[] = [];
  const turn = new TurnQueue((incoming) => started.push(incoming.url ?? ''));
  const add = (url: string, writableEnded = false) => {
    const request = { url, socket: { writableEnded } };
    turn.add(request as IncomingMessage, {} as ServerResponse);
  };
  add('/a');
  add('/refused', true);
  add('/b');
  assert.deepEqual(started, []);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(started, ['/a', '/b']);
});

test('a turn starts requests for a bounded time, the rest in order, and probes do not wait for them', async () => {
  const started: string[] = [];
  let nowMs = 0;
  // 16 requests take 4 ms.
  const startSlowly = (incoming: IncomingMessage) => {
    started.push(incoming.url ?? '');
    nowMs += 0.25;
  };
  const turn = new TurnQueue(startSlowly, () => nowMs);
  const add = (...urls: string[]) => {
    for (const url of urls) turn.add({ url, socket: {} } as IncomingMessage, {} as ServerResponse);
  };
  const first = range(0, 34);
  add(...first, '/healthz');
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(started.splice(0), ['/healthz', ...first.slice(0, 16)], '4 ms are over');
  add('/late', '/readyz');
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(started.splice(0), ['/readyz', ...first.slice(16, 32)]);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(started.splice(0), [...first.slice(32), '/late']);
  add('/next');
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(started, ['/next']);
});

test('turns that accept connections start only probes, for a bounded time', async () => {
  const started: string[] = [];
  let nowMs = 0;
  const turn = new TurnQueue(
    ({ url }) => started.push(url ?? ''),
    () => nowMs,
  );
  const add = (url: string) => turn.add({ url, socket: {} } as IncomingMessage, {} as ServerResponse);
  const next = () => new Promise((resolve) => setImmediate(resolve));
  turn.noteConnection();
  await next();
  // Its connection was accepted in a turn before.
  add('/alone');
  await next();
  assert.deepEqual(started.splice(0), ['/alone']);
  turn.noteConnection();
  add('/a');
  add('/healthz');
  await next();
  assert.deepEqual(started.splice(0), ['/healthz']);
  await next();
  assert.deepEqual(started.splice(0), ['/a'], 'no further connection was accepted');
  add('/b');
  let steps = 0;
  const step = async () => {
    await nextStep();
    steps += 1;
  };
  nowMs = 100;
  for (let connections = 0; connections < 100; connections += 1) {
    turn.noteConnection();
    void step();
    await next();
    assert.deepEqual([started, steps], [[], 0], 'nor does a long task continue');
  }
  nowMs = 108;
  turn.noteConnection();
  await next();
  assert.deepEqual(started.splice(0), ['/b'], 'however many connections arrive');
  await until(() => steps === 100, 'the long tasks continue');
});

test('on a busy machine, where time passes in each turn, a few connections are accepted in any case', async () => {
  const started: string[] = [];
  let nowMs = 0;
  const turn = new TurnQueue(
    ({ url }) => started.push(url ?? ''),
    () => (nowMs += 100),
  );
  turn.add({ url: '/a', socket: {} } as IncomingMessage, {} as ServerResponse);
  let connections = 0;
  for (; started.length === 0 && connections < 1_000; connections += 1) {
    turn.noteConnection();
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(connections, 65);
});

test('long tasks share the time of a turn, however many there are', async () => {
  let turn = 0;
  const taken: { readonly turn: number; readonly name: string }[] = [];
  const tasks = range(0, 60).map(async (name) => {
    // Each begins in a callback of its own, as the streams of several connections do.
    await new Promise((resolve) => setImmediate(resolve));
    for (let step = 0; step < 3; step += 1) {
      await nextStep();
      taken.push({ turn, name });
      const endMs = performance.now() + 1;
      while (performance.now() < endMs);
    }
  });
  let isOver = false;
  const all = Promise.all(tasks).finally(() => (isOver = true));
  for (; !isOver; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  await all;
  assert.equal(taken.length, 180);
  const counts = Map.groupBy(taken, (step) => step.turn);
  // A step takes a millisecond or more, and the count of this test may begin in the middle of a turn.
  for (const steps of counts.values()) assert.ok(steps.length <= 12, `${steps.length} steps in a turn`);
  const names = taken.map(({ name }) => name);
  assert.deepEqual([...new Set(names)], range(0, 60), 'in the order in which they wait');
  const early = range(10, 50).filter((name) => names.lastIndexOf(name) < names.indexOf('/59'));
  assert.deepEqual(early, [], 'no task takes all its steps before those that wait');
});

test('readers of the past and of filtered lists share the time of a turn', async () => {
  let turn = 0;
  const reads: number[] = [];
  const stockPage = () => {
    reads[turn] = (reads[turn] ?? 0) + 1;
    const endMs = performance.now() + 1;
    while (performance.now() < endMs);
    return { json: ',1', itemCount: 1, nextAfter: 1n };
  };
  const ledger = { stockPage } as unknown as Ledger;
  const { signal } = new AbortController();
  const all = range(0, 60).map(async () => {
    const reader = new StockReader(ledger, 1, { filter: {}, after: undefined, signal });
    await reader.take({ items: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    await reader.take({ items: 3 });
  });
  let isOver = false;
  void Promise.all(all).then(() => (isOver = true));
  for (; !isOver; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  const [first, ...later] = reads;
  assert.equal(first, 60, 'the first pages belong to the starts of the requests');
  assert.ok(Math.max(...later.map((count) => count ?? 0)) <= 12, later.join(' '));
});

test('tasks that wait have no callback each', async (t) => {
  const queued = t.mock.method(globalThis, 'setImmediate');
  holdSteps();
  const steps = range(0, 1_000).map(async () => nextStep());
  const callbacks = queued.mock.callCount();
  queued.mock.restore();
  await Promise.all(steps);
  assert.ok(callbacks >= 256 && callbacks < 260, `${callbacks} callbacks`);
});

function range(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, index) => `/${from + index}`);
}

test('a request whose body the parser refuses in the same packet is not started', async (t) => {
  if (isSkippedOnBun(t, 'it closes a connection whose client pipelines')) return;
  const targets: string[] = [];
  const { port } = await listen(t, ({ target }) => {
    targets.push(target);
    return answerOf('started');
  });
  const socket = await RawSocket.open(port);
  socket.send('POST /a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n');
  const answers = await socket.untilClosed();
  assert.deepEqual([answers.map(({ status }) => status), targets], [[400], []]);
  socket.destroy();
});
