import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { prepareDatabase } from '../../../src/cli/prepare-database.ts';
import { readConfig, stockRules } from '../../../src/config.ts';
import { CLI_AUTHOR } from '../../../src/domain/management/activity.ts';
import { ManagementThread } from '../../../src/management/management-thread.ts';
import { TEST_PEPPER } from '../../support/command-line.ts';
import { newDatabase, testEngine, useEngine } from '../../support/test-database.ts';
import { PostgresEngine } from '../support/postgres-engine.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

useEngine(new PostgresEngine());

const UNAVAILABLE = { code: 'service_unavailable' };
const PET = {
  petId: 1n,
  name: 'Ada',
  category: null,
  quantity: 1,
  status: 'available',
  lowStockAt: null,
  restockAt: null,
} as const;

/** The thread of a new shop, which reaches its database by the address. */
async function startThread(
  t: TestContext,
  databaseUrl: string,
  responseTimeoutMs: number,
  url = databaseUrl,
): Promise<ManagementThread> {
  const config = readConfig({ ...testEngine().variables, PETSTORE_DATABASE: databaseUrl });
  await prepareDatabase(config);
  const thread = new ManagementThread({
    url,
    rules: stockRules(config),
    pepper: TEST_PEPPER,
    responseTimeoutMs,
  });
  t.after(() => thread.close());
  return thread;
}

test('a management action that waits for a locked ledger fails soon, on a connection that is kept', async (t) => {
  const database = await newDatabase(t);
  const thread = await startThread(t, database.url, 3_000);
  const create = () => thread.store.pets.create(PET, CLI_AUTHOR);
  await database.run('BEGIN; SELECT pg_advisory_xact_lock(1885697139, 1)');
  const [creating, reading] = [create(), thread.store.accounts.list()];
  await assert.rejects(creating, { ...UNAVAILABLE, message: /keeps the ledger locked; try again/ });
  assert.deepEqual(await reading, []);
  await database.run('COMMIT');
  assert.equal((await create()).petId, 1n);
});

test('management calls fail when the database becomes silent, and work on a new connection', async (t) => {
  const database = await newDatabase(t);
  const proxy = await startTcpProxy(t, Number(new URL(database.url).port));
  const thread = await startThread(t, database.url, 500, proxy.url(database.url));
  assert.deepEqual(await thread.store.accounts.list(), []);
  proxy.blackHole();
  // The second one waits behind the first one, and then for a new connection.
  const calls = [thread.store.accounts.list(), thread.store.activity.list({ limit: 1 })];
  await Promise.all(calls.map((call) => assert.rejects(call, UNAVAILABLE)));
  proxy.heal();
  assert.deepEqual(await thread.store.accounts.list(), []);
});

test('a management call after its idle connection was ended runs on a new connection', async (t) => {
  const database = await newDatabase(t);
  const thread = await startThread(t, database.url, 10_000);
  assert.deepEqual(await thread.store.accounts.list(), []);
  for (const call of [() => thread.store.pets.create(PET, CLI_AUTHOR), () => thread.store.audit()]) {
    // Returns when they have ended.
    await database.run(
      'SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await call();
  }
});
