import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { request, setQuantity } from '../blackbox/api-request.ts';
import { startService } from '../blackbox/service.ts';
import { RUNTIMES } from '../blackbox/service-process.ts';
import { StreamClient } from '../blackbox/stream-client.ts';
import { type Cluster, startCluster } from '../postgres/support/cluster.ts';
import { type PostgresServer, startPostgres } from '../postgres/support/postgres-server.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { type RacedService, raceStreams } from './stream-race.ts';

const petIds = [1n, 2n, 3n, 4_611_686_018_427_387_905n, -5n];
const pets = petIds.map((petId) => ({ petId, quantity: 0 }));
const RACE = { petIds, writers: 6, readers: 16, changes: 150 };

for (const runtime of RUNTIMES) {
  test(`on ${runtime} with SQLite, readers that disconnect and resume receive exactly the ledger, over a kill -9`, async (t) => {
    const databaseDir = temporaryFolder(t);
    let service = await startService(t, { runtime, databaseDir, pets });
    const { key } = service;
    const raced: RacedService = {
      key,
      get port() {
        return service.port;
      },
      killOne: async () => {
        await service.kill9();
        service = await startService(t, { runtime, databaseDir, key });
        return service;
      },
    };
    await raceStreams(t, raced, RACE);
  });
}

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
