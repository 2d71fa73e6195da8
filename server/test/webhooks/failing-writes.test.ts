import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebhookSenderStore } from '../../src/domain/webhooks/webhook-store.ts';
import { systemWait, type Wait } from '../../src/webhooks/periodic-task.ts';
import { until } from '../support/until.ts';
import { AUTHOR, everything } from '../webhook-endpoints/endpoint-shop.ts';
import { startReceiver } from './receiver.ts';
import { newSendingShop } from './sending-shop.ts';
import { testOnceIn } from '../support/test-database.ts';

const once = testOnceIn();

const changed = { types: ['inventory.changed'] as const };
const WRITES = ['lease', 'report', 'pause', 'release'] as const;
/** A task is repeated 250 ms after an error. */
const hurried: Wait = (ms, signal) => systemWait(Math.min(ms / 25, 100), signal);

/** A store whose writes fail as often as `failures` says, before or after they are made. */
function failing(
  store: WebhookSenderStore,
  failures: Map<string, number>,
  isMade: boolean,
): WebhookSenderStore {
  const run = async <T>(name: (typeof WRITES)[number], write: () => Promise<T>): Promise<T> => {
    const left = failures.get(name) ?? 0;
    if (left === 0) return write();
    failures.set(name, left - 1);
    if (isMade) await write();
    throw new Error(`${name} failed`);
  };
  return {
    lease: (owner, ms) => run('lease', () => store.lease(owner, ms)),
    report: (progress) => run('report', () => store.report(progress)),
    pause: (pauses) => run('pause', () => store.pause(pauses)),
    release: (owner) => run('release', () => store.release(owner)),
  };
}

for (const times of [1, 10]) {
  for (const isMade of [false, true]) {
    const what = isMade ? 'takes effect without a response' : 'fails';
    test(`each write of the sender that ${what} ${times} times loses nothing, and leases hold`, async (t) => {
      const shop = await newSendingShop(t);
      const good = await startReceiver(t);
      const gone = await startReceiver(t, (response) => response.writeHead(410).end());
      await shop.subscribe(good.url, changed);
      const damaged = 'whe_0000000000000000';
      await shop.database.run(`UPDATE webhook_endpoints SET id = '${damaged}'`);
      const { endpoint } = await shop.subscribe(good.url, changed);
      const other = (await shop.subscribe(gone.url, changed)).endpoint;
      const failures = new Map(WRITES.map((name) => [name as string, times]));
      const { sender, stop, fatal, unopened } = await shop.startSender({
        wait: hurried,
        // As slow as the waits are hurried: errors that last for five seconds are fatal.
        clocks: { wallMs: () => Date.now(), elapsedMs: () => performance.now() / 25 },
        wrap: (store) => failing(store, failures, isMade),
      });
      await shop.change(1, 100, 101);
      await until(() => good.messages().length === 2, 'both events');
      const row = (id: string) => shop.store.webhooks.find(id);
      await until(async () => (await row(endpoint.id)).cursor.sequence === 3, 'the report');
      await until(async () => (await row(other.id)).pauseReason === 'gone', 'the pause');
      await until(() => failures.get('pause') === 0, 'the last response to a pause');
      await until(async () => (await row(damaged)).failures === 1, 'the endpoint that does not open');
      await until(() => unopened.length === 1, 'its report to the log');
      failures.set('lease', times);
      sender.wake();
      await until(() => failures.get('lease') === 0, 'the renewal');
      failures.set('report', times);
      await shop.change(1, 102);
      await until(() => good.messages().length === 3, 'the event after it');
      assert.deepEqual(
        await shop.database.rows('SELECT max(lease_token), min(lease_token) FROM webhook_endpoints'),
        [[1, 1]],
      );
      await stop();
      assert.deepEqual(fatal, []);
      assert.deepEqual(unopened, [damaged]);
      assert.equal((await row(endpoint.id)).cursor.sequence, 4);
      assert.deepEqual(
        await shop.database.rows('SELECT count(*) FROM webhook_endpoints WHERE lease_owner IS NOT NULL'),
        [[0]],
      );
      assert.deepEqual([...failures.values()], [0, 0, 0, 0]);
      assert.deepEqual(
        good.messages().map(({ place }) => place),
        ['2.0', '3.0', '4.0'],
        'each event one time',
      );
      const events = await shop.database.rows('SELECT type FROM events');
      assert.deepEqual(events, [['webhook_endpoint.paused']]);
    });
  }
}

test('a pause that cannot be written for long ends no delivery to others, and is written later', async (t) => {
  const shop = await newSendingShop(t);
  const good = await startReceiver(t);
  const gone = await startReceiver(t, (response) => response.writeHead(410).end());
  await shop.subscribe(good.url, changed);
  const other = (await shop.subscribe(gone.url, changed)).endpoint;
  let movedMs = 0;
  let refused = 0;
  let isRefused = true;
  const { paused, fatal } = await shop.startSender({
    wait: hurried,
    clocks: { wallMs: () => Date.now(), elapsedMs: () => performance.now() + movedMs },
    wrap: (store) => ({
      ...failing(store, new Map(), false),
      pause: async (pauses) => {
        if (!isRefused) return store.pause(pauses);
        refused += 1;
        movedMs += 1_000;
        throw new Error('too many connections');
      },
    }),
  });
  await shop.change(1, 100);
  await until(() => refused >= 10, 'ten seconds of failures');
  await shop.change(1, 101);
  await until(() => good.messages().length >= 2, 'the next event');
  assert.deepEqual(fatal, []);
  isRefused = false;
  await until(() => paused.length > 0, 'the pause');
  assert.deepEqual(paused[0], [other.id, 'gone']);
});

once('many endpoints that are paused together are paused in portions', async (t) => {
  const shop = await newSendingShop(t);
  const gone = await startReceiver(t, (response) => response.writeHead(410).end());
  const count = 120;
  for (let i = 0; i < count; i += 1) {
    const fields = { ...everything('acc_shop'), ...changed, url: gone.url };
    await shop.store.webhooks.create(fields, count, AUTHOR);
  }
  const portions: number[] = [];
  const { paused } = await shop.startSender({
    wrap: (store) => ({
      release: (owner) => store.release(owner),
      report: (progress) => store.report(progress),
      lease: (owner, ms, onlyOwn) => store.lease(owner, ms, onlyOwn),
      pause: (pauses) => {
        portions.push(pauses.length);
        return store.pause(pauses);
      },
    }),
  });
  await shop.change(1, 5);
  await until(() => paused.length === count, 'all pauses');
  assert.equal(new Set(paused.map(([id]) => id)).size, count);
  assert.ok(Math.max(...portions) <= 50, String(portions));
});
