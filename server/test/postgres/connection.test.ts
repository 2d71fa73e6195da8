import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Client } from 'pg';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { DEFAULT_RULES } from '../../src/store/open-admin.ts';
import { connectAdmin } from '../../src/store/postgres/admin/client.ts';
import { servedSchema } from '../../src/store/postgres/admin/dump.ts';
import { PostgresAdminEngine } from '../../src/store/postgres/admin/engine.ts';
import { Connection, ConnectionLost } from '../../src/store/postgres/connection.ts';
import { Connections } from '../../src/store/postgres/connections.ts';
import { LedgerWriter } from '../../src/store/postgres/ledger-writer.ts';
import { ListReader } from '../../src/store/postgres/list-reader.ts';
import { SameServer } from '../../src/store/postgres/server/same-server.ts';
import { LOCK, READ } from '../../src/store/postgres/statements.ts';
import { newAdminStore, petRow } from '../support/command-line.ts';
import { type TestDatabase, useEngine } from '../support/test-database.ts';
import { until } from '../support/until.ts';
import { startHoldingProxy } from './faults/holding-proxy.ts';
import { PostgresEngine } from './support/postgres-engine.ts';
import { startTcpProxy } from './support/tcp-proxy.ts';
import { isSkippedOnBun } from '../support/long-test.ts';

useEngine(new PostgresEngine());

const END_SESSION = 'SELECT pg_terminate_backend(pg_backend_pid())';

test('a connection that was closed is not opened again by a late query', async (t) => {
  const { database } = await newAdminStore(t);
  const count = async () => {
    const [[connections] = []] = await database.rows(
      'SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()',
    );
    return connections;
  };
  const before = await count();
  const connection = new Connection(database.url);
  await connection.read(READ.head);
  assert.equal(await count(), Number(before) + 1);
  await connection.close();
  await assert.rejects(connection.read(READ.head), ConnectionLost);
  await assert.rejects(connection.client(), ConnectionLost);
  // The server handles the end of a connection a moment after it arrives.
  await until(async () => (await count()) === before, 'the end of the connection');
});

test('the query after one that ended its session has another session', async (t) => {
  const { database } = await newAdminStore(t);
  const connection = newConnection(t, database);
  const ending = { name: 'ending', text: END_SESSION };
  const client = await connection.client();
  // The client reports the end of its session in a later turn of the event loop.
  const next = connection.write(ending).catch(() => connection.client());
  assert.notEqual(await next, client);
  assert.equal((await connection.read(READ.head)).length, 1);
});

test('the end of a session that was left before does not end the next one', async (t) => {
  const { database } = await newAdminStore(t);
  let lost = 0;
  const connection = new Connection(database.url, { onLost: () => (lost += 1) });
  t.after(() => connection.close());
  const left = await connection.client();
  connection.leave();
  const next = await connection.client();
  left.emit('end');
  assert.equal(await connection.client(), next);
  assert.equal(lost, 1);
});

test('a list whose session ends is read in another one', async (t) => {
  const { store, database } = await newAdminStore(t);
  await store.importPets([petRow(1, { quantity: 5 })], 'cli', 0);
  const connection = newConnection(t, database);
  const client = await connection.client();
  const { query } = client;
  t.mock.method(client, 'query', (sql: unknown, ...rest: unknown[]) =>
    Reflect.apply(query, client, [sql === READ.head ? { text: END_SESSION } : sql, ...rest]),
  );
  const list = await new ListReader(connection, () => undefined).list({ sequence: 1, recordedAtMs: 0 });
  assert.equal(list.json(), '[{"petId":1,"quantity":5,"status":"available"}]');
  assert.notEqual(await connection.client(), client);
});

test('a process that stops in the middle of a transaction frees the ledger before other transactions time out', async (t) => {
  const { database } = await newAdminStore(t);
  const [stopped, waiting] = [new Connection(database.url), new Connection(database.url)];
  t.after(() => Promise.all([stopped.close(), waiting.close()]));
  const client = await stopped.client();
  await client.query('BEGIN');
  await client.query(LOCK.ledger);
  // A thread of the process that forgot its transaction would do this on.
  const probing = setInterval(() => stopped.probe(READ.probe), 200);
  t.after(() => clearInterval(probing));
  const other = await waiting.client();
  await other.query('BEGIN');
  await other.query(LOCK.ledger);
  await other.query('ROLLBACK');
});

