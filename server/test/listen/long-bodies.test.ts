import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { RawSocket } from '../blackbox/raw-socket.ts';
import { until } from '../support/until.ts';
import { answerOf, listen } from './listening.ts';
import { isSkippedDaily, isSkippedOnBun } from '../support/long-test.ts';

/** A busy machine may hold a piece back; Node breaks off a connection after twice the second one without any. */
const TIMES = { headersTimeoutSeconds: 1, requestTimeoutSeconds: 1 };
const head = (length: number) => `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`;

async function total(pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const piece of pieces) bytes += piece.byteLength;
  return bytes;
}

test('a body that is read in pieces may take longer than a request, and the next request is in time again', async (t) => {
  const { port } = await listen(
    t,
    async (request) => answerOf(String(await total(request.readPieces(3)))),
    TIMES,
  );
  const socket = await RawSocket.open(port);
  socket.send(head(30));
  for (let sent = 0; sent < 30; sent += 1) {
    // Longer than the time-out and the interval of its check, in sum.
    await delay(80);
    socket.send('x');
  }
  assert.equal((await socket.next())?.body.toString(), '30');
  socket.send(`${head(2)}ok`);
  assert.equal((await socket.next())?.body.toString(), '2');
  socket.destroy();
});

test('a body that a busy service begins to read late is not refused for that, and has the whole time again', async (t) => {
  if (isSkippedOnBun(t, 'it does not end the connection of a late body')) return;
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { port } = await listen(
    t,
    async (request) => {
      await gates[request.target === '/whole' ? 0 : 1]?.promise;
      if (request.target === '/pieces') {
        request.allowSilence?.(60);
        return answerOf(String(await total(request.readPieces(15))));
      }
      const body = await request.readBody(100).catch((error: Error) => error);
      return answerOf(body instanceof Error ? body.message : String(body?.byteLength));
    },
    { headersTimeoutSeconds: 1, requestTimeoutSeconds: 2 },
  );
  const open = async (target: string) => {
    const socket = await RawSocket.open(port);
    t.after(() => socket.destroy());
    socket.send(`${head(4).replace('/', target)}xx`);
    return socket;
  };
  const [whole, inPieces, late] = [await open('/whole'), await open('/pieces'), await open('/whole')];
  // Longer than the time-out and the interval of its check, so that Node has reported all three.
  await delay(3_500);
  for (const gate of gates) gate.resolve();
  await delay(1);
  whole.send('xx');
  assert.equal((await whole.next())?.body.toString(), '4');
  inPieces.send('xx');
  assert.equal((await inPieces.next())?.body.toString(), '4');
  // Its connection may end as a silent one first.
  for (const { body } of await late.untilClosed()) assert.equal(body.toString(), 'request_timeout');
});

test('a body without a piece for too long is refused', async (t) => {
  const { port } = await listen(
    t,
    async (request) => {
      const error = await total(request.readPieces(0.2)).catch((thrown: Error) => thrown);
      return answerOf(error instanceof Error ? error.name : 'read', 408, { Connection: 'close' });
    },
    { headersTimeoutSeconds: 5, requestTimeoutSeconds: 5 },
  );
  const socket = await RawSocket.open(port);
  socket.send(`${head(5)}hell`);
  const answer = await socket.next();
  assert.deepEqual([answer?.status, answer?.body.toString()], [408, 'LateBody']);
  socket.destroy();
});

test('a body that ends early fails', async (t) => {
  const results: unknown[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const { port } = await listen(t, async (request) => {
    try {
      results.push(await total(request.readPieces(5)));
    } catch (error) {
      results.push(error);
    }
    resolve();
    return answerOf('');
  });
  const socket = await RawSocket.open(port);
  socket.send(`${head(5)}hell`);
  await delay(50);
  socket.destroy();
  await ended;
  assert.ok(results[0] instanceof Error, String(results[0]));
});

test('a slow reader slows the client down', async (t) => {
  if (isSkippedDaily(t)) return;
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const { port } = await listen(t, async (request) => {
    let bytes = 0;
    for await (const piece of request.readPieces(5)) {
      bytes += piece.byteLength;
      await gate;
    }
    return answerOf(String(bytes));
  });
  const length = 64 * 1024 * 1024;
  let sent = 0;
  const before = process.memoryUsage();
  const sending = fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    body: new ReadableStream({
      type: 'bytes',
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536));
        if (sent >= length) controller.close();
      },
    }),
    duplex: 'half',
  } as RequestInit);
  await delay(500);
  assert.ok(sent < length, 'the client sent all of it while nothing was read');
  assert.ok(process.memoryUsage().rss - before.rss < length / 2);
  release();
  assert.equal(await (await sending).text(), String(length));
});

test('a client that still sends its body reads an answer that closes the connection', async (t) => {
  const requests: string[] = [];
  const { port } = await listen(t, (request) => {
    requests.push(request.target);
    return answerOf('too large', 413, { Connection: 'close' });
  });
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const errors: Error[] = [];
  socket.on('error', (error) => errors.push(error));
  const body = 'x'.repeat(5_000_000);
  socket.pause();
  socket.write(head(body.length));
  await until(() => requests.length === 1, 'the request is answered');
  socket.write(`${body}${head(0)}`);
  const received: Buffer[] = [];
  socket.on('data', (bytes: Buffer) => received.push(bytes)).resume();
  await once(socket, 'end');
  assert.match(Buffer.concat(received).toString(), /^HTTP\/1\.1 413 .*too large$/s);
  assert.deepEqual([errors, requests.length], [[], 1], 'what follows the body is not answered');
  socket.destroy();
});
