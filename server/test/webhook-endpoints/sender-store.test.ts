import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BYTES_PER_ENDPOINT,
  type EndpointPause,
  type EndpointProgress,
} from '../../src/domain/webhooks/webhook-store.ts';
import { startApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';
import { testOnceIn } from '../support/test-database.ts';
import { AUTHOR, everything, LIMIT, newEndpointShop, progressOf } from './endpoint-shop.ts';

const once = testOnceIn();

type Attempt = EndpointProgress['attempts'][number];

const LEASE_MS = 60_000;

function pauseOf(fields: Pick<EndpointPause, 'id' | 'token'>): EndpointPause {
  return { reason: 'gone', atMs: 7, ...fields };
}

function attempt(fields: Partial<Attempt> = {}): Attempt {
  const event = { eventId: '1.0', eventType: 'inventory.changed', attempt: 1 } as const;
  const success = { statusCode: 200, error: null, errorCode: null, errorDetail: null, response: '' };
  return { ...event, attemptedAtMs: 5, durationMs: 6, ...success, ...fields };
}

test('a lease belongs to one sender until it has passed, and a take-over raises the token', async (t) => {
  const { database, newEndpoint, newSender } = await newEndpointShop(t);
  const { endpoint, secret } = await newEndpoint();
  const [{ sender: one }, { sender: two }] = [await newSender(), await newSender()];
  const first = (await one.lease('one', LEASE_MS)).endpoints;
  assert.deepEqual(first, [{ endpoint, token: 1, secrets: [secret] }]);
  assert.deepEqual((await two.lease('two', LEASE_MS)).endpoints, []);
  assert.deepEqual((await one.lease('one', LEASE_MS)).endpoints, first, 'a renewal keeps the token');
  await database.run('UPDATE webhook_endpoints SET lease_until = 1');
  const [taken] = (await two.lease('two', LEASE_MS)).endpoints;
  assert.equal(taken?.token, 2);
  assert.deepEqual((await one.lease('one', LEASE_MS)).endpoints, []);
});

test('a lease of a sender that is gone ends although the clock was set back', async (t) => {
  const { database, newEndpoint, newSender } = await newEndpointShop(t);
  await newEndpoint();
  const [{ sender: one }, { sender: two }] = [await newSender(), await newSender()];
  await one.lease('one', LEASE_MS);
  // What the table has after the clock is set back by half a lease, and by an hour.
  await database.run(`UPDATE webhook_endpoints SET lease_until = lease_until + ${LEASE_MS / 2}`);
  assert.deepEqual((await two.lease('two', LEASE_MS)).endpoints, []);
  await database.run('UPDATE webhook_endpoints SET lease_until = lease_until + 3600000');
  const [taken] = (await two.lease('two', LEASE_MS)).endpoints;
  assert.equal(taken?.token, 2);
  assert.deepEqual((await one.lease('one', LEASE_MS)).endpoints, []);
});

test('a sender that lost its lease writes nothing', async (t) => {
  const { store, database, newEndpoint, newSender } = await newEndpointShop(t);
  const { id } = (await newEndpoint()).endpoint;
  const { id: kept } = (await newEndpoint()).endpoint;
  const [{ sender: one }, { sender: two }] = [await newSender(), await newSender()];
  const leased = (await one.lease('one', LEASE_MS)).endpoints;
  await database.run(`UPDATE webhook_endpoints SET lease_until = 1 WHERE id = '${id}'`);
  const [taken] = (await two.lease('two', LEASE_MS)).endpoints;
  assert.equal(taken?.endpoint.id, id);
  const cursor = { sequence: 0, number: 0 };
  const late = leased.map((lease) => progressOf(lease, { cursor, attempts: [attempt()] }));
  assert.deepEqual(await one.report(late), [id]);
  const pauses = leased.map(({ endpoint, token }) => pauseOf({ id: endpoint.id, token }));
  assert.deepEqual(await one.pause(pauses), [kept]);
  assert.deepEqual(await store.webhooks.find(id), taken.endpoint);
  assert.deepEqual(await store.webhooks.attempts(id), []);
  assert.equal((await store.webhooks.find(kept)).pauseReason, 'gone');
  assert.deepEqual((await store.webhooks.find(kept)).cursor, cursor);
  assert.equal((await store.webhooks.attempts(kept)).length, 1);
  assert.deepEqual(await two.report([progressOf(taken)]), []);
});

once('a released endpoint is free, and a paused one is not leased', async (t) => {
  const { store, newEndpoint, newSender } = await newEndpointShop(t);
  const { sender: one } = await newSender();
  const { sender: two } = await newSender();
  const { id } = (await newEndpoint()).endpoint;
  assert.equal((await one.lease('one', LEASE_MS)).endpoints.length, 1);
  await one.release('one');
  assert.equal((await two.lease('two', LEASE_MS)).endpoints[0]?.token, 2);
  await store.webhooks.pause(id, AUTHOR);
  assert.deepEqual((await two.lease('two', LEASE_MS)).endpoints, []);
  const resumed = await store.webhooks.resume(id, AUTHOR);
  assert.deepEqual((await two.lease('two', LEASE_MS)).endpoints[0]?.endpoint, resumed);
});

test('a paused endpoint takes no place of a lease', async (t) => {
  const { store, database, newEndpoint, newSender } = await newEndpointShop(t);
  const ids = [(await newEndpoint()).endpoint.id, (await newEndpoint()).endpoint.id].toSorted();
  await store.webhooks.pause(ids[0] as string, AUTHOR);
  const { sender } = await newSender();
  assert.equal((await sender.lease('one', LEASE_MS)).endpoints.length, 1);
  const owners = await database.rows('SELECT id, lease_owner FROM webhook_endpoints ORDER BY id');
  assert.deepEqual(owners, [
    [ids[0], null],
    [ids[1], 'one'],
  ]);
});

test('the attempts are a ring: the last 100, the newest first', async (t) => {
  const { store, database, newEndpoint, newSender } = await newEndpointShop(t);
  const { id } = (await newEndpoint()).endpoint;
  const { sender } = await newSender();
  const [leased] = (await sender.lease('one', LEASE_MS)).endpoints;
  assert.ok(leased);
  let sent = 0;
  for (const count of [1, 100, 37, 0, 99, 2]) {
    const first = sent + 1;
    const attempts = Array.from({ length: count }, (_, i) => attempt({ eventId: `${first + i}.0` }));
    sent += count;
    assert.deepEqual(await sender.report([progressOf(leased, { attempts })]), []);
    const logged = await store.webhooks.attempts(id, 'acc_shop');
    const expected = Array.from({ length: Math.min(sent, 100) }, (_, i) => sent - i);
    assert.deepEqual(
      logged.map(({ number, eventId }) => [number, eventId]),
      expected.map((number) => [number, `${number}.0`]),
    );
  }
  assert.deepEqual(await database.rows('SELECT count(*) FROM webhook_attempts'), [[100]]);
});

test('an attempt is logged as reported, with every text that a receiver can send', async (t) => {
  const { store, newEndpoint, newSender } = await newEndpointShop(t);
  const { id } = (await newEndpoint()).endpoint;
  const { sender } = await newSender();
  const [leased] = (await sender.lease('one', LEASE_MS)).endpoints;
  assert.ok(leased);
  const failure = attempt({
    statusCode: null,
    error: 'a\0b',
    errorCode: 'tls_failed',
    errorDetail: 'EPROTO',
    response: '\ud800 \u{1f431}',
    attempt: 4,
  });
  const test = attempt({ eventType: 'webhook.test', response: null });
  await sender.report([progressOf(leased, { attempts: [failure, test] })]);
  const [second, first] = await store.webhooks.attempts(id);
  assert.deepEqual({ ...second }, { ...test, number: 2 });
  assert.deepEqual({ ...first }, { ...failure, error: 'a\ufffdb', response: '\ufffd \u{1f431}', number: 1 });
});

once('leases are taken and given in portions, and changes of stock get the lock in between', async (t) => {
  const { store, database, newSender } = await newEndpointShop(t);
  const count = 250;
  for (let i = 0; i < count; i += 1) {
    await store.webhooks.create({ accountId: 'acc_shop', url: `https://example.com/${i}` }, count, AUTHOR);
  }
  const { sender, engine } = await newSender();
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 0);
  t.after(() => clearInterval(timer));
  const begins: number[] = [];
  const transaction = engine.transaction.bind(engine);
  engine.transaction = (command) => {
    begins.push(turns);
    return transaction(command);
  };
  const { endpoints } = await sender.lease('one', LEASE_MS);
  assert.deepEqual(
    endpoints.map(({ endpoint }) => endpoint.id),
    (await database.rows('SELECT id FROM webhook_endpoints ORDER BY id')).flat(),
  );
  const { leasesPerTransaction } = engine.dialect;
  assert.ok(begins.length >= count / leasesPerTransaction, `${begins.length} transactions`);
  assert.equal(new Set(begins).size, begins.length, 'a transaction follows immediately');
  // Those of another sender, and a new one, between its own.
  await database.run(`UPDATE webhook_endpoints SET lease_owner = 'two' WHERE url LIKE '%7'`);
  const own = await sender.lease('one', LEASE_MS);
  assert.equal(own.endpoints.length, count - 25);
  await sender.release('one');
  const free = 'SELECT count(*) FROM webhook_endpoints WHERE lease_owner IS NULL';
  assert.deepEqual(await database.rows(free), [[count - 25]]);
});

