import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { listenOnNode } from '../../src/listen/node.ts';
import { Connection } from '../../src/store/postgres/connection.ts';
import { DatabaseClock } from '../../src/store/postgres/database-clock.ts';
import { LOCK, READ } from '../../src/store/postgres/statements.ts';
import { RawSocket } from '../blackbox/raw-socket.ts';
import { newAdminStore } from '../support/command-line.ts';
import { startApp, startApps, type TestApp } from '../support/harness.ts';
import { petRow, petRows } from '../support/pet-rows.ts';
import { useEngine } from '../support/test-database.ts';
import { until } from '../support/until.ts';
import { CountedStatements } from './support/counted-statements.ts';
import { PostgresEngine } from './support/postgres-engine.ts';
import { isSkippedDaily } from '../support/long-test.ts';

useEngine(new PostgresEngine());

const CALLERS = 64;
const REQUESTS_PER_CALLER = 50;
const REQUESTS = CALLERS * REQUESTS_PER_CALLER;
const LISTENING = { PORT: '0', PETSTORE_HOST: '127.0.0.1', PETSTORE_LOG_LEVEL: 'silent' };
const CHANGE = [
  ...['BEGIN', LOCK.ledger, 'batchState', 'stock'],
  // Listeners are notified with the commit.
  ...['recordMovements', 'setStock', 'COMMIT'],
];

/** The number of clients, each with one request at a time on its own connection. */
async function callAtOnce(
  t: TestContext,
  { app, config }: TestApp,
  requestOf: (caller: number, request: number) => string,
): Promise<void> {
  const listener = await listenOnNode(app, config);
  t.after(() => listener.close(0));
  const call = async (caller: number) => {
    const socket = await RawSocket.open(listener.port);
    try {
      for (let request = 0; request < REQUESTS_PER_CALLER; request += 1) {
        socket.send(requestOf(caller, request));
        const answer = await socket.next({ deadlineMs: 60_000 });
        assert.equal(answer?.status, 200);
      }
    } finally {
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)));
}

test(`${CALLERS} concurrent callers with separate accounts cause at most one statement for 8 requests`, async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startApp(t, { pets: petRows(100), config: LISTENING });
  const keys: string[] = [];
  for (let i = 0; i < CALLERS; i += 1) {
    keys.push((await app.makeKey({ accountId: await app.makeAccount() })).key);
  }
  // The first answer reports the new accounts; later lookups are cached.
  await app.request('GET', '/v1/inventory');
  for (const key of keys) await app.request('GET', '/v1/inventory', { key });
  const statements = new CountedStatements(t);
  await callAtOnce(
    t,
    app,
    (caller) => `GET /v1/inventory HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${keys[caller]}\r\n\r\n`,
  );
  const sent = statements.take();
  t.diagnostic(`${REQUESTS} requests, ${sent.length} statements`);
  assert.ok(sent.length <= REQUESTS / 8, `${sent.length} statements for ${REQUESTS} requests`);
  assert.deepEqual([...new Set(sent)], ['charge']);
});

