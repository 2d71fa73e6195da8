import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '../../bench/src/compare.ts';
import { runOpenLoad } from '../../bench/src/open-load.ts';
import { request } from '../../server/test/blackbox/api-request.ts';
import { RawSocket } from '../../server/test/blackbox/raw-socket.ts';
import { startService } from '../../server/test/blackbox/service.ts';
import { openSlowClients } from '../../server/test/support/slow-clients.ts';
import { makeCpuQuota } from './cpu-quota.ts';

const SHARE = 0.3;
const PETS = Array.from({ length: 100 }, (_, i) => ({ petId: BigInt(i + 1), quantity: 0 }));
/** More than one run sends, so that each is a change. */
const REQUESTS = 100_000;
const CONNECTIONS = 1_000;
const SECONDS = 4;
const PROBE_INTERVAL_MS = 50;
/** What docs/growing.md promises with a free processor besides the quota; others add what they add to the control. */
const MOST_MS = 400;
const MACHINE_TIMES = 3;
const CONTROL = `require('node:http').createServer((request, response) => response.end())
.listen(0, '127.0.0.1', function () { console.log(this.address().port) })`;

function changes(key: string): string[] {
  return Array.from({ length: REQUESTS }, (_, i) => {
    const body = `{"quantity":${i + 1}}`;
    const head = `PATCH /v1/inventory/${1 + (i % PETS.length)} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n`;
    return `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  });
}

async function times(isOver: () => boolean, probe: () => Promise<void>): Promise<number[]> {
  const taken: number[] = [];
  while (!isOver()) {
    const sentAtMs = performance.now();
    await probe();
    taken.push(performance.now() - sentAtMs);
    await delay(PROBE_INTERVAL_MS);
  }
  return taken;
}

test('under overload, with a CPU quota of 30 % and 1,300 slow clients, health checks are answered in time', async (t) => {
  const quota = makeCpuQuota(SHARE);
  if (!quota) return t.skip('NOT RUN: control groups of Linux cannot be written here');
  const service = await startService(t, { pets: PETS });
  const control = spawn(process.execPath, ['--eval', CONTROL], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(async () => {
    const ended = once(control, 'exit');
    control.kill('SIGKILL');
    await Promise.all([ended, service.kill9()]);
    quota.remove();
  });
  const [controlPort] = (await once(control.stdout, 'data')) as [Buffer];
  for (const { pid } of [service, control]) quota.add(Number(pid));
  const slow = await openSlowClients(service.port);
  t.after(() => slow.forEach((socket) => socket.destroy()));
  const requests = changes(service.key);
  const run = (perSecond: number, seconds: number) =>
    runOpenLoad({
      host: '127.0.0.1',
      port: service.port,
      requests,
      perSecond,
      seconds,
      maxConnections: CONNECTIONS,
    });
  // The code is compiled first.
  await run(Infinity, SECONDS);
  const { goodput: capacity } = await run(Infinity, SECONDS);

  let isOver = false;
  const before = quota.throttled();
  const probing = Promise.all([
    times(
      () => isOver,
      async () => assert.equal((await request(service, { path: '/healthz' })).status, 200),
    ),
    times(
      () => isOver,
      async () => {
        const socket = await RawSocket.open(Number(controlPort));
        socket.send('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
        await socket.next();
        socket.destroy();
      },
    ),
  ]);
  const { goodput, accepted, refused } = await run(3 * capacity, 3 * SECONDS);
  isOver = true;
  const [health, machine] = await probing;
  const after = quota.throttled();

  const of = (values: readonly number[]) =>
    [0.5, 0.9, 0.99].map((share) => `p${100 * share} ${quantile(values, share).toFixed(0)}`).join(', ');
  t.diagnostic(
    `/healthz ${of(health)} ms of ${health.length}; control ${of(machine)} ms; goodput ${(goodput / capacity).toFixed(2)} of ` +
      `${capacity.toFixed(0)}/s, p99 of accepted changes ${accepted.p99Ms.toFixed(0)} ms, ${refused.count} refused; ` +
      `stood still in ${after.stopped - before.stopped} of ${after.periods - before.periods} periods`,
  );
  assert.ok(after.stopped > before.stopped, 'the quota was in force');
  assert.ok(health.length > 20);
  assert.ok(quantile(health, 0.99) <= MOST_MS + MACHINE_TIMES * quantile(machine, 0.99));
});
