import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { Connection } from '../../../src/store/postgres/connection.ts';
import { commandLine, temporaryFolder } from '../../support/command-line.ts';
import { type Cluster, type ClusterOptions, startCluster } from '../support/cluster.ts';
import { sharedPostgres } from '../support/shared-postgres.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { isSkippedDaily } from '../../support/long-test.ts';

const DEADLINE_MS = 60_000;
const PEPPER = '0123456789abcdef0123456789abcdef';

const { server: postgres } = await sharedPostgres();

function oneInstance(t: TestContext, options: ClusterOptions = {}): Promise<Cluster> {
  return startCluster(t, { postgres, instances: 1, pets: [{ petId: 1n, quantity: 3 }], ...options });
}

function databaseOf({ databaseUrl }: Cluster): string {
  return new URL(databaseUrl).pathname.slice(1);
}

function listStatus({ url }: Cluster, key: string): Promise<number> {
  return statusOf(`${url}/v1/inventory`, key);
}

async function statusOf(url: string, key: string): Promise<number> {
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
  await answer.arrayBuffer();
  return answer.status;
}

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  const deadlineMs = performance.now() + DEADLINE_MS;
  while (!(await isSo())) {
    assert.ok(performance.now() < deadlineMs, what);
    await delay(50);
  }
}

/** Leaves a transaction open, as a user at a prompt does. */
async function forgottenTransaction(t: TestContext, cluster: Cluster, sql: string): Promise<Client> {
  const client = new Client({ connectionString: postgres.url(databaseOf(cluster)) });
  client.on('error', () => {});
  await client.connect();
  t.after(() => client.end());
  await client.query('BEGIN');
  await client.query(sql);
  return client;
}

