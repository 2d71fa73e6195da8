import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createApiKey } from '../../../src/domain/access/api-key.ts';
import { startApp, type TestApp } from '../../support/harness.ts';
import { useEngine } from '../../support/test-database.ts';
import { CountedStatements } from '../support/counted-statements.ts';
import { PostgresEngine } from '../support/postgres-engine.ts';
import { isSkippedDaily } from '../../support/long-test.ts';

useEngine(new PostgresEngine());

const FROM = '192.0.2.1';

/** Sends a number of sequential requests from each of many callers; returns the statuses and their counts. */
async function send(
  count: number,
  callers: number,
  sendRequest: () => Promise<{ status: number }>,
): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  const call = async () => {
    for (let i = 0; i < count / callers; i += 1) {
      const { status } = await sendRequest();
      // As between two requests on one connection: timers run.
      await new Promise((resolve) => setImmediate(resolve));
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return statuses;
}

/** Counts statements of one name while something happens, and how many seconds that takes. */
async function countOf(t: TestContext, name: string, work: () => Promise<void>) {
  const statements = new CountedStatements(t);
  const startedAtMs = performance.now();
  await work();
  const seconds = (performance.now() - startedAtMs) / 1_000;
  const sent = statements.take();
  assert.deepEqual(new Set(sent), new Set([name]), 'no other statement was sent');
  t.diagnostic(`${sent.length} statements in ${seconds.toFixed(1)} s`);
  return { count: sent.length, seconds };
}

async function ban({ request, clock }: TestApp): Promise<void> {
  for (let i = 0; i < 200; i += 1) {
    if ((await request('GET', '/v1/inventory')).code === 'api_key_banned') return;
    clock.nowMs += 200;
  }
  assert.fail('the key was never banned');
}

test('2,000 unknown keys of one address cost a handful of statements, and a new key of it still works', async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startApp(t, { config: { PETSTORE_ADDRESS_LIMIT: '60', PETSTORE_LOG_LEVEL: 'silent' } });
  const guess = () => app.request('GET', '/v1/inventory', { key: createApiKey('production'), from: FROM });
  const { key } = await app.makeKey();
  const { count, seconds } = await countOf(t, 'key', async () => {
    assert.deepEqual(await send(60, 60, guess), { 401: 60 });
    assert.deepEqual(await send(1_940, 485, guess), { 429: 1_940 });
  });
  assert.ok(count <= 6 + 4 * seconds, `${count} statements`);
  let isOver = false;
  const meanwhile = send(3, 1, async () => {
    assert.equal((await app.request('GET', '/v1/inventory', { key, from: FROM })).status, 200);
    isOver = true;
    return { status: 200 };
  });
  while (!isOver) await send(100, 100, guess);
  await meanwhile;
});

test('guesses above the queue limit are refused without a look-up', async (t) => {
  const app = await startApp(t, { config: { PETSTORE_ADDRESS_LIMIT: '1', PETSTORE_LOG_LEVEL: 'silent' } });
  const guess = () => app.request('GET', '/v1/inventory', { key: createApiKey('production'), from: FROM });
  assert.equal((await guess()).status, 401);
  const { count } = await countOf(t, 'key', async () => {
    assert.deepEqual(await send(3_000, 3_000, guess), { 429: 3_000 });
  });
  assert.ok(count <= 2, `${count} statements`);
});

test('a key that was valid is looked up before all guesses of its address after a change of access', async (t) => {
  const app = await startApp(t, { config: { PETSTORE_ADDRESS_LIMIT: '1', PETSTORE_LOG_LEVEL: 'silent' } });
  const guess = () => app.request('GET', '/v1/inventory', { key: createApiKey('production'), from: FROM });
  const list = () => app.request('GET', '/v1/inventory', { from: FROM });
  assert.equal((await list()).status, 200);
  assert.equal((await guess()).status, 401);
  let firsts = 0;
  for (let i = 0; i < 4; i += 1) {
    // From here on the next guess waits for its turn.
    assert.equal((await guess()).status, 429);
    await app.makeKey();
    assert.equal((await list()).status, 200, 'its charge reports the change');
    const waiting = guess();
    if (await Promise.race([list().then(() => true), waiting.then(() => false)])) firsts += 1;
    await waiting;
  }
  assert.ok(firsts > 0);
});

