import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawSocket } from '../blackbox/raw-socket.ts';
import { until } from '../support/until.ts';
import { answerOf, listen } from './listening.ts';

const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
const CLOSED_TIMEOUT_MS = 20_000;

test('idle connections are closed for a new one where the maximum is open, and one with a request is not', async (t) => {
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const { port } = await listen(
    t,
    async (request) => {
      if (request.target.endsWith('/slow')) await gate;
      return answerOf('ok');
    },
    { maxConnections: 2, keepAliveTimeoutSeconds: 200 },
  );
  const [idle, busy] = [await RawSocket.open(port), await RawSocket.open(port)];
  idle.send(GET);
  assert.equal((await idle.next())?.status, 200);
  busy.send(GET.replace('/', '/slow'));
  const open = () => RawSocket.open(port).catch(() => undefined);
  (await open())?.destroy();
  assert.equal(
    await idle.next({ deadlineMs: CLOSED_TIMEOUT_MS }),
    undefined,
    'the idle connection was closed',
  );
  let status: number | undefined;
  await until(async () => {
    const next = await open();
    next?.send(GET);
    status = (await next?.next())?.status;
    next?.destroy();
    return status !== undefined;
  }, 'a new connection has an answer');
  assert.equal(status, 200);
  release();
  assert.equal((await busy.next())?.status, 200);
  busy.destroy();
});
