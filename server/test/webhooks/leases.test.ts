import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LEASE_MS, LeaseClock } from '../../src/webhooks/lease-clock.ts';
import { systemWait } from '../../src/webhooks/periodic-task.ts';
import { until } from '../support/until.ts';
import { AUTHOR } from '../webhook-endpoints/endpoint-shop.ts';
import { ok, type Received, startReceiver } from './receiver.ts';
import { newSendingShop } from './sending-shop.ts';
import { isSkippedDaily } from '../support/long-test.ts';

/** For which a stop waits for all attempts in progress. */
const STOP_MS = 3_000;
/** Between two renewals. */
const RENEW_MS = 5_000;
const changed = { types: ['inventory.changed'] as const };

test('a lease is over by the clock that passes faster, and a clock that is set back extends nothing', () => {
  const now = { machineMs: 1_000_000, elapsedMs: 500 };
  const lease = new LeaseClock({ machineMs: () => now.machineMs, elapsedMs: () => now.elapsedMs });
  assert.equal(lease.leftMs(), 0, 'no lease yet');
  const granted = lease.begin();
  now.elapsedMs += 2_000;
  granted();
  const leftMs = lease.leftMs();
  assert.ok(leftMs > 0 && leftMs < LEASE_MS - 2_000, 'the time of the request counts');
  now.machineMs -= 3_600_000;
  assert.equal(lease.leftMs(), leftMs);
  now.elapsedMs += LEASE_MS;
  assert.equal(lease.leftMs(), 0);
  lease.begin()();
  now.machineMs += LEASE_MS;
  assert.equal(lease.leftMs(), 0, 'a machine that was suspended');
});

test('a sender stops when the lease may be over by its clock, and continues after a renewal', async (t) => {
  const shop = await newSendingShop(t);
  const receiver = await startReceiver(t);
  const { endpoint } = await shop.subscribe(receiver.url, changed);
  const cursor = async () => (await shop.store.webhooks.find(endpoint.id)).cursor.sequence;
  let isCut = false;
  let jumpMs = 0;
  const seen = { refusals: 0, looks: 0 };
  const { sender } = await shop.startSender({
    clocks: { wallMs: () => Date.now(), elapsedMs: () => performance.now() + jumpMs },
    wrap: (store) => ({
      release: (owner) => store.release(owner),
      pause: (pauses) => store.pause(pauses),
      report: (progress) => store.report(progress),
      lease: (owner, ms, onlyOwn) => {
        if (!isCut) return store.lease(owner, ms, onlyOwn);
        seen.refusals += 1;
        return Promise.reject(new Error('no connection'));
      },
    }),
    wrapReads: (client) => ({
      all: (sql, values) => client.all(sql, values),
      read: (statement, values) => {
        seen.looks += 1;
        return client.read(statement, values);
      },
    }),
  });
  await shop.change(1, 100);
  await until(() => receiver.messages().length === 1, 'the first event');
  await until(async () => (await cursor()) === 2, 'its report');
  isCut = true;
  jumpMs += LEASE_MS;
  await until(() => sender.numbers().endpoints.healthy === 0, 'the end of the lease');
  await shop.change(1, 101);
  const { refusals, looks } = seen;
  // Each look for events reads the newest position, and then what is new.
  await until(() => seen.refusals > refusals + 1 && seen.looks > looks + 5, 'looks for events and leases');
  assert.equal(receiver.messages().length, 1, 'nothing is sent without a lease');
  isCut = false;
  sender.wake();
  await until(() => receiver.messages().length === 2, 'the second event');
  assert.deepEqual(
    receiver.messages().map(({ place }) => place),
    ['2.0', '3.0'],
  );
});

test('an attempt begins only with a lease, also before anything else has noticed its end', async (t) => {
  const shop = await newSendingShop(t);
  const receiver = await startReceiver(t);
  await shop.subscribe(receiver.url, changed);
  let jumpMs = 0;
  const { sender } = await shop.startSender({
    clocks: { wallMs: () => Date.now(), elapsedMs: () => performance.now() + jumpMs },
    // Only the look for new events goes on, as where a machine continues after it was suspended.
    wait: (ms, signal) =>
      ms < 250
        ? systemWait(ms, signal)
        : new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  });
  await shop.change(1, 100);
  await until(() => receiver.messages().length === 1, 'the first event');
  jumpMs += LEASE_MS;
  await shop.change(1, 101);
  const isOver = () => sender.numbers().endpoints.healthy === 0;
  await until(() => isOver() || receiver.messages().length > 1, 'the end of the queue');
  assert.equal(receiver.messages().length, 1);
});

