import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { RawSocket } from '../blackbox/raw-socket.ts';
import { until } from '../support/until.ts';
import { answerOf, listen } from './listening.ts';
import { isSkippedOnBun } from '../support/long-test.ts';

const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
/** A socket is closed after twice the time-out of a request. */
const TIMES = { headersTimeoutSeconds: 0.1, requestTimeoutSeconds: 0.1 };

/** Resolves when the service has cut a client that does not read. */
async function untilDeafIsCut(port: number): Promise<void> {
  const deaf = connect({ port, host: '127.0.0.1' });
  deaf.pause();
  deaf.on('error', () => {});
  const closed = new Promise((resolve) => deaf.once('close', resolve));
  await once(deaf, 'connect');
  deaf.write(GET.replace('/', '/large'));
  // Only a write detects the reset.
  const writing = setInterval(() => deaf.write(GET), 20);
  await closed;
  clearInterval(writing);
}

test('an answer that takes longer than the time-out of a socket arrives; one that is not read is cut', async (t) => {
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const large = 'x'.repeat(30_000_000);
  const { port } = await listen(
    t,
    async (request) => {
      if (request.target.endsWith('/large')) return answerOf(large);
      await gate;
      return answerOf('late');
    },
    TIMES,
  );
  const patient = await RawSocket.open(port);
  patient.send(GET);
  // Twice, so that the time-out of the patient one has passed, too.
  await untilDeafIsCut(port);
  await untilDeafIsCut(port);
  release();
  assert.equal((await patient.next())?.body.toString(), 'late');
  patient.destroy();
});

/** Longer than a time-out and the interval in which Node looks for it. */
const STALL_MS = 1_500;

/** Keeps this thread from its sockets, like a processor that it does not get. */
function stall(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STALL_MS);
}

const POST = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n';

for (const [what, first, rest] of [
  ['a request', '', GET],
  ['the rest of a head', GET.slice(0, 20), GET.slice(20)],
  ['the rest of a body', `${POST}12`, '34'],
] as const) {
  test(`${what} that came in time is read after the service did not run for longer than the time-out`, async (t) => {
    const begun: string[] = [];
    const { port } = await listen(
      t,
      async (request) => {
        begun.push(request.target);
        return answerOf(`read ${(await request.readBody(10))?.byteLength}`);
      },
      TIMES,
    );
    const client = await RawSocket.open(port);
    if (first !== '') client.send(first);
    if (first.includes('\r\n\r\n')) await until(() => begun.length > 0, 'the head');
    else await delay(20);
    // Behind the reading of sockets, so that the time limits come next.
    await nextTurn();
    client.send(rest);
    stall();
    const answer = await client.next();
    assert.deepEqual([answer?.status, answer?.body.toString()], [200, rest === '34' ? 'read 4' : 'read 0']);
    client.send(GET);
    assert.equal((await client.next())?.body.toString(), 'read 0', 'no second answer');
    client.destroy();
  });
}

test('a piece of a long body that came in time is read after such a stall, and its connection goes on', async (t) => {
  const pieces: string[] = [];
  const { port } = await listen(t, async (request) => {
    request.allowSilence?.(1);
    for await (const piece of request.readPieces(1)) pieces.push(Buffer.from(piece).toString());
    return answerOf('read');
  });
  const client = await RawSocket.open(port);
  client.send(`${POST}1`);
  await until(() => pieces.length > 0, 'the first piece');
  await nextTurn();
  client.send('2');
  stall();
  await until(() => pieces.length > 1, 'the second piece');
  client.send('34');
  assert.equal((await client.next())?.body.toString(), 'read');
  client.destroy();
});

test('the body of a request whose head was late has a time-out of its own', async (t) => {
  if (isSkippedOnBun(t, 'each byte restarts its only time-out')) return;
  const head = POST.replace('4', '100000');
  const { port } = await listen(
    t,
    // The connection ends before the body does.
    async (request) => answerOf((await request.readBody(100_000).catch(() => undefined)) ? 'read' : null),
    TIMES,
  );
  const client = await RawSocket.open(port);
  client.send(head.slice(0, 20));
  await delay(20);
  // Behind the reading of sockets, so that the time limits come next.
  await nextTurn();
  client.send(head.slice(20));
  stall();
  const sending = setInterval(() => client.send('x'), 5);
  t.after(() => clearInterval(sending));
  assert.equal((await client.next())?.body.toString(), 'request_timeout');
  client.destroy();
});

test('a client that sends a byte now and then is refused', async (t) => {
  if (isSkippedOnBun(t, 'each byte restarts its only time-out')) return;
  const { port } = await listen(t, async () => answerOf('read'), TIMES);
  const client = await RawSocket.open(port);
  client.send(GET.slice(0, -2));
  const sending = setInterval(() => client.send('X'), 5);
  t.after(() => clearInterval(sending));
  assert.equal((await client.next())?.body.toString(), 'request_timeout');
  client.destroy();
});
