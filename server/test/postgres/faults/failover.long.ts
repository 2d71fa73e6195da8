import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { listedQuantities, request, setQuantity } from '../../blackbox/api-request.ts';
import { commandLine, temporaryFolder } from '../../support/command-line.ts';
import { until } from '../../support/until.ts';
import { startCluster } from '../support/cluster.ts';
import { freePort } from '../support/free-port.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const NEXT_CHANGES = 12;
const PETS = [1n, 2n].map((petId) => ({ petId, quantity: 3 }));

test('a failover while an old primary runs on: every instance leaves it, an idle stream ends, nothing acknowledged by the new one is lost', async (t) => {
  const old = await startPostgres(t);
  // The log writer would hide within 200 ms that a commit did not wait for the disk.
  const settings = { synchronous_commit: 'off', wal_writer_delay: '10s' };
  const replication = await startTcpProxy(t, old.port);
  const next = await old.startStandby(t, settings, replication.port);
  const proxy = await startTcpProxy(t, old.port);
  const cluster = await startCluster(t, { postgres: old, instances: 2, pets: PETS, through: proxy });
  const [one, other] = cluster.ports.map((port) => ({ port, key: cluster.key })) as [Service, Service];
  const database = new URL(cluster.databaseUrl).pathname.slice(1);
  assert.equal((await setQuantity(one, 1, 4)).status, 200);
  await until(async () => {
    const rows = await next.query('SELECT quantity FROM inventory WHERE pet_id = 1', database);
    return Number(rows[0]?.quantity) === 4;
  }, 'the standby follows');

  // The standby lacks the newest changes, after which a stream begins.
  replication.blackHole();
  for (let quantity = 5; quantity < 9; quantity += 1) await setQuantity(one, 1, quantity);
  const stream = await fetch(`http://127.0.0.1:${other.port}/v1/movements/stream`, {
    headers: { Authorization: `Bearer ${cluster.key}` },
  });
  const streamed = stream.text();
  const noEnd = await Promise.race([streamed, delay(1_000)]);
  assert.equal(noEnd, undefined, 'the stream waits');
  await next.query('SELECT pg_promote()');
  assert.equal((await next.query('SELECT pg_is_in_recovery() AS is'))[0]?.is, false);
  const ahead = (await old.query('SELECT max(sequence) AS head FROM movements', database))[0]?.head;
  const behind = (await next.query('SELECT max(sequence) AS head FROM movements', database))[0]?.head;
  assert.ok(Number(behind) < Number(ahead), `${behind} < ${ahead}: the tail is lost`);
  proxy.target = next.port;

  const sessionsOnOld = async () => {
    const rows = await old.query(
      `SELECT count(*)::integer AS sessions FROM pg_stat_activity WHERE datname = '${database}' AND application_name = 'petstore-server'`,
    );
    return Number(rows[0]?.sessions);
  };
  const leftAtMs = performance.now();
  await until(async () => (await sessionsOnOld()) === 0, 'no session is left on the old primary');
  t.diagnostic(`left after ${Math.round(performance.now() - leftAtMs)} ms`);
  // More than were lost, so that the new ledger is longer.
  for (let change = 0; change < NEXT_CHANGES; change += 1) {
    const service = change % 2 === 0 ? one : other;
    await until(async () => (await setQuantity(service, 2, 100 + change)).status === 200, 'a change');
    for (const reader of [one, other]) {
      assert.equal(
        (await listedQuantities(reader)).get('2'),
        String(100 + change),
        'both read the new server',
      );
    }
  }
  for (const { port } of [one, other]) {
    await until(async () => (await request({ port }, { path: '/readyz' })).status === 200, 'it is ready');
  }
  assert.match(await streamed, /event: end\ndata: .*The ledger was replaced/);
  assert.doesNotMatch(await streamed, /event: movement/);

  // A crash keeps what was acknowledged, although the new server is configured to lose it.
  assert.equal((await setQuantity(one, 2, 777)).status, 200);
  await next.kill9();
  await next.start();
  await until(async () => (await request(one, { path: '/readyz' })).status === 200, 'it is ready again');
  assert.equal((await listedQuantities(one)).get('2'), '777');
  assert.ok(cluster.isAlive());
});

type Service = Parameters<typeof setQuantity>[0];

test('a start through PgBouncer is refused in transaction mode, and serves in session mode', async (t) => {
  const postgres = await startPostgres(t);
  const url = await postgres.createDatabase();
  const folder = temporaryFolder(t);
  await chmod(folder, 0o777);
  for (const mode of ['transaction', 'statement', 'session']) {
    const port = await freePort();
    const file = join(folder, `${mode}.ini`);
    const { username, password, pathname } = new URL(url);
    const lines = [
      '[databases]',
      `* = host=127.0.0.1 port=${postgres.port} user=${username} password=${password}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'auth_type = any',
      `pool_mode = ${mode}`,
      'unix_socket_dir =',
    ];
    await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o644 });
    const asNobody = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    const pooler = spawn('pgbouncer', [...asNobody, file], { stdio: 'ignore' });
    const failed = await Promise.race([once(pooler, 'error').catch(() => true), isOpen(port)]);
    if (failed !== undefined) return t.diagnostic('PgBouncer is not installed.');
    t.after(() => pooler.kill('SIGKILL'));
    const env = {
      PETSTORE_DATABASE: `postgres://${username}@127.0.0.1:${port}${pathname}`,
      PETSTORE_PEPPER: '0123456789abcdef0123456789abcdef',
    };
    const { code, stderr } = await commandLine(folder, { env })('migrate');
    if (mode === 'session') assert.equal(code, 0, stderr);
    else assert.match(stderr, /shares sessions between clients.*pool_mode = session\.$/m, mode);
  }
});

async function isOpen(port: number): Promise<undefined> {
  await until(
    () =>
      new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
        socket.on('connect', () => socket.destroy());
      }),
    'the pooler listens',
  );
}
