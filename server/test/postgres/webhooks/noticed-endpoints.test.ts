import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLI_AUTHOR } from '../../../src/domain/management/activity.ts';
import { until } from '../../support/until.ts';
import { startCluster } from '../support/cluster.ts';
import { sharedPostgres } from '../support/shared-postgres.ts';

/** An instance renews its leases every five seconds: without a notification, each round but the first takes as long. */
const NOTICED_MS = 2_500;
const NOTICED_ROUNDS = 3;
/** On a busy machine a notification may take as long, too, but not most of them. */
const MAX_ROUNDS = 8;

const { server: postgres } = await sharedPostgres();

test('the instance that sends notices a change of an endpoint by another process immediately', async (t) => {
  const cluster = await startCluster(t, { postgres, instances: 1 });
  const name = new URL(cluster.databaseUrl).pathname.slice(1);
  const leasedUntil = async () => {
    const [row] = await postgres.query('SELECT lease_until FROM webhook_endpoints', name);
    return Number(row?.lease_until ?? 0);
  };
  const waitedMs: number[] = [];
  const isNoticed = () => waitedMs.slice(1).filter((ms) => ms < NOTICED_MS).length >= NOTICED_ROUNDS;
  const made = await fetch(`${cluster.url}/v1/webhook-endpoints`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${cluster.key}`, 'Content-Type': 'application/json' },
    body: '{"url":"https://shop.example/"}',
  });
  assert.equal(made.status, 201, await made.text());
  await cluster.withAdmin(async ({ webhooks }) => {
    const [{ id } = assert.fail('no endpoint')] = await webhooks.list();
    await until(async () => (await leasedUntil()) > 0, 'the first lease');
    for (let round = 0; round < MAX_ROUNDS && !isNoticed(); round += 1) {
      const before = await leasedUntil();
      await webhooks.update(id, { petIds: [BigInt(round)] }, CLI_AUTHOR);
      const changedAtMs = performance.now();
      await until(async () => (await leasedUntil()) > before, 'the instance looks for changed endpoints');
      waitedMs.push(performance.now() - changedAtMs);
    }
  });
  assert.ok(isNoticed(), `changes were noticed after ${waitedMs.join(', ')} ms`);
});
