import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { errorOf, listedQuantities, request } from '../blackbox/api-request.ts';
import type { RawResponse } from '../blackbox/raw-socket.ts';
import { type Service, startService } from '../blackbox/service.ts';

const DEADLINE_MS = 90_000;

function list(service: Service, key: string): Promise<RawResponse> {
  return request(service, { path: '/v1/inventory', key });
}

function remainingInDay(answer: RawResponse): number {
  return Number(/"day";r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);
}

/** A separate account on the service, so that the tests do not share quotas. */
async function makeAccount({ cli }: Service, ...plan: readonly string[]) {
  const account = `account-${randomUUID()}`;
  await cli('accounts', 'create', account, '--plan', ...plan);
  const { id, key } = await cli('keys', 'create', '--account', account);
  return { account, keyId: String(id), key: String(key) };
}

test('a running service sees the changes of the operator immediately', async (t) => {
  const service = await startService(t, { pets: [{ petId: 1n, quantity: 5 }] });
  const { cli } = service;

  await t.test('a plan applies to the next request, and keeps the used requests', async () => {
    const { account, key } = await makeAccount(service, 'free');
    for (let used = 1; used <= 10; used += 1) {
      assert.equal(remainingInDay(await list(service, key)), 1_000 - used);
    }
    await cli('accounts', 'set-plan', account, '--plan', 'pro');
    const answer = await list(service, key);
    assert.equal(answer.headers.get('ratelimit-policy'), '"minute";q=300;w=60, "day";q=10000;w=86400');
    assert.equal(remainingInDay(answer), 10_000 - 11);
  });

  await t.test('a new key works, and a revoked one is refused', async () => {
    const { account, keyId, key } = await makeAccount(service, 'free');
    assert.equal((await list(service, key)).status, 200);
    const other = await cli('keys', 'create', '--account', account);
    await cli('keys', 'revoke', '--yes', keyId);
    assert.equal(errorOf(await list(service, key)).code, 'revoked_api_key');
    assert.equal((await list(service, String(other.key))).status, 200);
  });

  await t.test('both keys of a rotation work, on one quota', async () => {
    const old = await makeAccount(service, 'business');
    assert.equal(remainingInDay(await list(service, old.key)), 99_999);
    const rotated = await cli('keys', 'rotate', old.keyId, '--overlap', '1d');
    assert.equal(remainingInDay(await list(service, String(rotated.key))), 99_998);
    assert.equal(remainingInDay(await list(service, old.key)), 99_997);
  });

  await t.test('a lifted ban is over', async () => {
    const limits = ['--per-minute', '1', '--per-day', '1000'];
    const { keyId, key } = await makeAccount(service, 'enterprise', ...limits);
    const deadline = Date.now() + DEADLINE_MS;
    let code: string | undefined;
    while (code !== 'api_key_banned' && Date.now() < deadline) {
      const answer = await list(service, key);
      code = answer.status === 200 ? undefined : errorOf(answer).code;
    }
    assert.equal(code, 'api_key_banned');
    assert.equal((await cli('bans', 'lift', keyId)).lifted, true);
    const answer = await list(service, key);
    if (answer.status !== 200) assert.equal(errorOf(answer).code, 'rate_limit_exceeded');
  });

  await t.test('imported pets are in the next list', async () => {
    assert.deepEqual([...(await listedQuantities(service))], [['1', '5']]);
    const file = join(service.databaseDir, 'more.csv');
    const head = 'petId,name,category,quantity,status';
    for (const quantity of ['10', '11']) {
      await writeFile(file, `${head}\n1,Rex,dogs,${quantity},available\n7,Tom,cats,3,sold\n`);
      await cli('pets', 'import', file);
      const listed = [...(await listedQuantities(service))];
      assert.deepEqual(listed, Object.entries({ 1: quantity, 7: '3' }));
    }
  });
});