/** A proxy that can drop all its connections silently, as a firewall does: no data and no end pass. */
async function startForgetfulProxy(t: TestContext, targetPort: number) {
  const pairs: { isForgotten: boolean; isClosed: boolean }[] = [];
  const server = createServer((client) => {
    const pair = { isForgotten: false, isClosed: false };
    pairs.push(pair);
    const target = connect(targetPort, '127.0.0.1');
    for (const [from, to] of [[client, target] as const, [target, client] as const]) {
      from.on('error', () => {});
      from.on('data', (bytes) => void (pair.isForgotten || to.write(bytes)));
      from.on('close', () => void (pair.isForgotten || to.destroy()));
      t.after(() => from.destroy());
    }
    client.on('close', () => {
      pair.isClosed = true;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return {
    url: (address: string) => Object.assign(new URL(address), { port: String(port) }).href,
    connections: () => pairs.length,
    abandoned: () => pairs.filter(({ isForgotten, isClosed }) => isForgotten && isClosed).length,
    forget: () => {
      for (const pair of pairs) pair.isForgotten = true;
    },
  };
}

describe('a failing instance', { concurrency: 4 }, () => {
  test('ends on SIGTERM although the database is silent', async (t) => {
    if (isSkippedDaily(t)) return;
    const proxy = await startTcpProxy(t, postgres.port);
    const cluster = await oneInstance(t, { through: proxy });
    assert.equal(await listStatus(cluster, cluster.key), 200);
    proxy.blackHole();
    assert.equal(await cluster.stop(), 0, cluster.logs());
  });

  test('fails the requests of an account without counts, and no others of their batch', async (t) => {
    if (isSkippedDaily(t)) return;
    const cluster = await oneInstance(t);
    const sql = `INSERT INTO accounts VALUES ('acc_hand', 'by hand', 'free', 60, 1000, 1)`;
    await postgres.query(sql, databaseOf(cluster));
    const { key } = await cluster.cli('keys', 'create', '--account', 'by hand');
    const keys = Array.from({ length: 40 }, (_, i) => (i % 8 === 7 ? String(key) : cluster.key));
    const statuses = await Promise.all(keys.map((one) => listStatus(cluster, one)));
    assert.deepEqual(
      statuses,
      keys.map((one) => (one === cluster.key ? 200 : 503)),
    );
  });

  test('is not ready while the database can only be read', async (t) => {
    const cluster = await oneInstance(t);
    const name = databaseOf(cluster);
    const isReady = async () => (await statusOf(`${cluster.url}/readyz`, cluster.key)) === 200;
    assert.ok(await isReady());
    await postgres.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await postgres.terminateBackends(name);
    await until(async () => !(await isReady()), 'it still reports that it is ready');
    await postgres.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await postgres.terminateBackends(name);
    await until(isReady, 'it is never ready again');
    assert.equal(await listStatus(cluster, cluster.key), 200);
  });

  test('is ready and reads while another session locks the keys', async (t) => {
    if (isSkippedDaily(t)) return;
    const cluster = await oneInstance(t);
    await forgottenTransaction(t, cluster, 'SELECT id FROM api_keys FOR UPDATE');
    // The first use of the key is pending now.
    assert.equal(await listStatus(cluster, cluster.key), 200);
    const endMs = performance.now() + 4_000;
    while (performance.now() < endMs) {
      assert.equal(await statusOf(`${cluster.url}/readyz`, cluster.key), 200);
      await delay(100);
    }
  });

  test('takes over bans that could not be read when they were imposed', async (t) => {
    if (isSkippedDaily(t)) return;
    const cluster = await oneInstance(t);
    const impose = `INSERT INTO bans (key_id, level, banned_at, ends_at) SELECT id, 1, 0, 99999999999999 FROM api_keys;
      REVOKE SELECT ON bans FROM petstore`;
    await postgres.query(impose, databaseOf(cluster));
    const endMs = performance.now() + 2_500;
    while (performance.now() < endMs) {
      assert.equal(await listStatus(cluster, cluster.key), 200);
      await delay(50);
    }
    await postgres.query('GRANT SELECT ON bans TO petstore', databaseOf(cluster));
    await until(
      async () => (await listStatus(cluster, cluster.key)) === 429,
      'the ban never reaches the instance',
    );
  });

  test('detects silently dropped connections before a request needs them', async (t) => {
    if (isSkippedDaily(t)) return;
    const databaseProxy = await startForgetfulProxy(t, postgres.port);
    // A proxy may be in this place: the pool only uses its address.
    const cluster = await oneInstance(t, { through: databaseProxy as unknown as TcpProxy });
    assert.equal(await listStatus(cluster, cluster.key), 200);
    const before = databaseProxy.connections();
    databaseProxy.forget();
    await until(
      async () => databaseProxy.connections() > before,
      'the connection that is used each second is not replaced',
    );
    // The others are closed at the latest by the next answer that is missing.
    await until(async () => databaseProxy.abandoned() >= before, 'connections are kept that are dead');
    assert.equal(await listStatus(cluster, cluster.key), 200);
  });

  test('rests after an attempt to connect that the server ended', async (t) => {
    let attempts = 0;
    const server = createServer((socket) => {
      attempts += 1;
      socket.on('error', () => {});
      socket.destroy();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const connection = new Connection(`postgres://somebody:secret@127.0.0.1:${port}/none`);
    const startedAtMs = performance.now();
    while (performance.now() < startedAtMs + 100) {
      await assert.rejects(connection.client(), { name: 'ConnectionLost' });
      await new Promise((resolve) => setImmediate(resolve));
    }
    const most = 1 + (performance.now() - startedAtMs) / 200;
    assert.ok(attempts <= most, `${attempts} attempts`);
    await until(async () => {
      await connection.client().catch(() => undefined);
      return attempts > 1;
    }, 'it never retries');
  });

  test('reports at start that it may not open all its connections, or create its tables', async (t) => {
    if (isSkippedDaily(t)) return;
    const cluster = await oneInstance(t);
    const folder = temporaryFolder(t);
    await postgres.query("CREATE ROLE guest LOGIN PASSWORD 'guest' CONNECTION LIMIT 3");
    const to = (database: string) => {
      const url = Object.assign(new URL(cluster.databaseUrl), { username: 'guest', password: 'guest' });
      url.pathname = `/${database}`;
      const env = { PETSTORE_DATABASE: url.href, PETSTORE_PEPPER: PEPPER, PORT: '0' };
      return commandLine(folder, { env });
    };
    const migrated = await to('postgres')('migrate');
    assert.match(migrated.stderr, /may not make tables there \(permission denied/);
    await postgres.query('CREATE DATABASE guests OWNER guest TEMPLATE template0');
    const served = await to('guests')('serve');
    assert.match(served.stderr, /cannot be reached \(too many connections/);
  });
});
