import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

const DEADLINE_MS = 60_000;

/** An echo server that ends a connection when its client does. */
async function startEcho(t: TestContext): Promise<{ port: number; accepted: Socket[] }> {
  const accepted: Socket[] = [];
  const server = createServer((socket) => {
    accepted.push(socket);
    socket.on('error', () => {});
    socket.pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    for (const socket of accepted) socket.destroy();
  });
  return { port: (server.address() as AddressInfo).port, accepted };
}

/** A client that records the bytes that it receives and the end of its connection. */
class Client {
  received = '';
  end: string | undefined;
  readonly #socket: Socket;

  constructor(t: TestContext, port: number) {
    this.#socket = connect({ port, host: '127.0.0.1' });
    t.after(() => this.#socket.destroy());
    this.#socket.setEncoding('latin1').on('data', (text: string) => {
      this.received += text;
    });
    this.#socket.on('error', (error: NodeJS.ErrnoException) => {
      this.end = error.code;
    });
    this.#socket.on('end', () => {
      this.end ??= 'end';
    });
  }

  say(text: string): void {
    this.#socket.write(text);
  }

  finish(): void {
    this.#socket.end();
  }
}

async function until(isSo: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!isSo()) {
    assert.ok(Date.now() < deadline, what);
    await delay(2);
  }
}

async function startBoth(t: TestContext): Promise<{ proxy: TcpProxy; port: number; accepted: Socket[] }> {
  const { port, accepted } = await startEcho(t);
  return { proxy: await startTcpProxy(t, port), port, accepted };
}

test('the proxy carries every byte, both ways, and the end of a connection', async (t) => {
  const { proxy } = await startBoth(t);
  const client = new Client(t, proxy.port);
  const text = Array.from({ length: 100_000 }, (_, i) => `${i} `).join('');
  client.say(text);
  client.finish();
  await until(() => client.end !== undefined, 'the connection ends');
  assert.equal(client.end, 'end');
  assert.equal(client.received, text);
  assert.equal(
    proxy.url('postgres://user:secret@example.com:5432/shop'),
    `postgres://user:secret@127.0.0.1:${proxy.port}/shop`,
  );
});

test('a black hole keeps connections open without data, and afterwards no data is missing', async (t) => {
  const { proxy, port, accepted } = await startBoth(t);
  const old = new Client(t, proxy.port);
  old.say('before ');
  await until(() => old.received === 'before ', 'bytes pass');
  proxy.blackHole();
  proxy.blackHole();
  old.say('meanwhile');
  accepted[0]?.write('unasked ');
  const young = new Client(t, proxy.port);
  young.say('new');
  young.finish();
  // These would have received something by now, because others completed a round trip.
  const direct = new Client(t, port);
  for (let trip = 1; trip <= 50; trip += 1) {
    direct.say('x');
    await until(() => direct.received.length === trip, 'the server answers others');
  }
  assert.deepEqual([old.received, young.received], ['before ', '']);
  assert.deepEqual([old.end, young.end, accepted.length], [undefined, undefined, 2]);

  proxy.heal();
  await until(() => young.end === 'end', 'a new connection is answered, and ends');
  await until(() => old.received.length === 'before meanwhileunasked '.length, 'the held data arrives');
  assert.match(old.received, /^before (?:unasked meanwhile|meanwhileunasked )$/);
  assert.equal(young.received, 'new');
});

test('a cut resets every connection on both sides, and the next one is taken', async (t) => {
  const { proxy, accepted } = await startBoth(t);
  const clients = Array.from({ length: 3 }, () => new Client(t, proxy.port));
  for (const client of clients) client.say('hello');
  await until(() => clients.every(({ received }) => received === 'hello'), 'bytes pass');
  proxy.cut();
  await until(() => clients.every(({ end }) => end !== undefined), 'every client is disconnected');
  assert.deepEqual(
    clients.map(({ end }) => end),
    ['ECONNRESET', 'ECONNRESET', 'ECONNRESET'],
  );
  await until(() => accepted.every(({ destroyed }) => destroyed), 'the server is disconnected');
  const next = new Client(t, proxy.port);
  next.say('again');
  await until(() => next.received === 'again', 'bytes pass again');
});

test('a target that is not there breaks the connection; one that breaks, breaks it too', async (t) => {
  const { proxy, accepted } = await startBoth(t);
  const client = new Client(t, proxy.port);
  client.say('hello');
  await until(() => client.received === 'hello', 'bytes pass');
  accepted[0]?.resetAndDestroy();
  await until(() => client.end === 'ECONNRESET', 'the client is disconnected');

  const unreachable = await startTcpProxy(t, 1);
  const lost = new Client(t, unreachable.port);
  await until(() => lost.end === 'ECONNRESET', 'the client is disconnected');
});

test('latency delays data', async (t) => {
  const { proxy } = await startBoth(t);
  proxy.latencyMs = 60;
  const client = new Client(t, proxy.port);
  const startMs = performance.now();
  client.say('hello');
  await until(() => client.received === 'hello', 'bytes pass');
  assert.ok(performance.now() - startMs >= 115, 'there and back takes twice the latency');
});
