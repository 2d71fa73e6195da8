import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { type TestContext, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { prepareDatabase } from '../../src/cli/prepare-database.ts';
import { readConfig, stockRules } from '../../src/config.ts';
import { ApiError, OperatorError, serviceUnavailable } from '../../src/domain/errors.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { packError, unpackError } from '../../src/management/call-messages.ts';
import { ManagementThread } from '../../src/management/management-thread.ts';
import { TEST_PEPPER } from '../support/command-line.ts';
import { startApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';
import { newDatabase, testEngine, testOnceIn } from '../support/test-database.ts';
import { until } from '../support/until.ts';

const once = testOnceIn();

async function startThread(t: TestContext): Promise<ManagementThread> {
  const database = await newDatabase(t);
  const config = readConfig({ ...testEngine().variables, PETSTORE_DATABASE: database.url });
  await prepareDatabase(config);
  const thread = new ManagementThread({
    url: config.database,
    rules: stockRules(config),
    pepper: TEST_PEPPER,
  });
  t.after(() => thread.close());
  return thread;
}

const LIMITS = { perMinute: 60, perDay: 1_000 };

function account(name: string) {
  return { id: `acc_${name}`, name, plan: 'free' as const, limits: LIMITS, createdAtMs: 1 };
}

once('calls run in their order, and return what the store returns', async (t) => {
  const { store } = await startThread(t);
  const results = await Promise.all([
    store.accounts.list(),
    store.accounts.create(account('one'), CLI_AUTHOR),
    store.accounts.create(account('two'), CLI_AUTHOR),
    store.accounts.list(),
  ]);
  assert.deepEqual([results[0], results[3]], [[], [account('one'), account('two')]]);
});

once('members of the store are callable, and integers stay exact', async (t) => {
  const petId = 2n ** 63n - 1n;
  const app = await startApp(t, { pets: [petRow(petId)] });
  const lines = [{ petId: String(petId), quantity: 2 }];
  const body = JSON.stringify({ lines }).replace(`"${petId}"`, String(petId));
  assert.equal((await app.request('POST', '/v1/store/orders', { body })).status, 201);
  const thread = new ManagementThread({
    url: app.config.database,
    rules: stockRules(app.config),
    pepper: TEST_PEPPER,
  });
  t.after(() => thread.close());
  const order = await thread.store.orders.findOrder(1);
  assert.deepEqual(
    order?.lines.map((line) => line.petId),
    [petId],
  );
});

once('an error keeps its class, code and message', async (t) => {
  const { store } = await startThread(t);
  await store.accounts.create(account('one'), CLI_AUTHOR);
  await assert.rejects(store.accounts.create({ ...account('one'), id: 'acc_other' }, CLI_AUTHOR), (error) => {
    assert.ok(error instanceof OperatorError);
    assert.equal(error.code, 'conflict');
    assert.match(error.message, /"one"/);
    return true;
  });
  assert.equal((await store.accounts.list()).length, 1, 'the thread still serves');
});

test('a thread without its database rejects calls with 503, and serves when there is one', async (t) => {
  const database = await newDatabase(t);
  const config = readConfig({ ...testEngine().variables, PETSTORE_DATABASE: database.url });
  const thread = new ManagementThread({
    url: config.database,
    rules: stockRules(config),
    pepper: TEST_PEPPER,
  });
  t.after(() => thread.close());
  await assert.rejects(thread.store.now(), { name: 'ApiError', code: 'service_unavailable' });
  await prepareDatabase(config);
  assert.deepEqual(await thread.store.accounts.list(), []);
});

once('after a crash the running calls get 503, and the next call a new thread', async (t) => {
  const { store } = await startThread(t);
  await store.accounts.create(account('one'), CLI_AUTHOR);
  // Its reply is a function, which no message can hold: the error ends the thread.
  const crashing = store.now.bind(undefined) as unknown as Promise<unknown>;
  const running = store.accounts.list();
  for (const call of [crashing, running]) await assert.rejects(call, { code: 'service_unavailable' });
  assert.deepEqual(await store.accounts.list(), [account('one')]);
});

once('a result is not returned when the files were replaced meanwhile', async (t) => {
  const database = await newDatabase(t);
  const config = readConfig({ ...testEngine().variables, PETSTORE_DATABASE: database.url });
  await prepareDatabase(config);
  const doubts = [serviceUnavailable('in doubt'), undefined];
  const thread = new ManagementThread(
    { url: config.database, rules: stockRules(config), pepper: TEST_PEPPER },
    { refusal: () => undefined, doubt: () => doubts.shift() },
  );
  t.after(() => thread.close());
  await assert.rejects(thread.store.accounts.create(account('one'), CLI_AUTHOR), { message: 'in doubt' });
  assert.deepEqual(await thread.store.accounts.list(), [account('one')]);
});

once('a closed thread has ended, and rejects calls', async (t) => {
  const thread = await startThread(t);
  const running = thread.store.accounts.list();
  await thread.close();
  assert.deepEqual(await running, [], 'a running call ends first');
  await assert.rejects(thread.store.accounts.list(), { code: 'service_unavailable' });
  await new ManagementThread({
    url: 'sqlite:/nowhere',
    rules: stockRules(readConfig({})),
    pepper: TEST_PEPPER,
  }).close();
});

test('errors of the database become 503, errors of the program do not', () => {
  const broken = unpackError(packError(new Error('disk I/O error', { cause: new Error('EIO') })));
  assert.ok(broken instanceof ApiError);
  assert.equal(broken.code, 'service_unavailable');
  assert.match(String((broken.cause as Error).stack), /disk I\/O error[\s\S]*EIO/);
  const wrong = unpackError(packError(new TypeError('x is not a function')));
  assert.ok(!(wrong instanceof ApiError) && !(wrong instanceof OperatorError));
  assert.equal(wrong.message, 'x is not a function');
  const refused = unpackError(packError(new ApiError('not_found', 'None.', { headers: { Allow: 'GET' } })));
  assert.deepEqual((refused as ApiError).headers, { Allow: 'GET' });
});

test('a thread that only reads ends when it is idle, and the next call starts another one', async (t) => {
  const database = await newDatabase(t);
  const config = readConfig({ ...testEngine().variables, PETSTORE_DATABASE: database.url });
  await prepareDatabase(config);
  const parts = { url: config.database, rules: stockRules(config), pepper: TEST_PEPPER, givesWay: true };
  const threads = { started: 0, ended: 0 };
  const onWorker = (worker: Worker) => {
    threads.started += 1;
    worker.once('exit', () => (threads.ended += 1));
  };
  process.on('worker', onWorker);
  t.after(() => process.off('worker', onWorker));
  const reading = new ManagementThread({ ...parts, endsIdle: true }, undefined, 0);
  const writing = new ManagementThread(parts, undefined, 0);
  for (const thread of [reading, writing]) t.after(() => thread.close());
  await Promise.all([reading.store.accounts.list(), reading.store.now(), writing.store.now()]);
  await until(() => threads.ended === 1, 'the idle thread has ended');
  assert.deepEqual(await reading.store.accounts.list(), [], 'another thread serves');
  // The timer comes before the next call, while the thread has not ended yet: it must not reject that call.
  await new Promise((resolve) => setTimeout(resolve, 5));
  await Promise.all([reading.store.now(), reading.store.now()]);
  await until(() => threads.ended === threads.started - 1, 'all but the other one have ended');
  await writing.store.now();
  assert.equal(threads.ended, threads.started - 1, 'a thread for commands stays');
});

test('an audit gives way to other threads', { skip: process.platform !== 'linux' }, async (t) => {
  const app = await startApp(t, { pets: [petRow(1n)] });
  await app.audits.next();
  const nice = readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread)));
  // A thread that the engine starts for this one has its priority.
  // 19 is the lowest priority of Linux.
  const lower = Math.min(getPriority() + 5, 19);
  assert.deepEqual([...new Set(nice.filter((value) => value > getPriority()))], [lower]);
});
