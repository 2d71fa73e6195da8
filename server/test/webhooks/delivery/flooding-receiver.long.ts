import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { request } from '../../blackbox/api-request.ts';
import { startService } from '../../blackbox/service.ts';
import { RUNTIMES } from '../../blackbox/service-process.ts';
import { LOCAL_RECEIVERS } from '../../race/webhooks/local-receivers.ts';
import { HOSTILE, startHostile } from './hostile-receiver.ts';

const ATTEMPTS = 10;
/** Less than the time-out of an attempt: the attempt ends because of the flood. */
const MAX_MS = 8_000;
const MAX_GROWTH_BYTES = 128e6;

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;
}

for (const runtime of RUNTIMES) {
  test(`on ${runtime}, interim responses without end fail an attempt soon, and take little memory`, async (t) => {
    const url = await startHostile(
      t,
      HOSTILE['sends interim responses without end'] ?? assert.fail('no flood'),
    );
    const service = await startService(t, { runtime, env: LOCAL_RECEIVERS });
    const post = async (path: string, body?: object) => {
      const { status, body: bytes } = await request(service, {
        method: 'POST',
        path: `/v1/webhook-endpoints${path}`,
        key: service.key,
        ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
      });
      assert.ok(status < 300, `${status} ${bytes}`);
      return JSON.parse(String(bytes));
    };
    const { endpoint } = await post('', { url });
    const beforeBytes = residentBytes(service.pid);
    const beganAtMs = performance.now();
    const attempts = await Promise.all(Array.from({ length: ATTEMPTS }, () => post(`/${endpoint.id}/test`)));
    const elapsedMs = performance.now() - beganAtMs;
    const grownBytes = residentBytes(service.pid) - beforeBytes;
    for (const { error } of attempts) {
      assert.equal(error, 'The receiver sends too many interim responses.');
    }
    t.diagnostic(`${Math.round(elapsedMs)} ms, ${(grownBytes / 1e6).toFixed(0)} MB`);
    assert.ok(elapsedMs < MAX_MS, `${elapsedMs} ms`);
    assert.ok(grownBytes < MAX_GROWTH_BYTES, `${grownBytes} bytes`);
    assert.equal((await request(service, { path: '/healthz' })).status, 200);
  });
}
