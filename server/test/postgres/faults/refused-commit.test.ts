import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { CLI_AUTHOR } from '../../../src/domain/management/activity.ts';
import { DEFAULT_RULES } from '../../../src/store/open-admin.ts';
import { connectAdmin } from '../../../src/store/postgres/admin/client.ts';
import { Connection } from '../../../src/store/postgres/connection.ts';
import { LedgerWriter } from '../../../src/store/postgres/ledger-writer.ts';
import { LOCK } from '../../../src/store/postgres/statements.ts';
import { newAdminStore, petRow } from '../../support/command-line.ts';
import { useEngine } from '../../support/test-database.ts';
import { until } from '../../support/until.ts';
import { PostgresEngine } from '../support/postgres-engine.ts';

useEngine(new PostgresEngine());

/** The writer of an instance, whose statements `edit` may replace, on a database with 5 units of pet 1. */
async function startWriting(t: TestContext, edit: (sql: unknown) => unknown = (sql) => sql) {
  const { store, database } = await newAdminStore(t);
  await store.importPets([petRow(1, { quantity: 5 })], 'cli', 0);
  const connection = new Connection(database.url);
  t.after(() => connection.close());
  const ignore = () => undefined;
  const writer = new LedgerWriter(connection, {
    ...{ rules: DEFAULT_RULES, acceptedUnsafe: [] },
    ...{ onCommit: ignore, onMovements: ignore },
  });
  const client = await connection.client();
  const sent: unknown[] = [];
  const { query } = client;
  t.mock.method(client, 'query', (sql: unknown, ...rest: unknown[]) => {
    sent.push(sql);
    return Reflect.apply(query, client, [edit(sql), ...rest]);
  });
  const add = () =>
    writer.write({
      command: { kind: 'change', change: { kind: 'adjust', petId: 1n, delta: 1 } },
      author: { ...CLI_AUTHOR, actorName: 'cli', atMs: 0 },
    });
  const quantity = async () => (await database.rows('SELECT quantity FROM inventory'))[0]?.[0];
  return { store, database, client, sent, add, quantity };
}

test('a change is refused whose COMMIT the server answers with ROLLBACK', async (t) => {
  let isRefused = true;
  const edit = (sql: unknown) => (isRefused && sql === 'COMMIT' ? 'ROLLBACK' : sql);
  const { store, add, quantity } = await startWriting(t, edit);
  await assert.rejects(add(), { code: 'service_unavailable', message: /nothing was changed/ });
  isRefused = false;
  await add();
  assert.equal(await quantity(), 6);
  assert.deepEqual((await store.verify()).faults, []);
});

test('a change whose session ends before the COMMIT is confirmed may be there or not', async (t) => {
  let isEnding = true;
  const ending = { text: 'SELECT pg_terminate_backend(pg_backend_pid())' };
  const { add, quantity, database } = await startWriting(t, (sql) => {
    const { name } = Object(sql) as { name?: string };
    return isEnding && name === 'setStock' ? ending : sql;
  });
  await assert.rejects(add(), { code: 'service_unavailable', message: /could not be confirmed/ });
  isEnding = false;
  await add();
  assert.equal(await quantity(), 6);
  assert.deepEqual(await database.rows('SELECT max(sequence) FROM movements'), [[2]]);
});

test('changes behind one that waited in vain for the ledger are refused with it, and leave no transaction', async (t) => {
  const { database, client, sent, add, quantity } = await startWriting(t);
  const { client: other } = await connectAdmin(database.url);
  t.after(() => other.end());
  const locks = () => sent.filter((sql) => sql === LOCK.ledger).length;
  for (const limit of ['lock_timeout', 'statement_timeout']) {
    await client.query(`SET ${limit} = 200`);
    await other.query('BEGIN');
    await other.query(LOCK.ledger);
    sent.length = 0;
    const first = assert.rejects(add(), { code: 'service_unavailable' });
    await until(() => locks() === 1, 'the first change waits for the ledger');
    await Promise.all([first, assert.rejects(add(), { code: 'service_unavailable' })]);
    assert.equal(locks(), 1, 'the second one has not waited again');
    await client.query(`SET ${limit} = 0`);
    assert.equal(client.getTransactionStatus(), 'I');
    await other.query('ROLLBACK');
  }
  await add();
  assert.equal(await quantity(), 6);
});
