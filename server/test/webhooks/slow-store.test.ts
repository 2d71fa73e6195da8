import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EndpointProgress, WebhookSenderStore } from '../../src/domain/webhooks/webhook-store.ts';
import { isPostgres, openAdminEngine } from '../../src/store/open-engine.ts';
import { systemWait } from '../../src/webhooks/periodic-task.ts';
import { ProgressReports } from '../../src/webhooks/progress-reports.ts';
import { petRow } from '../support/command-line.ts';
import { until } from '../support/until.ts';
import { AUTHOR } from '../webhook-endpoints/endpoint-shop.ts';
import { ok, startReceiver } from './receiver.ts';
import { newSendingShop, type SendingShop } from './sending-shop.ts';
import { isSkippedDaily } from '../support/long-test.ts';
import { testOnceIn } from '../support/test-database.ts';

const once = testOnceIn();

const changed = { types: ['inventory.changed'] as const };
const RENEWAL_MS = 5_000;
const REPORT_MS = 250;
const ATTEMPT: EndpointProgress['attempts'][number] = {
  eventId: '2.0',
  eventType: 'inventory.changed',
  attempt: 1,
  attemptedAtMs: 5,
  durationMs: 6,
  statusCode: 204,
  error: null,
  errorCode: null,
  errorDetail: null,
  response: '',
};
const placesOf = (messages: readonly { readonly place: string }[]) => messages.map(({ place }) => place);

/** The store with a step before and after each write that a test chooses. */
function wrapped(
  steps: Partial<
    Record<'lease' | 'report' | 'pause' | 'release', <T>(write: () => Promise<T>) => Promise<T>>
  >,
): (store: WebhookSenderStore) => WebhookSenderStore {
  const directly = <T>(write: () => Promise<T>) => write();
  const { lease = directly, report = directly, pause = directly, release = directly } = steps;
  return (store) => ({
    release: (owner) => release(() => store.release(owner)),
    lease: (owner, ms) => lease(() => store.lease(owner, ms)),
    report: (progress) => report(() => store.report(progress)),
    pause: (pauses) => pause(() => store.pause(pauses)),
  });
}

/** Clocks that a test moves forward. */
function movableClocks() {
  const moved = { ms: 0 };
  const clocks = { wallMs: () => Date.now(), elapsedMs: () => performance.now() + moved.ms };
  return { moved, clocks };
}

/** Another process holds the ledger, as an import does, until the result is called. */
async function holdLedger(shop: SendingShop): Promise<() => Promise<void>> {
  const engine = await openAdminEngine(shop.database.url);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held = Promise.withResolvers<void>();
  const holding = engine.transaction(async () => {
    await engine.lockLedger();
    held.resolve();
    await released;
  });
  await held.promise;
  return async () => {
    release();
    await holding;
    await engine.close();
  };
}

test('a report writes what was pending at its start, in small transactions, and repeats what failed', async () => {
  const written: string[][] = [];
  const attempts: number[] = [];
  const lost: string[] = [];
  let isFailing = true;
  const reports = new ProgressReports({
    store: {
      report: async (progress) => {
        written.push(progress.map(({ id }) => id));
        attempts.push(progress.flatMap((one) => one.attempts).length);
        // Deliveries go on during each write.
        for (const queue of queues) reports.add(queue);
        if (isFailing) throw new Error('no connection');
        return progress.flatMap(({ id }) => (id === '7' ? [id] : []));
      },
    },
    onLost: ({ id }) => lost.push(id),
  });
  const cursor = { sequence: 1, number: 0 };
  const queues = Array.from({ length: 250 }, (_, i) => ({
    id: String(i),
    takeProgress: () => ({
      ...{ id: String(i), token: 1, cursor, failingSinceMs: null, failures: 0, retryAtMs: null },
      attempts: i < 150 ? [] : Array.from({ length: 100 }, () => ATTEMPT),
    }),
  }));
  for (const queue of queues) reports.add(queue);
  await assert.rejects(reports.write(), /no connection/);
  isFailing = false;
  await reports.write();
  const ids = queues.map((_, i) => String(i));
  assert.deepEqual(written[1], written[0], 'the same again');
  assert.deepEqual(written.slice(1).flat().slice(0, 250), ids, 'the longest pending first');
  assert.ok(written.flat().length <= 100 + 100 + 250, 'and no more than was pending');
  assert.ok(written.every(({ length }, i) => length <= 100 && (attempts[i] ?? 0) < 600));
  assert.deepEqual([...new Set(lost)], ['7']);
});

