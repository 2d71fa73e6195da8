import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { request, setQuantity } from '../blackbox/api-request.ts';
import { StreamClient } from '../blackbox/stream-client.ts';
import { type Cluster, startCluster } from '../postgres/support/cluster.ts';
import { type PostgresServer, startPostgres } from '../postgres/support/postgres-server.ts';
import { type RacedService, raceStreams } from './stream-race.ts';
import { petIds, pets, RACE, raceOnSqlite } from './stream-race-on-sqlite.ts';

for (const runtime of ['node', 'bun'] as const) raceOnSqlite(runtime);

test('on 3 instances with PostgreSQL', async (t) => {
  const postgres = await startPostgres(t);
  const cluster = await startCluster(t, { pets, postgres });
  const raced: RacedService = {
    key: cluster.key,
    get port() {
      return cluster.port;
    },
    killOne: async () => {
      await cluster.instances[1]?.kill9();
      return cluster.restart(1);
    },
  };
  await t.test('readers that disconnect and resume receive exactly the ledger, over a kill -9', (t) =>
    raceStreams(t, raced, RACE),
  );
  await t.test('streams stay open while the database is unreachable, and continue afterwards', (t) =>
    outliveDatabase(t, cluster, postgres),
  );
});

async function outliveDatabase(t: TestContext, cluster: Cluster, postgres: PostgresServer): Promise<void> {
  const clients = cluster.ports.map(() => new StreamClient(cluster.key));
  t.after(() => {
    for (const client of clients) client.drop();
  });
  for (const [i, port] of cluster.ports.entries()) await clients[i]?.connect(port);
  await postgres.kill9();
  for (const port of cluster.ports) await untilReady(port, 503);
  await postgres.start();
  for (const port of cluster.ports) await untilReady(port, 200);
  for (const petId of petIds) assert.equal((await setQuantity(cluster, petId, 123_456)).status, 200);
  for (const client of clients) {
    await client.until('all changes', () => client.movements.length === petIds.length);
    assert.ok(client.isConnected);
    assert.deepEqual(client.errors, []);
    const [first] = client.movements.map(({ id }) => Number(id));
    assert.deepEqual(
      client.movements.map(({ id }) => Number(id)),
      petIds.map((_, i) => (first as number) + i),
    );
  }
}

async function untilReady(port: number, status: number): Promise<void> {
  const deadline = Date.now() + 30_000;
  while ((await request({ port }, { path: '/readyz' })).status !== status) {
    assert.ok(Date.now() < deadline, `/readyz answers ${status}`);
    await delay(20);
  }
}