test('one unknown key that is sent again and again is looked up once', async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startApp(t);
  const key = createApiKey('production');
  const { count, seconds } = await countOf(t, 'key', async () => {
    assert.deepEqual(await send(500, 1, () => app.request('GET', '/v1/inventory', { key })), { 401: 500 });
  });
  assert.ok(count <= 1 + seconds / 5, `${count} statements`);
});

test('one key is looked up once, for any spelling', async (t) => {
  const { request, key } = await startApp(t, { config: { PETSTORE_LOG_LEVEL: 'silent' } });
  await request('GET', '/v1/inventory');
  const statements = new CountedStatements(t);
  for (let spaces = 1; spaces <= 300; spaces += 1) {
    const headers = { Authorization: `Bearer${' '.repeat(spaces)}${key}` };
    assert.equal((await request('GET', '/v1/inventory', { key: null, headers })).status, 200);
  }
  assert.deepEqual([...new Set(statements.take())], ['charge']);
});

test('2,000 questions of a banned key for its limits cost one statement per second', async (t) => {
  const app = await startApp(t, { limits: { perMinute: 3, perDay: 1_000_000 } });
  await ban(app);
  // In a later minute, when only the ban is left.
  app.clock.nowMs += 60_000;
  const sendRequest = () => app.request('GET', '/v1/rate-limit');
  const statements = new CountedStatements(t);
  const startedAtMs = performance.now();
  assert.deepEqual(await send(2_000, 1, sendRequest), { 200: 2_000 });
  // The ban is a change of access, so the key is looked up once more.
  const count = statements.take().filter((name) => name === 'usage').length;
  assert.ok(count <= 1 + (performance.now() - startedAtMs) / 1_000, `${count} statements`);
  const { minute, ban: activeBan } = (await sendRequest()).json as {
    minute: { remaining: number };
    ban: object | null;
  };
  assert.deepEqual([minute.remaining, activeBan !== null], [3, true]);
});

test('a key whose window is used up learns its limits from memory', async (t) => {
  const app = await startApp(t, { limits: { perMinute: 3, perDay: 1_000 } });
  for (let i = 0; i < 3; i += 1) await app.request('GET', '/v1/inventory');
  const statements = new CountedStatements(t);
  for (let i = 0; i < 100; i += 1) {
    const { json } = await app.request('GET', '/v1/rate-limit');
    const { minute, day } = json as Record<'minute' | 'day', { remaining: number }>;
    assert.deepEqual([minute.remaining, day.remaining], [0, 997]);
  }
  assert.deepEqual(statements.take(), []);
});

test('2,000 questions for limits at the same moment share a few statements', async (t) => {
  const app = await startApp(t, { config: { PETSTORE_LOG_LEVEL: 'silent' } });
  await app.request('GET', '/v1/rate-limit');
  const { count } = await countOf(t, 'usage', async () => {
    assert.deepEqual(await send(2_000, 2_000, () => app.request('GET', '/v1/rate-limit')), { 200: 2_000 });
  });
  assert.ok(count <= 5, `${count} statements`);
});

test('1,000 questions whether it is ready cost two statements per second', async (t) => {
  const app = await startApp(t);
  const { count, seconds } = await countOf(t, 'health', async () => {
    assert.deepEqual(await send(1_000, 1, () => app.request('GET', '/readyz', { key: null })), {
      200: 1_000,
    });
  });
  assert.ok(count <= 1 + 2 * seconds, `${count} statements`);
});