once('leases are renewed while there is progress again whenever a report ends', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await newSendingShop(t);
  const held: (() => void)[] = [];
  let isHeld = true;
  const receiver = await startReceiver(t, (response, message) => {
    if (isHeld) held.push(() => ok(response, message));
    else ok(response, message);
  });
  const answer = () => {
    for (const one of held.splice(0)) one();
  };
  const paths = ['/a', '/b'];
  for (const path of paths) await shop.subscribe(receiver.url + path, changed);
  const events = Array.from({ length: 120 }, (_, i) => petRow(i + 2));
  await shop.store.importPets(events, 'test');
  const { moved, clocks } = movableClocks();
  const healthy: number[] = [];
  const { sender, stop } = await shop.startSender({
    clocks,
    wait: (ms, signal) => systemWait(ms === REPORT_MS ? 1 : ms, signal),
    wrap: wrapped({
      report: async (write) => {
        const lost = await write();
        if (!isHeld) return lost;
        const { endpoints, results } = sender.numbers();
        await until(() => {
          answer();
          return endpoints.healthy === 0 || sender.numbers().results.delivered > results.delivered;
        }, 'another delivery');
        healthy.push(endpoints.healthy);
        moved.ms += 1_000;
        // As often as leases are renewed.
        if (healthy.length % 5 === 0) sender.wake();
        return lost;
      },
    }),
  });
  await until(() => held.length === paths.length, 'the first attempts');
  answer();
  await until(() => healthy.length >= 20, 'slow reports for longer than a lease');
  isHeld = false;
  answer();
  await until(() => paths.every((path) => receiver.messages(path).length >= events.length), 'all events');
  await stop();
  assert.deepEqual([...new Set(healthy)], [paths.length], 'no queue is dropped');
  for (const path of paths) {
    const expected = events.map((_, i) => `${i + 2}.0`);
    assert.deepEqual(placesOf(receiver.messages(path)), expected);
  }
});

test('an endpoint that is gone delays no other one, although the ledger is held for a minute', async (t) => {
  const shop = await newSendingShop(t);
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const good = await startReceiver(t, (response, message) => void held.then(() => ok(response, message)));
  const gone = await startReceiver(t, (response) => void held.then(() => response.writeHead(410).end()));
  const { endpoint } = await shop.subscribe(good.url, changed);
  const other = await shop.subscribe(gone.url, changed);
  const { moved, clocks } = movableClocks();
  let leases = 0;
  const { sender, paused, stop } = await shop.startSender({
    clocks,
    wrap: wrapped({
      lease: async (write) => {
        const leased = await write();
        leases += 1;
        return leased;
      },
    }),
  });
  await shop.change(1, 5);
  await until(() => good.messages().length + gone.messages().length === 2, 'both attempts');
  const release = await holdLedger(shop);
  answer();
  if (isPostgres(shop.database.url)) {
    const cursor = async () => (await shop.store.webhooks.find(endpoint.id)).cursor.sequence;
    await until(async () => (await cursor()) === 2, 'the progress of the healthy endpoint');
    for (let passedMs = 0; passedMs < 60_000; passedMs += RENEWAL_MS) {
      const before = leases;
      moved.ms += RENEWAL_MS;
      sender.wake();
      await until(() => leases > before, 'a renewal');
    }
  } else {
    // The whole file is held. Nothing can be written, so sending stops at the end of the leases, and nothing is forgotten.
    await until(() => sender.numbers().results.delivered === 1, 'the delivery');
    moved.ms += 60_000;
    await until(() => sender.numbers().endpoints.healthy === 0, 'the end of the leases');
  }
  assert.deepEqual(paused, []);
  await release();
  await until(() => paused.length === 1, 'the pause');
  assert.deepEqual(paused, [[other.endpoint.id, 'gone']]);
  sender.wake();
  await shop.change(1, 6);
  await until(() => good.messages().length >= 2, 'the next event');
  await stop();
  assert.deepEqual(placesOf(good.messages()), ['2.0', '3.0']);
  assert.deepEqual(placesOf(gone.messages()), ['2.0']);
});