test('a report writes the progress of hundreds of endpoints', async (t) => {
  const { store, newSender } = await newEndpointShop(t);
  const count = 250;
  for (let i = 0; i < count; i += 1) {
    await store.webhooks.create({ accountId: 'acc_shop', url: `https://example.com/${i}` }, count, AUTHOR);
  }
  const { sender } = await newSender();
  const leased = (await sender.lease('one', LEASE_MS)).endpoints;
  const reports = leased.map((lease, i) =>
    progressOf(lease, {
      cursor: { sequence: i, number: i % 3 },
      failingSinceMs: i % 2 === 0 ? null : i,
      failures: i % 2,
      retryAtMs: i % 2 === 0 ? null : i + 1,
      attempts: [attempt({ eventId: `${i}.0` })],
    }),
  );
  assert.deepEqual(await sender.report(reports), []);
  const expected = reports.map(({ id, cursor, failingSinceMs, failures, retryAtMs }) => {
    return { id, cursor, failingSinceMs, failures, retryAtMs };
  });
  const stored = (await store.webhooks.list()).map(({ id, cursor, failingSinceMs, failures, retryAtMs }) => {
    return { id, cursor, failingSinceMs, failures, retryAtMs };
  });
  assert.deepEqual(
    stored,
    expected.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  );
});

