import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../support/command-line.ts';
import { until } from '../support/until.ts';
import { request } from './api-request.ts';
import { type Service, startService } from './service.ts';
import { RUNTIMES } from './service-process.ts';

const PETS = [{ petId: 9_007_199_254_740_993n, quantity: 5 }];
const LINES = '{"lines":[{"petId":9007199254740993,"quantity":2}]}';

function send(service: Service, path: string, body: string) {
  const headers = { 'Content-Type': 'application/json' };
  return request(service, { method: 'POST', path, key: service.key, headers, body });
}

async function statusOf(service: Service, orderId: number): Promise<string | undefined> {
  const { body } = await request(service, { path: `/v1/store/orders/${orderId}`, key: service.key });
  return /"status":"(\w+)"/.exec(body.toString())?.[1];
}

for (const runtime of RUNTIMES) {
  test(`on ${runtime}, the service expires orders by itself, also those that became due while it was down`, async (t) => {
    const databaseDir = temporaryFolder(t);
    const env = { PETSTORE_ORDER_HOLD: '1' };
    const first = await startService(t, { runtime, databaseDir, env, pets: PETS });
    for (let orderId = 1; orderId <= 2; orderId += 1) {
      assert.equal((await send(first, '/v1/store/orders', LINES)).status, 201);
    }
    await send(first, '/v1/store/orders/2/approve', '{}');
    await until(async () => (await statusOf(first, 1)) === 'expired', 'the order expires');
    assert.equal((await send(first, '/v1/store/orders', LINES)).status, 201);
    await first.kill9();
    const second = await startService(t, { runtime, databaseDir, env, key: first.key });
    await until(async () => (await statusOf(second, 3)) === 'expired', 'the order expires after a restart');
    assert.equal(await statusOf(second, 2), 'approved');
    const { body } = await request(second, { path: '/v1/movements?actor=service', key: second.key });
    assert.deepEqual(
      [...body.toString().matchAll(/"kind":"(\w+)".*?"orderId":(\d+)/g)].map(([, kind, id]) => [kind, id]),
      [
        ['release', '1'],
        ['release', '3'],
      ],
    );
    assert.equal(await second.stop(), 0);
    assert.deepEqual((await second.cli('verify')).faults, []);
  });
}