test(`${CALLERS} concurrent callers that change quantities share commits, 8 changes or more in each`, async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startApp(t, { pets: petRows(100), config: LISTENING });
  const statements = new CountedStatements(t);
  await callAtOnce(t, app, (caller, request) => {
    const body = `{"quantity":${1_000_000 + caller * REQUESTS_PER_CALLER + request}}`;
    return `PATCH /v1/inventory/${1 + ((caller + request) % 100)} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${app.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  });
  const commits = statements.take().filter((statement) => statement === 'COMMIT').length;
  t.diagnostic(`${REQUESTS} changes, ${commits} commits`);
  assert.ok(commits <= REQUESTS / 8, `${commits} commits for ${REQUESTS} changes`);
  assert.deepEqual((await app.admin.verify()).faults, []);
});

test('at the same load per instance, a request causes no more statements with 4 instances than with 1', async (t) => {
  if (isSkippedDaily(t)) return;
  const statements = new CountedStatements(t);
  const perRequest = async (instances: number): Promise<number> => {
    const apps = await startApps(t, instances, { pets: petRows(100) });
    for (const app of apps) await app.request('GET', '/v1/inventory');
    statements.take();
    let sent = 0;
    // In sequence, so that the instances do not compete for a processor.
    for (const { request } of [...apps, ...apps, ...apps]) {
      const clients = Array.from({ length: CALLERS }, (_, caller) => {
        sent += 1;
        if (caller % 2 === 0) return request('GET', '/v1/inventory?limit=0');
        return request('PATCH', `/v1/inventory/${caller}`, { body: `{"quantity":${1_000 + sent}}` });
      });
      await Promise.all(clients);
    }
    return statements.take().length / sent;
  };
  const [one, four] = [await perRequest(1), await perRequest(4)];
  t.diagnostic(`${one} statements per request with 1 instance, ${four} with 4`);
  assert.ok(four <= one * 1.25, `${four} statements per request instead of ${one}`);
});

test('each request sends the fewest statements: one for an unchanged list, which includes its limits', async (t) => {
  const app = await startApp(t, { pets: petRows(300) });
  await app.request('PATCH', '/v1/inventory/1', { body: '{"quantity":4}' });
  const etag = (await app.request('GET', '/v1/inventory')).headers.get('ETag') ?? '';
  const statements = new CountedStatements(t);
  const statementsOf = async (...request: Parameters<TestApp['request']>) => {
    statements.take();
    await app.request(...request);
    return statements.take();
  };
  assert.deepEqual(await statementsOf('GET', '/v1/inventory'), ['charge']);
  assert.deepEqual(await statementsOf('GET', '/v1/inventory', { headers: { 'If-None-Match': etag } }), [
    'charge',
  ]);
  assert.deepEqual(await statementsOf('GET', '/v1/nothing'), ['charge']);
  assert.deepEqual(await statementsOf('GET', '/v1/inventory?limit=10'), ['charge', 'page']);
  assert.deepEqual(await statementsOf('GET', '/v1/pets/1'), ['charge', 'pet']);
  assert.deepEqual(await statementsOf('GET', '/v1/rate-limit'), ['usage']);
  assert.deepEqual(await statementsOf('PATCH', '/v1/inventory/1', { body: '{"quantity":5}' }), [
    'charge',
    ...CHANGE,
  ]);
  assert.deepEqual(await statementsOf('GET', '/healthz', { key: null }), []);
  assert.deepEqual(await statementsOf('GET', '/v1/inventory', { key: null }), []);
  assert.deepEqual(await statementsOf('GET', '/v1/inventory', { key: 'guessed' }), []);
});

test('a window that is known to be used up is refused from memory, and so is a banned key', async (t) => {
  const app = await startApp(t, { limits: { perMinute: 3, perDay: 100 } });
  for (let i = 0; i < 3; i += 1) assert.equal((await app.request('GET', '/v1/inventory')).status, 200);
  const statements = new CountedStatements(t);
  for (let i = 0; i < 20; i += 1) {
    assert.equal((await app.request('GET', '/v1/inventory')).code, 'rate_limit_exceeded');
    app.clock.nowMs += 100;
  }
  assert.deepEqual(statements.take(), []);
  let code: string | undefined;
  for (let i = 0; i < 100 && code !== 'api_key_banned'; i += 1) {
    ({ code } = await app.request('GET', '/v1/inventory'));
    app.clock.nowMs += 100;
  }
  assert.deepEqual(
    statements.take().filter((name) => name === 'charge' || name === 'saveBan'),
    ['saveBan'],
  );
  await until(
    async () => (await app.database.rows('SELECT 1 FROM events')).length > 0,
    'the event of the ban',
  );
  // The poll has read that the ban is new, and the next request looks the key up again.
  await app.request('GET', '/v1/inventory');
  statements.take();
  for (let i = 0; i < 20; i += 1) {
    assert.equal((await app.request('GET', '/v1/inventory')).code, 'api_key_banned');
  }
  assert.deepEqual(statements.take(), []);
});

test('the bounds that a process has for the database clock contain the true time', async (t) => {
  const { database } = await newAdminStore(t);
  const connection = new Connection(database.url);
  t.after(() => connection.close());
  const clock = new DatabaseClock();
  const charge = async () => {
    const sentAtMs = performance.now();
    const [state] = await connection.read<{ nowMs: number }>(READ.state, [clock.override]);
    return { nowMs: state?.nowMs ?? Number.NaN, sentAtMs };
  };
  for (let i = 0; i < 200; i += 1) {
    const { nowMs, sentAtMs } = await charge();
    clock.note(nowMs, sentAtMs);
    const earliestMs = clock.earliestMs();
    const { nowMs: laterMs } = await charge();
    const latestMs = clock.latestMs();
    assert.ok(earliestMs <= laterMs && laterMs <= latestMs, `${earliestMs} <= ${laterMs} <= ${latestMs}`);
  }
});

test('a count of a stock-take waits for few round trips, because other people wait for its lock', async (t) => {
  const { store } = await newAdminStore(t);
  await store.importPets([petRow(1n, 5)], 'cli');
  const author = { actor: 'cli', actorName: 'cli', requestId: null };
  const statements = new CountedStatements(t);
  const waitsOf = async (posting: 'at_count' | 'at_close') => {
    const { id } = await store.stocktakes.start({ name: posting, scope: {}, posting }, author);
    statements.takeWaits();
    await store.stocktakes.count(id, { petId: 1n, counted: 7, note: null, occurredAtMs: null }, author);
    return statements.takeWaits();
  };
  // BEGIN, the lock with the time, the stock-take with the pet, the batch, its movement, COMMIT; and what waits for the close.
  assert.deepEqual([await waitsOf('at_count'), await waitsOf('at_close')], [6, 7]);
});