once('an event that comes after an endpoint was paused does not count as delivered', async (t) => {
  const shop = await newSendingShop(t);
  const receiver = await startReceiver(t);
  const { endpoint } = await shop.subscribe(receiver.url, changed);
  await shop.subscribe(receiver.url, changed);
  let reporting = Promise.resolve();
  const { sender } = await shop.startSender({
    wrap: wrapped({ report: (write) => reporting.then(write) }),
  });
  await until(() => sender.numbers().endpoints.healthy === 2, 'the leases');
  let report = () => {};
  reporting = new Promise((resolve) => {
    report = resolve;
  });
  await shop.change(1, 5);
  await until(() => receiver.messages().length === 2, 'the first event');
  await until(() => sender.numbers().results.delivered === 2, 'its deliveries');
  await shop.store.webhooks.pause(endpoint.id, AUTHOR);
  sender.wake();
  await until(() => sender.numbers().endpoints.healthy === 1, 'the end of its queue');
  await shop.change(1, 6);
  await until(() => receiver.messages().length === 3, 'the second event at the other endpoint');
  report();
  await until(async () => (await shop.store.webhooks.find(endpoint.id)).cursor.sequence >= 2, 'the report');
  await shop.store.webhooks.resume(endpoint.id, AUTHOR);
  sender.wake();
  await until(() => receiver.messages().length === 4, 'the second event');
  assert.deepEqual(placesOf(receiver.messages()), ['2.0', '2.0', '3.0', '3.0']);
});

once('a stop gives the leases back while a pause still waits for the ledger', async (t) => {
  const [waiting, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // Before the shop, which stops its sender after the test.
  t.after(() => held.resolve());
  const shop = await newSendingShop(t);
  const gone = await startReceiver(t, (response) => response.writeHead(410).end());
  const { endpoint } = await shop.subscribe(gone.url, changed);
  let isReleased = false;
  const { paused, stop } = await shop.startSender({
    wrap: wrapped({
      pause: async (write) => {
        waiting.resolve();
        await held.promise;
        return write();
      },
      release: async (write) => {
        const result = await write();
        isReleased = true;
        return result;
      },
    }),
  });
  await shop.change(1, 5);
  await waiting.promise;
  const stopping = stop();
  await until(() => isReleased, 'the end of the leases');
  held.resolve();
  await stopping;
  assert.deepEqual(paused, [[endpoint.id, 'gone']]);
});

test('what was delivered is written before its endpoints are read again after the leases', async (t) => {
  const shop = await newSendingShop(t);
  const receiver = await startReceiver(t);
  await shop.subscribe(receiver.url, changed);
  const { moved, clocks } = movableClocks();
  let leases = 0;
  const { sender, stop } = await shop.startSender({
    clocks,
    // The timer of the reports never ends.
    wait: (ms, signal) => systemWait(ms === REPORT_MS ? 3_600_000 : ms, signal),
    wrap: wrapped({
      lease: (write) => {
        leases += 1;
        return write();
      },
    }),
  });
  await until(() => sender.numbers().endpoints.healthy === 1, 'the lease');
  await shop.change(1, 5);
  await until(() => sender.numbers().results.delivered === 1, 'the delivery');
  const before = leases;
  moved.ms += 60_000;
  sender.wake();
  await until(() => leases > before, 'the next lease');
  await shop.change(1, 6);
  await until(() => placesOf(receiver.messages()).includes('3.0'), 'the next event');
  await stop();
  assert.deepEqual(placesOf(receiver.messages()), ['2.0', '3.0']);
});
