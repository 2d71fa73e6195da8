import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemWait, type Wait } from '../../src/webhooks/periodic-task.ts';
import { until } from '../support/until.ts';
import { AUTHOR } from '../webhook-endpoints/endpoint-shop.ts';
import { ok, startReceiver } from './receiver.ts';
import { newSendingShop } from './sending-shop.ts';
import { isSkippedDaily } from '../support/long-test.ts';

/** Times pass a hundred times as fast, and none is long. */
const hurried: Wait = (ms, signal) => systemWait(Math.min(ms / 100, 100), signal);
/** Events of a shop after its first movement. */
const expectedPlaces = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i + 2}.0`);
const changed = { types: ['inventory.changed'] as const };

test('a receiver that fails at random gets each event at least once, in order', async (t) => {
  const shop = await newSendingShop(t);
  const seen: string[] = [];
  let seed = 7;
  const receiver = await startReceiver(t, (response, { place }) => {
    seed = (seed * 48_271) % 2_147_483_647;
    const luck = seed % 5;
    if (luck === 0) return response.writeHead(500).end();
    if (luck === 1) return response.destroy();
    seen.push(place);
    // The event is processed, and the sender does not learn it.
    if (luck === 2) return response.destroy();
    response.writeHead(204).end();
  });
  await shop.subscribe(receiver.url, changed);
  await shop.startSender({ wait: hurried });
  const quantities = Array.from({ length: 40 }, (_, i) => 100 + i);
  await shop.change(1, ...quantities);
  await until(() => new Set(seen).size === quantities.length, 'all events');
  assert.deepEqual([...new Set(seen)], expectedPlaces(quantities.length));
  const bodies = Map.groupBy(receiver.messages(), ({ id }) => id);
  for (const [id, attempts] of bodies) {
    assert.equal(
      new Set(attempts.map(({ body }) => body)).size,
      1,
      `the same bytes in each attempt of ${id}`,
    );
  }
});

test('an endpoint whose secret does not open is skipped and reported, and the others get their events', async (t) => {
  const shop = await newSendingShop(t);
  const receiver = await startReceiver(t, ok);
  await shop.subscribe(receiver.url, changed);
  await shop.database.run("UPDATE webhook_endpoints SET id = 'whe_0000000000000000'");
  await shop.subscribe(receiver.url, changed);
  const { sender, unopened, fatal } = await shop.startSender();
  await until(() => sender.numbers().endpoints.healthy === 1, 'the leases');
  await until(() => unopened.length > 0, 'the report of the damaged one');
  await shop.change(1, 100, 101);
  await until(() => receiver.messages().length === 2, 'both events');
  sender.wake();
  await shop.change(1, 102);
  await until(() => receiver.messages().length === 3, 'the next event');
  assert.deepEqual(
    receiver.messages().map(({ place }) => place),
    expectedPlaces(3),
  );
  assert.deepEqual([unopened, fatal], [['whe_0000000000000000'], []]);
  assert.deepEqual(sender.numbers().endpoints, { healthy: 1, failing: 0, unopened: 1 });
  const damaged = () => shop.store.webhooks.find('whe_0000000000000000');
  const shown = await damaged();
  assert.ok(shown.failingSinceMs !== null && shown.failures === 1, 'the interface shows that it fails');
  await shop.store.webhooks.rotateSecret(shown.id, 0, AUTHOR);
  assert.equal((await damaged()).failures, 0);
  sender.wake();
  await until(() => receiver.messages().length === 6, 'its events, signed with the new secret');
  assert.deepEqual(sender.numbers().endpoints, { healthy: 2, failing: 0, unopened: 0 });
});

test('the age of an event that waits for a retry is known after a restart', async (t) => {
  const shop = await newSendingShop(t);
  const receiver = await startReceiver(t, (response) => response.writeHead(500).end());
  const { endpoint } = await shop.subscribe(receiver.url, changed);
  const before = await shop.startSender({ wait: hurried });
  await shop.change(1, 100);
  // After a few failures the next retry is some seconds away.
  await until(async () => (await shop.store.webhooks.find(endpoint.id)).failures >= 4, 'the failures');
  await before.stop();
  const attempts = receiver.messages().length;
  const { sender } = await shop.startSender();
  await until(() => sender.numbers().lagMs > 0, 'the age of the event');
  assert.equal(receiver.messages().length, attempts, 'without an attempt');
  assert.equal(sender.numbers().behind, 1);
});

test('410 pauses an endpoint, and its resumption continues after the last delivered event', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await newSendingShop(t);
  let isGone = false;
  const receiver = await startReceiver(t, (response) => response.writeHead(isGone ? 410 : 204).end());
  const { endpoint } = await shop.subscribe(receiver.url, changed);
  const other = await startReceiver(t);
  await shop.subscribe(other.url, changed);
  const { sender, paused } = await shop.startSender({ wait: hurried });
  await shop.change(1, 100);
  await until(() => receiver.messages().length === 1, 'the first event');
  isGone = true;
  await shop.change(1, 101);
  await until(() => paused.length === 1, 'a pause');
  assert.deepEqual(paused, [[endpoint.id, 'gone']]);
  const found = await shop.store.webhooks.find(endpoint.id);
  assert.equal(found.pauseReason, 'gone');
  isGone = false;
  await shop.change(1, 102);
  await until(() => other.messages().length === 3, 'the next event at another endpoint');
  assert.equal(receiver.messages().length, 2, 'no attempt while it is paused');
  await shop.store.webhooks.resume(endpoint.id, { actor: 'cli', requestId: null });
  sender.wake();
  await until(() => receiver.messages().length === 4, 'the others');
  assert.deepEqual(
    receiver.messages().map(({ place }) => place),
    ['2.0', '3.0', '3.0', '4.0'],
  );
});

test('an endpoint that fails for three days is paused, and an event says so', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await newSendingShop(t);
  const receiver = await startReceiver(t, (response) => response.writeHead(503).end());
  const { endpoint } = await shop.subscribe(receiver.url, changed);
  let nowMs = Date.now();
  const clocks = { wallMs: () => nowMs, elapsedMs: () => performance.now() };
  let reported = 0;
  // Long pauses pass on the wall clock only. Each ends the lease, and with it what is not reported.
  const wait: Wait = async (ms, signal) => {
    await systemWait(Math.min(ms, 20), signal);
    if (ms <= 10_000) return;
    await until(() => signal.aborted || reported === receiver.messages().length, 'a report');
    nowMs += ms;
  };
  const { paused } = await shop.startSender({
    wait,
    clocks,
    wrap: (store) => ({
      release: (owner) => store.release(owner),
      pause: (pauses) => store.pause(pauses),
      lease: (owner, ms) => store.lease(owner, ms),
      report: async (progress) => {
        const lost = await store.report(progress);
        for (const { attempts } of progress) reported += attempts.length;
        return lost;
      },
    }),
  });
  await shop.change(1, 100);
  await until(() => paused.length === 1, 'a pause');
  assert.deepEqual(paused, [[endpoint.id, 'failing']]);
  const attempts = receiver.messages().length;
  assert.ok(attempts >= 48 && attempts < 100, `${attempts} attempts`);
  const events = await shop.database.rows('SELECT type, account_id FROM events');
  assert.deepEqual(events, [['webhook_endpoint.paused', 'acc_shop']]);
});

test('a replay delivers the events after a position again, with the same bytes', async (t) => {
  const shop = await newSendingShop(t);
  const receiver = await startReceiver(t);
  const { endpoint } = await shop.subscribe(receiver.url, changed);
  const { sender } = await shop.startSender({ wait: hurried });
  await shop.change(1, 100, 101, 102, 103);
  await until(() => receiver.messages().length === 4, 'all events');
  await shop.store.webhooks.replay(
    endpoint.id,
    { sequence: 3, number: 0 },
    { actor: 'cli', requestId: null },
  );
  sender.wake();
  await until(() => receiver.messages().length === 6, 'the events after 3.0');
  const sent = receiver.messages().map(({ id, body }) => ({ id, body }));
  assert.deepEqual(sent.slice(4), sent.slice(2, 4));
});

test('only matching events are delivered, and the cursor passes the others', async (t) => {
  const shop = await newSendingShop(t);
  await shop.change(2, 10);
  const receiver = await startReceiver(t);
  await shop.subscribe(`${receiver.url}/pet`, { petIds: [2n] });
  await shop.subscribe(`${receiver.url}/out`, { types: ['inventory.out', 'inventory.back'] });
  const sold = await shop.subscribe(`${receiver.url}/sold`, { statuses: ['sold'] });
  const { stop } = await shop.startSender();
  await shop.change(1, 100, 0, 50);
  await shop.change(2, 20);
  const placesOf = (path: string) => receiver.messages(path).map(({ place }) => place);
  await until(() => placesOf('/pet').length === 1 && placesOf('/out').length === 2, 'the matching events');
  await stop();
  assert.deepEqual(placesOf('/pet'), ['6.0']);
  assert.deepEqual(placesOf('/out'), ['4.1', '5.1']);
  assert.deepEqual(placesOf('/sold'), []);
  assert.deepEqual((await shop.store.webhooks.find(sold.endpoint.id)).cursor, { sequence: 6, number: 1 });
});