test('a pause by a sender is an event of its account, one time', async (t) => {
  const { store, database, newEndpoint, newSender } = await newEndpointShop(t);
  const { id } = (await newEndpoint({ url: 'https://example.com/hook?token=abc' })).endpoint;
  const { sender } = await newSender();
  const [leased] = (await sender.lease('one', LEASE_MS)).endpoints;
  assert.ok(leased);
  const pause = { id, token: leased.token, reason: 'failing', atMs: 1_800_000_000_000 } as const;
  assert.deepEqual(await sender.pause([pause]), [id]);
  assert.deepEqual(await sender.pause([{ ...pause, reason: 'gone' }]), []);
  const paused = await store.webhooks.find(id);
  assert.deepEqual([paused.pauseReason, paused.pausedAtMs, paused.version], ['failing', pause.atMs, 2]);
  const events = await database.rows('SELECT sequence, number, type, account_id, data FROM events');
  const url = 'https://example.com/hook?token=***';
  const data = JSON.stringify({ id, url, pauseReason: 'failing', pausedAt: '2027-01-15T08:00:00.000Z' });
  assert.deepEqual(events, [[1, 2, 'webhook_endpoint.paused', 'acc_shop', data]]);
});

test('endpoints and their filters need memory while they are not paused, and without one there is no number', async (t) => {
  const { store, admin } = await startApp(t, { pets: [petRow(7n)] });
  assert.equal(await store.webhookMemory(), undefined);
  const [account] = await admin.accounts.list();
  const create = async (petIds: readonly bigint[] | null) => {
    const fields = { ...everything(account?.id ?? ''), petIds };
    return (await admin.webhooks.create(fields, LIMIT, AUTHOR)).endpoint.id;
  };
  const all = await create(null);
  assert.equal(await store.webhookMemory(), BYTES_PER_ENDPOINT);
  const some = await create([7n]);
  const filterBytes = ((await store.webhookMemory()) ?? 0) - 2 * BYTES_PER_ENDPOINT;
  assert.ok(filterBytes >= 16 && filterBytes <= 80, String(filterBytes));
  await admin.webhooks.pause(some, AUTHOR);
  assert.equal(await store.webhookMemory(), BYTES_PER_ENDPOINT);
  await admin.webhooks.pause(all, AUTHOR);
  assert.equal(await store.webhookMemory(), undefined);
});
