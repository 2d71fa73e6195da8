import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLI_AUTHOR } from '../../../src/domain/management/activity.ts';
import { until } from '../../support/until.ts';
import { startCluster } from '../support/cluster.ts';
import { sharedPostgres } from '../support/shared-postgres.ts';

const ROUNDS = 6;
/** All waits. An instance renews its leases every five seconds: without a notification it would take twice as long. */
const NOTICED_TIMEOUT_MS = 8_000;

const { server: postgres } = await sharedPostgres();

test('the instance that sends notices a change of an endpoint by another process immediately', async (t) => {
  const cluster = await startCluster(t, { postgres, instances: 1 });
  const name = new URL(cluster.databaseUrl).pathname.slice(1);
  const leasedUntil = async () => {
    const [row] = await postgres.query('SELECT lease_until FROM webhook_endpoints', name);
    return Number(row?.lease_until ?? 0);
  };
  let waitedMs = 0;
  const made = await fetch(`${cluster.url}/v1/webhook-endpoints`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${cluster.key}`, 'Content-Type': 'application/json' },
    body: '{"url":"https://shop.example/"}',
  });
  assert.equal(made.status, 201, await made.text());
  await cluster.withAdmin(async ({ webhooks }) => {
    const [{ id } = assert.fail('no endpoint')] = await webhooks.list();
    await until(async () => (await leasedUntil()) > 0, 'the first lease');
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await leasedUntil();
      await webhooks.update(id, { petIds: [BigInt(round)] }, CLI_AUTHOR);
      const changedAtMs = performance.now();
      await until(async () => (await leasedUntil()) > before, 'the instance looks for changed endpoints');
      waitedMs += performance.now() - changedAtMs;
    }
  });
  assert.ok(waitedMs < NOTICED_TIMEOUT_MS, `${ROUNDS} changes were noticed after ${waitedMs} ms`);
});
