import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listedQuantities, request, setQuantity } from '../../blackbox/api-request.ts';
import { startService } from '../../blackbox/service.ts';
import { RUNTIMES } from '../../blackbox/service-process.ts';
import { until } from '../../support/until.ts';
import { failCalls, mayTrace } from './failing-calls.ts';

const PETS = Array.from({ length: 500 }, (_, i) => ({ petId: BigInt(i + 1), quantity: 5 }));
/** Not fcntl: its EACCES says that another process has the lock, for which SQLite waits. */
const CALLS = ['pread64', 'statx', 'lseek,fstat', 'pwrite64', 'fdatasync,fsync', 'openat'];
const CODES = ['EIO', 'EACCES', 'ESTALE'];
const PATHS = [
  '/v1/inventory',
  '/v1/inventory/1',
  '/v1/movements?limit=5',
  '/v1/store/orders',
  '/metrics',
  '/readyz',
];

for (const runtime of RUNTIMES) {
  test(`errors of the disk in each system call end nothing, and pass, on ${runtime}`, async (t) => {
    if (!mayTrace(t)) return;
    const service = await startService(t, { runtime, pets: PETS });
    const counts = new Map<number, number>();
    let quantity = 10;
    for (const [index, calls] of CALLS.entries()) {
      /** The last change that was acknowledged, and those after it whose result was unknown. */
      const possible = new Set(['5']);
      for (const code of CODES) {
        const what = `${calls} ${code}`;
        // All of them, and every third.
        for (const when of ['', ':when=1+3']) {
          const repair = await failCalls(t, service, { calls, code, when }, ['', '-wal', '-shm']);
          if (!repair) return t.diagnostic('strace may not attach to a process here.');
          for (let round = 0; round < 4; round += 1) {
            for (const path of PATHS) {
              const { status, headers } = await request(service, { path, key: service.key });
              counts.set(status, (counts.get(status) ?? 0) + 1);
              assert.ok(
                status === 200 || status === 503,
                `${what}: ${path} ${status}\n${service.logs().slice(-2_000)}`,
              );
              if (status === 503) assert.match(headers.get('retry-after') ?? '', /^[1-9]/, what);
            }
            quantity += 1;
            const { status } = await setQuantity(service, 1 + index, quantity);
            counts.set(status, (counts.get(status) ?? 0) + 1);
            assert.ok(status === 200 || status === 503, `${what}: a change ${status}`);
            if (status === 200) possible.clear();
            possible.add(String(quantity));
          }
          await repair();
          await until(
            async () => (await request(service, { path: '/readyz' })).status === 200,
            `ready after ${what}`,
          );
          const found = (await listedQuantities(service)).get(String(1 + index)) ?? '';
          assert.ok(possible.has(found), `${what}: ${found} is none of ${[...possible].join()}`);
          quantity += 1;
          await until(
            async () => (await setQuantity(service, 1 + index, quantity)).status === 200,
            `change after ${what}`,
          );
          possible.clear();
          possible.add(String(quantity));
        }
      }
    }
    assert.ok(service.isAlive());
    t.diagnostic([...counts].map(([status, count]) => `${count} x ${status}`).join(', '));
    assert.equal(await service.stop(), 0);
    assert.deepEqual((await service.cli('verify')).faults, []);
  });
}
