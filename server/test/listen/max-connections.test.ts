import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { VARIABLES } from '../../src/config-variables.ts';
import { RESERVED_CONNECTIONS } from '../../src/listen/connection-limit.ts';
import { RawSocket } from '../blackbox/raw-socket.ts';
import { startService } from '../blackbox/service.ts';
import { until } from '../support/until.ts';
import { answerOf, listen } from './listening.ts';
import { isSkippedDaily, isSkippedOnBun } from '../support/long-test.ts';

const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
const CLOSED_TIMEOUT_MS = 20_000;

/** Answers `/slow` when the test releases it. */
async function slowServer(t: TestContext, options: Parameters<typeof listen>[2]) {
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const answered: string[] = [];
  const { port } = await listen(
    t,
    async ({ target }) => {
      answered.push(target);
      if (target === '/slow') await gate;
      return answerOf('ok');
    },
    options,
  );
  return { port, answered, release };
}

test('idle connections are closed for a new one where the maximum is open, and one with a request is not', async (t) => {
  if (isSkippedOnBun(t, 'it has no maximum of connections')) return;
  const { port, answered, release } = await slowServer(t, {
    maxConnections: 2,
    keepAliveTimeoutSeconds: 200,
  });
  const [idle, busy] = [await RawSocket.open(port), await RawSocket.open(port)];
  idle.send(GET);
  assert.equal((await idle.next())?.status, 200);
  busy.send(GET.replace('/', '/slow'));
  await until(() => answered.includes('/slow'), 'the slow request has begun');
  const next = await RawSocket.open(port);
  assert.equal(
    await idle.next({ deadlineMs: CLOSED_TIMEOUT_MS }),
    undefined,
    'the idle connection was closed',
  );
  next.send(GET);
  assert.equal((await next.next())?.status, 200, 'a new connection has its place');
  next.send(GET);
  assert.equal((await next.next())?.status, 200, 'and keeps it');
  next.destroy();
  release();
  assert.equal((await busy.next())?.status, 200);
  busy.destroy();
});

test('where clients keep all connections, health checks are answered and all else is refused', async (t) => {
  if (isSkippedOnBun(t, 'it has no maximum of connections')) return;
  const { port, answered, release } = await slowServer(t, { maxConnections: 1 });
  assert.ok(VARIABLES.maxConnections.meaning.includes(`; up to ${RESERVED_CONNECTIONS} more`));
  const busy = await RawSocket.open(port);
  busy.send(GET.replace('/', '/slow'));
  await until(() => answered.includes('/slow'), 'the slow request has begun');
  // The oldest of the reserve, which a full reserve closes.
  const oldest = await RawSocket.open(port);
  const silent = await Promise.all(Array.from({ length: RESERVED_CONNECTIONS }, () => RawSocket.open(port)));
  assert.equal(await oldest.next({ deadlineMs: CLOSED_TIMEOUT_MS }), undefined, 'the oldest was closed');
  for (const [target, status] of [
    ['/healthz', 200],
    ['/readyz', 200],
    ['/v1/inventory', 400],
  ] as const) {
    const beyond = await RawSocket.open(port);
    beyond.send(GET.replace('/', target).repeat(2));
    const first = await beyond.next();
    assert.deepEqual([first?.status, first?.headers.get('connection')], [status, 'close'], target);
    assert.equal(
      await beyond.next({ deadlineMs: CLOSED_TIMEOUT_MS }),
      undefined,
      'its connection was closed',
    );
  }
  assert.deepEqual(answered, ['/slow', '/healthz', '/readyz']);
  release();
  assert.equal((await busy.next())?.status, 200);
  for (const socket of [busy, ...silent]) socket.destroy();
});

test('connections that are closed again take no place of the reserve', async (t) => {
  if (isSkippedOnBun(t, 'it has no maximum of connections')) return;
  const { port, answered, release } = await slowServer(t, { maxConnections: 1 });
  const busy = await RawSocket.open(port);
  busy.send(GET.replace('/', '/slow'));
  await until(() => answered.includes('/slow'), 'the slow request has begun');
  // Each second the service would close connections that have sent nothing yet.
  t.mock.method(performance, 'now', () => 0);
  const silent = await RawSocket.open(port);
  for (let i = 0; i <= RESERVED_CONNECTIONS; i += 32) {
    const others = await Promise.all(Array.from({ length: 32 }, () => RawSocket.open(port)));
    for (const other of others) {
      other.send(GET.replace('/', '/healthz'));
      assert.equal((await other.next())?.status, 200);
      // The service closes it.
      await other.untilClosed();
    }
  }
  silent.send(GET.replace('/', '/healthz'));
  assert.equal((await silent.next())?.status, 200);
  release();
  assert.equal((await busy.next())?.status, 200);
  busy.destroy();
});

test('the service refuses a request beyond its connections with 503 and Retry-After, and is ready', async (t) => {
  if (isSkippedOnBun(t, 'it has no maximum of connections')) return;
  if (isSkippedDaily(t)) return;
  const { port } = await startService(t, { env: { PETSTORE_MAX_CONNECTIONS: '1' } });
  let slow: RawSocket | undefined;
  const answerTo = async (target: string) => {
    const beyond = await RawSocket.open(port);
    beyond.send(GET.replace('/', target));
    const answer = await beyond.next();
    beyond.destroy();
    return answer;
  };
  await until(async () => {
    // The next connection closes it if its bytes are not read yet.
    slow?.destroy();
    slow = await RawSocket.open(port);
    slow.send('GET /v1/inventory HTTP/1.1\r\n');
    return (await answerTo('/v1/inventory'))?.status === 503;
  }, 'the maximum is open');
  const refused = await answerTo('/v1/inventory');
  const { code, status } = JSON.parse(String(refused?.body)) as Record<string, unknown>;
  assert.deepEqual([code, status], ['service_unavailable', 503]);
  assert.equal(refused?.headers.get('retry-after'), '5');
  assert.equal((await answerTo('/readyz'))?.status, 200);
  slow?.destroy();
});