test('values are exact, for any settings of the server, the database or the role', async (t) => {
  const { database } = await newAdminStore(t);
  for (const setting of [
    'array_nulls = off',
    'extra_float_digits = -15',
    'transform_null_equals = on',
    'bytea_output = escape',
  ]) {
    await database.run(
      `DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' SET ${setting}'; END $$`,
    );
  }
  const connection = new Connection(database.url);
  t.after(() => connection.close());
  const { client: admin } = await connectAdmin(database.url);
  t.after(() => admin.end());
  for (const client of [await connection.client(), admin]) {
    const { rows } = await client.query(
      `SELECT CAST('{NULL,1}' AS text[]) AS listed, CAST(9007199254740991 AS double precision) AS sum,
NULL::bigint = NULL AS equal, CAST('\\001' AS bytea)::text AS bytes`,
    );
    assert.deepEqual(rows, [
      { listed: [null, '1'], sum: 9_007_199_254_740_991, equal: null, bytes: '\\x01' },
    ]);
  }
});

test('no statement of a command or a report is compiled, for any settings of the server', async (t) => {
  const { database } = await newAdminStore(t);
  await database.run(
    `DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' SET jit = on'; END $$`,
  );
  const { client } = await connectAdmin(database.url);
  t.after(() => client.end());
  // A server without a compiler has the setting too.
  const { rows } = await client.query('SHOW jit');
  assert.deepEqual(rows, [{ jit: 'off' }]);
});

test('no session waits for long, for any settings of the server', async (t) => {
  const { database } = await newAdminStore(t);
  await database.run(
    `DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' SET default_transaction_isolation = serializable'; END $$`,
  );
  const connection = new Connection(database.url);
  t.after(() => connection.close());
  const client = await connection.client();
  const settings = await client.query<{ name: string; setting: string }>(
    `SELECT name, setting FROM pg_settings WHERE name IN ('default_transaction_isolation', 'statement_timeout',
'lock_timeout', 'idle_in_transaction_session_timeout', 'client_connection_check_interval')`,
  );
  assert.deepEqual(Object.fromEntries(settings.rows.map(({ name, setting }) => [name, setting])), {
    client_connection_check_interval: '1000',
    default_transaction_isolation: 'read committed',
    idle_in_transaction_session_timeout: '2000',
    lock_timeout: '3500',
    statement_timeout: '4000',
  });
});

test('no time-out of the server, the database or the role ends a command, or an instance that is idle', async (t) => {
  const { database } = await newAdminStore(t);
  const names = [
    'statement_timeout',
    'idle_in_transaction_session_timeout',
    'idle_session_timeout',
    'transaction_timeout',
  ];
  for (const name of names) {
    await database.run(
      `DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' SET ${name} = 100000'; END $$`,
    );
  }
  const timeOuts = async (client: Client) => {
    const { rows } = await client.query<{ name: string; setting: string }>(
      'SELECT name, setting FROM pg_settings WHERE name = ANY($1)',
      [names],
    );
    return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  };
  const { client: admin } = await connectAdmin(database.url);
  t.after(() => admin.end());
  assert.deepEqual(await timeOuts(admin), Object.fromEntries(names.map((name) => [name, '0'])));
  const connection = new Connection(database.url);
  t.after(() => connection.close());
  const { idle_session_timeout: idle, transaction_timeout: whole } = await timeOuts(
    await connection.client(),
  );
  assert.deepEqual([idle, whole], ['0', '0']);
});