test('a sender that lost its endpoint to another one writes nothing, and sends nothing more', async (t) => {
  const shop = await newSendingShop(t);
  const first = await startReceiver(t);
  const { endpoint } = await shop.subscribe(first.url, changed);
  const one = await shop.startSender({ owner: 'one' });
  await shop.change(1, 100);
  await until(() => first.messages().length === 1, 'the first event');
  const cursor = async () => (await shop.store.webhooks.find(endpoint.id)).cursor;
  await until(async () => (await cursor()).sequence === 2, 'its report');
  // As if the lease had passed while the first sender was not running.
  await shop.database.run('UPDATE webhook_endpoints SET lease_until = 1');
  const two = await shop.startSender({ owner: 'two' });
  await shop.change(1, 101, 102, 103);
  await until(() => new Set(first.messages().map(({ id }) => id)).size === 4, 'all events');
  await until(() => one.sender.numbers().endpoints.healthy === 0, 'the first sender gives up');
  await until(async () => (await cursor()).sequence === 5, 'the second sender has delivered all');
  await two.stop();
  assert.deepEqual(await cursor(), { sequence: 5, number: 1 });
  assert.deepEqual(one.fatal, []);
});

test('a lease that was read before a change brings the settings from before not back', async (t) => {
  const shop = await newSendingShop(t);
  const [first, second] = [await startReceiver(t), await startReceiver(t)];
  const { endpoint } = await shop.subscribe(first.url, changed);
  const read = Promise.withResolvers<void>();
  let held: Promise<void> | undefined;
  const { sender, fatal } = await shop.startSender({
    wrap: (store) => ({
      release: (owner) => store.release(owner),
      pause: (pauses) => store.pause(pauses),
      report: (progress) => store.report(progress),
      lease: async (owner, ms, onlyOwn) => {
        const leases = await store.lease(owner, ms, onlyOwn);
        if (!held) return leases;
        read.resolve();
        await held;
        return leases;
      },
    }),
  });
  await shop.change(1, 100);
  await until(() => first.messages().length === 1, 'the first event');
  const lease = Promise.withResolvers<void>();
  held = lease.promise;
  t.after(() => lease.resolve());
  sender.wake();
  await read.promise;
  await shop.store.webhooks.update(endpoint.id, { url: second.url }, AUTHOR);
  await shop.change(1, 101);
  // Its report is refused, because the change came first.
  await until(() => sender.numbers().endpoints.healthy === 0, 'the end of the queue');
  const sent = first.messages().length;
  held = undefined;
  lease.resolve();
  await until(() => second.messages().some(({ place }) => place === '3.0'), 'the event at its new receiver');
  assert.equal(first.messages().length, sent);
  assert.deepEqual(fatal, []);
});

test('a stop gives the leases back, and another sender continues without a repetition', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await newSendingShop(t);
  const receiver = await startReceiver(t, (response) => setTimeout(() => response.writeHead(204).end(), 20));
  const { endpoint } = await shop.subscribe(receiver.url, changed);
  const one = await shop.startSender({ owner: 'one' });
  await shop.change(1, ...Array.from({ length: 30 }, (_, i) => 100 + i));
  await until(() => receiver.messages().length >= 5, 'some events');
  await one.stop();
  const two = await shop.startSender({ owner: 'two' });
  const cursor = async () => (await shop.store.webhooks.find(endpoint.id)).cursor.sequence;
  await until(async () => (await cursor()) === 31, 'the report of all events');
  await two.stop();
  assert.deepEqual(
    receiver.messages().map(({ place }) => place),
    Array.from({ length: 30 }, (_, i) => `${i + 2}.0`),
  );
});

test('a stop with time left waits for an attempt that has not failed before, and cuts one to a failing receiver', async (t) => {
  const shop = await newSendingShop(t);
  let answer = () => {};
  const slow = await startReceiver(t, (response) => {
    answer = () => ok(response, slow.messages()[0] as Received);
  });
  let isBrokenOff = false;
  const failing = await startReceiver(t, (response) => {
    if (failing.messages().length === 1) return response.writeHead(500).end();
    response.once('close', () => {
      isBrokenOff = true;
    });
  });
  const { endpoint } = await shop.subscribe(slow.url, changed);
  await shop.subscribe(failing.url, changed);
  // Before the sender, which would report another position if it read the first movement alone.
  await shop.change(1, 100, 101);
  const { stop } = await shop.startSender({
    // Longer than the test waits.
    timeoutMs: 600_000,
    wait: (ms, signal) => systemWait(ms === STOP_MS ? 0 : ms, signal),
  });
  await until(() => failing.messages().length === 2, 'the attempt that hangs');
  await until(() => slow.messages().length === 1, 'the attempt that takes long');
  const stopping = stop(600_000);
  await until(() => isBrokenOff, 'the end of the attempt that hangs');
  answer();
  await stopping;
  assert.equal(slow.messages().length, 1, 'no further attempt began');
  const { cursor } = await shop.store.webhooks.find(endpoint.id);
  assert.deepEqual(cursor, { sequence: 2, number: 0 }, 'it was reported');
});

