import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { makeKey } from '../../blackbox/operator.ts';
import { LOCAL_RECEIVERS } from '../../race/webhooks/local-receivers.ts';
import { Subscription } from '../../race/webhooks/subscription.ts';
import { SeededRandom } from '../../support/limit-clients.ts';
import { until } from '../../support/until.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { signal } from '../support/process-tree.ts';
import { sharedPostgres } from '../support/shared-postgres.ts';
import { Changes } from './changes.ts';

const PETS = [{ petId: 1n, quantity: 5 }];
/** Longer than a lease, so that another instance takes over meanwhile. */
const SUSPENDED_MS = 17_000;
const FAILURES = 20;
const HOUR_MS = 3_600_000;

const { server: postgres } = await sharedPostgres();

/** What happens to the instance that sends. Afterwards one of the two instances sends. */
const FAULTS: Readonly<Record<string, (cluster: Cluster) => Promise<void>>> = {
  'is killed': killSender,
  'is killed, and the clock of the database is set back by an hour': async (cluster) => {
    await killSender(cluster);
    await shiftLeases(cluster, HOUR_MS);
  },
  'runs while the clock of the database is set forward by an hour': async (cluster) => {
    const before = await tokenOf(cluster);
    // Of both instances, the one that asks first has the lease.
    await until(async () => {
      await shiftLeases(cluster, -HOUR_MS);
      return (await tokenOf(cluster)) > before;
    }, 'the other one asks first');
  },
  'stops for longer than its lease': async (cluster) => {
    const { pid } = cluster.instances[await senderOf(cluster)] ?? assert.fail('no sender');
    signal(pid, 'SIGSTOP');
    await delay(SUSPENDED_MS);
    signal(pid, 'SIGCONT');
  },
};

for (const [name, fault] of Object.entries(FAULTS)) {
  test(`of two instances, the one that sends ${name}: each event arrives, in order`, async (t) => {
    const random = new SeededRandom(Date.now() % 1_000_000);
    const cluster = await startCluster(t, { postgres, instances: 2, pets: PETS, env: LOCAL_RECEIVERS });
    const keys = [await makeKey(cluster, { name: 'till' })];
    const ports = () => cluster.instances.filter((one) => one.isAlive()).map(({ port }) => port);
    const stage = { keys, cli: cluster.cli, ports, faults: {} };
    const subscription = await Subscription.start(t, stage, random, FAILURES);
    const load = new Changes(cluster);
    await until(() => load.count > 50, 'the first changes');
    const before = await tokenOf(cluster);
    await fault(cluster);
    await until(async () => (await tokenOf(cluster)) > before, 'the other one takes over');
    const { count } = load;
    await until(() => load.count > count + 50, 'changes after it');
    await load.end();
    const { events, deliveries } = await subscription.assertComplete();
    t.diagnostic(`${events} events in ${deliveries} deliveries`);
  });
}

async function killSender(cluster: Cluster): Promise<void> {
  await cluster.instances[await senderOf(cluster)]?.kill9();
}

/** Has the effect on leases of a clock that is set back by this time. */
async function shiftLeases(cluster: Cluster, ms: number): Promise<void> {
  await query(cluster, `UPDATE webhook_endpoints SET lease_until = lease_until + ${ms}`);
}

/** The place of the instance that has the lease. */
async function senderOf(cluster: Cluster): Promise<number> {
  const owner = await query(cluster, 'SELECT lease_owner FROM webhook_endpoints');
  const place = cluster.instances.findIndex(({ pid }) => owner.startsWith(`${pid}-`));
  assert.ok(place >= 0, owner);
  return place;
}

async function tokenOf(cluster: Cluster): Promise<number> {
  return Number(await query(cluster, 'SELECT lease_token FROM webhook_endpoints'));
}

/** The first value. */
async function query({ databaseUrl }: Cluster, sql: string): Promise<string> {
  const [row = {}] = await postgres.query(sql, new URL(databaseUrl).pathname.slice(1));
  return String(Object.values(row)[0]);
}
