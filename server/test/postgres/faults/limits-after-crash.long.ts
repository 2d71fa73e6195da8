import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorOf, request } from '../../blackbox/api-request.ts';
import type { RawResponse } from '../../blackbox/raw-socket.ts';
import type { ServiceProcess } from '../../blackbox/service-process.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';

const DEADLINE_MS = 30_000;
const DAY_LIMIT = 100_000;

async function setPlan({ cli, account }: Cluster, perMinute: number): Promise<void> {
  const limits = ['--per-minute', String(perMinute), '--per-day', String(DAY_LIMIT)];
  await cli('accounts', 'set-plan', account, '--plan', 'enterprise', ...limits);
}

async function usedOfDay(instance: ServiceProcess, key: string): Promise<number> {
  const { status, body } = await request(instance, { path: '/v1/rate-limit', key });
  assert.equal(status, 200);
  const { day } = JSON.parse(body.toString()) as { day: { remaining: number } };
  return DAY_LIMIT - day.remaining;
}

function list(instance: ServiceProcess, key: string): Promise<RawResponse> {
  return request(instance, { path: '/v1/inventory', key });
}

test('kill -9 of an instance loses no answered request, and no reported ban', async (t) => {
  const cluster = await startCluster(t, { instances: 2 });
  const { key } = cluster;
  await setPlan(cluster, 50_000);
  const [killed, other] = cluster.instances as [ServiceProcess, ServiceProcess];
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => list(killed, key)));
    assert.ok(answers.every(({ status }) => status === 200));
  }
  await killed.kill9();
  assert.equal(await usedOfDay(other, key), 100);
  const again = await cluster.restart(0);
  assert.equal(await usedOfDay(again, key), 100);

  await setPlan(cluster, 1);
  const deadline = Date.now() + DEADLINE_MS;
  let banned: RawResponse | undefined;
  while (!banned) {
    assert.ok(Date.now() < deadline, 'the key was not banned in time');
    const answer = await list(again, key);
    if (answer.status === 429 && errorOf(answer).code === 'api_key_banned') banned = answer;
  }
  await again.kill9();
  const late = await cluster.restart(0);
  const answer = await list(late, key);
  assert.equal(errorOf(answer).code, 'api_key_banned');
  assert.equal(answer.headers.get('x-ratelimit-reset'), banned.headers.get('x-ratelimit-reset'));
});
