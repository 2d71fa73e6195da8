import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeKey } from '../../blackbox/operator.ts';
import { LOCAL_RECEIVERS } from '../../race/webhooks/local-receivers.ts';
import { Subscription } from '../../race/webhooks/subscription.ts';
import { SeededRandom } from '../../support/limit-clients.ts';
import { until } from '../../support/until.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { Changes } from './changes.ts';

const PETS = [{ petId: 1n, quantity: 5 }];
const FAILURES = 5;

/** What happens to the database while webhooks are sent. */
const FAULTS: Readonly<Record<string, (postgres: PostgresServer, cluster: Cluster) => Promise<void>>> = {
  'stops and starts again': async (postgres) => {
    await postgres.stop();
    await postgres.start();
  },
  'is killed and starts again': async (postgres) => {
    await postgres.kill9();
    await postgres.start();
  },
  'ends all connections': async (postgres, { databaseUrl }) => {
    assert.ok((await postgres.terminateBackends(new URL(databaseUrl).pathname.slice(1))) > 0);
  },
};

for (const [name, fault] of Object.entries(FAULTS)) {
  test(`the database ${name}: each event arrives, in order`, async (t) => {
    const postgres = await startPostgres(t);
    const cluster = await startCluster(t, { postgres, instances: 1, pets: PETS, env: LOCAL_RECEIVERS });
    const keys = [await makeKey(cluster, { name: 'till' })];
    const ports = () => cluster.instances.filter((one) => one.isAlive()).map(({ port }) => port);
    const stage = { keys, cli: cluster.cli, ports, faults: {} };
    const subscription = await Subscription.start(t, stage, new SeededRandom(7), FAILURES);
    const changes = new Changes(cluster);
    await until(() => changes.done > 50, 'the first changes');
    await fault(postgres, cluster);
    const { done } = changes;
    await until(() => changes.done > done + 50, 'changes after it');
    await changes.end();
    const { events, deliveries } = await subscription.assertComplete();
    t.diagnostic(`${events} events in ${deliveries} deliveries`);
  });
}
