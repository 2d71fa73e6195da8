import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { until } from '../../support/until.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

const DEADLINE_MS = 30_000;

/** Runs a query as the owner of the database. */
async function select(url: string, sql: string): Promise<unknown[][]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

async function dataFolder(server: PostgresServer): Promise<string> {
  return String((await server.query('SHOW data_directory'))[0]?.data_directory);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('committed data survives kill -9, on the same port, with durable settings', async (t) => {
  const server = await startPostgres(t);
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    assert.deepEqual(await server.query(`SHOW ${name}`), [{ [name]: 'on' }]);
  }
  const url = await server.createDatabase();
  await select(url, 'CREATE TABLE sum AS SELECT 1 AS a');
  const { pid } = server;
  for (let i = 2; i <= 4; i += 1) {
    await select(url, `INSERT INTO sum VALUES (${i})`);
    await server.kill9();
    await assert.rejects(select(url, 'SELECT 1'), /ECONNREFUSED/);
    await server.start();
  }
  assert.notEqual(server.pid, pid);
  assert.deepEqual(await select(url, 'SELECT sum(a) FROM sum'), [['10']]);
});

test('servers and databases are isolated, and the owner of a database is not a superuser', async (t) => {
  const servers = await Promise.all([startPostgres(t), startPostgres(t)]);
  const urls = await Promise.all([...servers, ...servers].map((server) => server.createDatabase()));
  assert.equal(new Set(urls).size, 4);
  for (const url of urls) await select(url, 'CREATE TABLE only_once (a int)');
  assert.deepEqual(await select(urls[0] as string, 'SHOW is_superuser'), [['off']]);
});

test('a suspended server answers late, and a server that ended its connections continues', async (t) => {
  const server = await startPostgres(t);
  const client = new Client({ connectionString: await server.createDatabase() });
  await client.connect();
  // The client reports two errors: the message of the server, and the lost connection.
  client.on('error', () => {});
  const ended = new Promise((resolve) => client.once('end', resolve));
  server.suspend();
  let isAnswered = false;
  const answer = client.query('SELECT 1').finally(() => {
    isAnswered = true;
  });
  // The other one, which is not suspended, takes longer than an answer.
  await startPostgres(t);
  assert.equal(isAnswered, false);
  server.resume();
  assert.equal((await answer).rowCount, 1);
  // The connection that made the database ends a moment after its client.
  await until(async () => (await server.terminateBackends('postgres')) === 0, 'no other connection');
  assert.equal(await server.terminateBackends(), 1);
  await ended;
  assert.equal((await server.query('SELECT 1')).length, 1);
});

test('a server can have unsafe settings, and can be read-only', async (t) => {
  const server = await startPostgres(t, { settings: { fsync: 'off' } });
  const url = await server.createDatabase();
  assert.deepEqual(await server.query('SHOW fsync'), [{ fsync: 'off' }]);
  await server.stop();
  await server.start({ full_page_writes: 'off' });
  const shown = await select(url, "SELECT current_setting('fsync'), current_setting('full_page_writes')");
  assert.deepEqual(shown, [['off', 'off']]);
  await server.stop();
  await server.startAsReplica();
  await assert.rejects(select(url, 'CREATE TABLE a (a int)'), /read-only transaction/);
});

test('a server and its data go with the test, and with a process that is killed', async (t) => {
  let pid = 0;
  let folder = '';
  await t.test('suspended', async (inner) => {
    const server = await startPostgres(inner);
    ({ pid } = server);
    folder = await dataFolder(server);
    server.suspend();
  });
  assert.deepEqual([isAlive(pid), await exists(dirname(folder))], [false, false]);

  const module = new URL('./postgres-server.ts', import.meta.url).href;
  const program = `
    const { startPostgres } = await import('${module}');
    const server = await startPostgres({ after() {} });
    const [{ data_directory }] = await server.query('SHOW data_directory');
    console.log(server.pid + ' ' + data_directory);
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const [orphan, data] = line.trim().split(' ') as [string, string];
  child.kill('SIGKILL');
  const deadline = Date.now() + DEADLINE_MS;
  while (isAlive(Number(orphan)) || (await exists(dirname(data)))) {
    assert.ok(Date.now() < deadline, 'nothing is left of it');
    await delay(20);
  }
});