test('a stop that waits for the database ends attempts in progress, because the leases end meanwhile', async (t) => {
  const [waiting, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // Before the shop, which stops its sender after the test.
  t.after(() => held.resolve());
  const shop = await newSendingShop(t);
  const receiver = await startReceiver(t);
  let isBrokenOff = false;
  const hanging = await startReceiver(t, (response) => {
    response.once('close', () => {
      isBrokenOff = true;
    });
  });
  for (const { url } of [receiver, hanging]) await shop.subscribe(url, changed);
  const { stop } = await shop.startSender({
    // Longer than the test waits.
    timeoutMs: 600_000,
    wait: (ms, signal) => systemWait(ms === STOP_MS ? 0 : ms, signal),
    wrap: (store) => ({
      release: (owner) => store.release(owner),
      pause: (pauses) => store.pause(pauses),
      lease: (owner, ms, onlyOwn) => store.lease(owner, ms, onlyOwn),
      report: async (progress) => {
        waiting.resolve();
        await held.promise;
        return store.report(progress);
      },
    }),
  });
  await shop.change(1, 5);
  await until(() => hanging.messages().length === 1, 'the attempt that hangs');
  await waiting.promise;
  let hasStopped = false;
  const stopping = stop().then(() => {
    hasStopped = true;
  });
  await until(() => isBrokenOff, 'the end of the attempt');
  assert.equal(hasStopped, false);
  held.resolve();
  await stopping;
});

test('a stop that waits for an attempt renews its leases, and takes no others', async (t) => {
  let answer = () => {};
  // Before the shop, whose stop waits for the attempt.
  t.after(() => answer());
  const shop = await newSendingShop(t);
  let isBrokenOff = false;
  const slow = await startReceiver(t, (response) => {
    answer = () => {
      answer = () => {};
      ok(response, slow.messages()[0] as Received);
    };
    response.once('close', () => {
      isBrokenOff = !response.writableEnded;
    });
  });
  await shop.subscribe(slow.url, changed);
  let jumpMs = 0;
  let renewals = 0;
  let isStopping = false;
  const { sender, stop } = await shop.startSender({
    owner: 'one',
    timeoutMs: 600_000,
    clocks: { wallMs: () => Date.now(), elapsedMs: () => performance.now() + jumpMs },
    // The stop waits as long as the test, and the time between two renewals is short.
    wait: (ms, signal) => systemWait(ms === RENEW_MS ? 50 : ms === STOP_MS ? 0 : ms, signal),
    wrap: (store) => ({
      release: (owner) => store.release(owner),
      pause: (pauses) => store.pause(pauses),
      report: (progress) => store.report(progress),
      lease: async (owner, ms, onlyOwn) => {
        const leases = await store.lease(owner, ms, onlyOwn);
        if (isStopping) renewals += 1;
        return leases;
      },
    }),
  });
  await shop.change(1, 5);
  await until(() => slow.messages().length === 1, 'the attempt that takes long');
  const stopping = stop(600_000);
  isStopping = true;
  const other = await startReceiver(t);
  const { endpoint } = await shop.subscribe(other.url, changed);
  for (let rounds = 0; rounds < 3; rounds += 1) {
    const before = renewals;
    // The second renewal began after the first one ended.
    await until(() => renewals > before + 1, 'a renewal');
    jumpMs += LEASE_MS - 5_000;
  }
  const [[owner] = []] = await shop.database.rows(
    `SELECT lease_owner FROM webhook_endpoints WHERE id = '${endpoint.id}'`,
  );
  assert.equal(owner, null, 'a new endpoint is left to other senders');
  assert.equal(isBrokenOff, false);
  assert.equal(sender.numbers().endpoints.healthy, 1);
  answer();
  await stopping;
  assert.equal(isBrokenOff, false);
  assert.equal(slow.messages().length, 1);
});