test(
  'the server ends the sessions of a host that is gone within a minute, and what they hold is free',
  {
    // Other systems lack a setting.
    skip: process.platform !== 'linux',
  },
  async (t) => {
    const { database } = await newAdminStore(t);
    const connection = new Connection(database.url);
    t.after(() => connection.close());
    const { client: admin } = await connectAdmin(database.url);
    t.after(() => admin.end());
    for (const client of [await connection.client(), admin]) {
      const { rows } = await client.query<{ seconds: number }>(
        `SELECT current_setting('tcp_keepalives_idle')::integer
+ current_setting('tcp_keepalives_interval')::integer * current_setting('tcp_keepalives_count')::integer AS seconds
UNION ALL SELECT setting::integer / 1000 FROM pg_settings WHERE name = 'tcp_user_timeout'`,
      );
      assert.deepEqual(
        rows.map(({ seconds }) => seconds),
        [60, 60],
      );
    }
  },
);

test('a schema with the name of the user hides no tables of the shop, and gets none', async (t) => {
  const { database } = await newAdminStore(t);
  await database.run('CREATE SCHEMA AUTHORIZATION CURRENT_USER');
  const engine = await PostgresAdminEngine.connectToPrepare(database.url, []);
  t.after(() => engine.close());
  assert.ok((await engine.tableNames()).includes('movements'));
  assert.equal((await servedSchema(engine.client)).schema, 'public');
});

test('a query is repeated when its connection breaks, a write is not', async (t) => {
  const { database } = await newAdminStore(t);
  const answers = await startHoldingProxy(t, database.url);
  const connection = new Connection(answers.url(database.url));
  t.after(() => connection.close());
  assert.equal((await connection.read(READ.head)).length, 1);
  answers.cutAt('SELECT 1\0');
  assert.equal((await connection.read(READ.head)).length, 1);
  answers.cutAt('SELECT 1\0');
  await assert.rejects(connection.write(READ.head), /terminated/);
});

const UNCONFIRMED_COMMITS =
  "DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' SET synchronous_commit = off'; END $$";

function openConnections(t: TestContext, url: string, acceptedUnsafe: readonly string[] = []): Connections {
  const ignore = () => undefined;
  const connections = new Connections({
    url,
    acceptedUnsafe,
    onOtherServer: ignore,
    onListingLost: ignore,
    onReadingLost: ignore,
    onMovements: ignore,
    onEndpoints: ignore,
  });
  t.after(() => connections.close(async () => undefined));
  return connections;
}

async function pidOf(connection: Connection): Promise<unknown> {
  const [row] = await connection.read({ name: 'pid', text: 'SELECT pg_backend_pid() AS pid' });
  return row?.pid;
}

test('a commit waits for the disk in each session, whatever the server has as its default', async (t) => {
  const { database } = await newAdminStore(t);
  await database.run(UNCONFIRMED_COMMITS);
  const waits = async (url: string, accepted?: readonly string[]) => {
    const { charging, writing, listing, reading, history } = openConnections(t, url, accepted);
    const shown = [charging, writing, listing, reading, history].map(async (connection) => {
      const { rows } = await (await connection.client()).query('SHOW synchronous_commit');
      return (rows[0] as { synchronous_commit: string }).synchronous_commit;
    });
    return (await Promise.all(shown)).join(' ');
  };
  assert.equal(await waits(database.url), 'off on on on on');
  assert.equal(await waits(database.url, ['fsync']), 'off on on on on');
  assert.equal(await waits(database.url, ['synchronous_commit']), 'off off off off off');
  const { client: command } = await connectAdmin(database.url);
  t.after(() => command.end());
  assert.deepEqual((await command.query('SHOW synchronous_commit')).rows, [{ synchronous_commit: 'on' }]);
});

function newConnection(t: TestContext, { url }: TestDatabase): Connection {
  const connection = new Connection(url);
  t.after(() => connection.close());
  return connection;
}

function newWriter(connection: Connection, acceptedUnsafe: readonly string[] = []): LedgerWriter {
  const ignore = () => undefined;
  return new LedgerWriter(connection, {
    rules: DEFAULT_RULES,
    acceptedUnsafe,
    onCommit: ignore,
    onMovements: ignore,
  });
}

function addOne(writer: LedgerWriter) {
  return writer.write({
    command: { kind: 'change', change: { kind: 'adjust', petId: 1n, delta: 1 } },
    author: { ...CLI_AUTHOR, actorName: 'cli', atMs: 0 },
  });
}

