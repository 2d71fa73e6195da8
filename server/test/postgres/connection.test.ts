import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Connection, ConnectionLost } from '../../src/store/postgres/connection.ts';
import { LOCK, READ } from '../../src/store/postgres/statements.ts';
import { newAdminStore } from '../support/command-line.ts';
import { useEngine } from '../support/test-database.ts';
import { startHoldingProxy } from './faults/holding-proxy.ts';
import { PostgresEngine } from './support/postgres-engine.ts';

useEngine(new PostgresEngine());

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
  const deadlineMs = performance.now() + 10_000;
  while ((await count()) !== before) assert.ok(performance.now() < deadlineMs, 'a connection is left');
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