test('no change is written in a session whose commits a crash can lose', async (t) => {
  const { store, database } = await newAdminStore(t);
  await store.importPets([petRow(1, { quantity: 5 })], 'cli', 0);
  await database.run(UNCONFIRMED_COMMITS);
  const writerFor = (accepted: string) => newWriter(newConnection(t, database), [accepted]);
  const [careful, accepting] = [writerFor('fsync'), writerFor('synchronous_commit')];
  for (const round of [1, 2]) {
    await assert.rejects(
      addOne(careful),
      { code: 'service_unavailable', message: /nothing was changed/ },
      `${round}`,
    );
    await assert.rejects(careful.checkHealth(), {
      reason: 'The database server has synchronous_commit = off.',
      message: /turn it on, or accept that with PETSTORE_ACCEPT_UNSAFE=synchronous_commit\.$/,
    });
  }
  assert.equal((await addOne(accepting)).kind, 'written');
  await accepting.checkHealth();
  assert.deepEqual(await database.rows('SELECT quantity FROM inventory'), [[6]]);
});

test('a change has seven statements, and each of its two round trips is one write', async (t) => {
  if (isSkippedOnBun(t, 'its sockets have no writev')) return;
  const { store, database } = await newAdminStore(t);
  await store.importPets([petRow(1)], 'cli', 0);
  const connection = newConnection(t, database);
  const { stream } = (await connection.client()).connection;
  const [one, several] = [t.mock.method(stream, '_write'), t.mock.method(stream, '_writev' as '_write')];
  await addOne(newWriter(connection));
  assert.equal(one.mock.callCount() + several.mock.callCount(), 2);
});

test('a session on a newer server ends those on another one, and one on an older server is refused', () => {
  const changes: string[] = [];
  const same = new SameServer(({ system, timeline }) => changes.push(`${system}/${timeline}`));
  const server = (system: string, timeline: number, startedAt = 'monday') => ({
    system,
    timeline,
    startedAt,
    isStandby: false,
  });
  same.admit(server('a', 1));
  same.admit(server('a', 1));
  assert.deepEqual(changes, []);
  assert.throws(() => same.admit({ ...server('a', 1), isStandby: true }), { reason: /only be read/ });
  same.admit(server('a', 2));
  assert.throws(() => same.admit(server('a', 1)), { reason: /replaced by a newer one/ });
  same.admit(server('a', 2));
  assert.deepEqual(changes, ['a/2'], 'a refused session changes nothing');
  same.admit(server('a', 2, 'tuesday'));
  same.admit(server('b', 1, 'tuesday'));
  assert.deepEqual(changes, ['a/2', 'a/2', 'b/1']);
});

test('after the loss of one session the others stay where a new one finds their server, and end where none can be opened', async (t) => {
  const { database } = await newAdminStore(t);
  const proxy = await startTcpProxy(t, Number(new URL(database.url).port));
  const { writing, reading, history } = openConnections(t, proxy.url(database.url));
  const pids = () => Promise.all([writing, reading, history].map(pidOf));
  const lose = async (connection: Connection) => {
    const pid = await pidOf(connection);
    await database.run(`SELECT pg_terminate_backend(${pid})`);
    return pid;
  };
  const before = await pids();
  await lose(writing);
  await until(async () => (await pids())[0] !== before[0], 'another session for changes');
  const [, ...others] = await pids();
  assert.deepEqual(others, before.slice(1), 'the others stay');
  const target = proxy.target;
  const sessions = async () => {
    const name = new URL(database.url).pathname.slice(1);
    const rows = await database.rows(
      `SELECT count(*) FROM pg_stat_activity WHERE datname = '${name}' AND pid IN (${others.join()})`,
    );
    return Number(rows[0]?.[0]);
  };
  assert.equal(await sessions(), 2);
  // Nothing listens there.
  proxy.target = 1;
  await lose(writing);
  await until(async () => (await sessions()) === 0, 'the others end');
  proxy.target = target;
  await until(
    () =>
      pids().then(
        () => true,
        () => false,
      ),
    'all are open again',
  );
});
