import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { SenderThread } from '../../../src/webhooks/sender-thread.ts';
import { until } from '../../support/until.ts';
import { startReceiver } from '../receiver.ts';
import { newSendingShop } from '../sending-shop.ts';
import { startSendingThread } from './sending-thread.ts';

test('a sending thread that crashes is followed by one that continues after the last delivered event', async (t) => {
  const shop = await newSendingShop(t);
  const receiver = await startReceiver(t);
  const { endpoint } = await shop.subscribe(receiver.url);
  const cursor = async () => (await shop.store.webhooks.find(endpoint.id)).cursor;
  const thread = startSendingThread(t, shop.database.url);
  await shop.change(1, 100, 101);
  await until(async () => (await cursor()).sequence === 3, 'the report of both events');
  await until(() => thread.numbers()?.endpoints.healthy === 1, 'the numbers of the thread');
  await shop.database.run('ALTER TABLE webhook_endpoints RENAME TO hidden');
  await until(() => thread.failures.length > 0, 'the end of the thread');
  assert.match(String(thread.failures[0]), /webhook_endpoints/);
  assert.equal(thread.numbers(), undefined, 'the metrics show no thread');
  await shop.change(1, 102);
  await shop.database.run('ALTER TABLE hidden RENAME TO webhook_endpoints');
  await until(() => receiver.messages().length === 3, 'the next event');
  assert.deepEqual(
    receiver.messages().map(({ place }) => place),
    ['2.0', '3.0', '4.0'],
  );
  await until(() => thread.numbers()?.endpoints.healthy === 1, 'the numbers of the new thread');
});

test('a sending thread that is restarted has not failed, and the next one continues', async (t) => {
  const shop = await newSendingShop(t);
  const receiver = await startReceiver(t);
  await shop.subscribe(receiver.url);
  const thread = startSendingThread(t, shop.database.url);
  await until(() => thread.numbers()?.endpoints.healthy === 1, 'the numbers of the thread');
  thread.restart();
  await until(() => thread.numbers() === undefined, 'the end of the thread');
  await shop.change(1, 100);
  await until(() => receiver.messages().length > 0, 'the next event');
  assert.deepEqual(thread.failures, []);
});

test('the sending thread gives way to other threads', { skip: process.platform !== 'linux' }, async (t) => {
  const shop = await newSendingShop(t);
  const receiver = await startReceiver(t);
  await shop.subscribe(receiver.url);
  const thread = startSendingThread(t, shop.database.url);
  await until(() => thread.numbers()?.endpoints.healthy === 1, 'the numbers of the thread');
  const nice = readdirSync('/proc/self/task').map((name) => getPriority(Number(name)));
  // A thread that the engine starts for this one has its priority.
  assert.deepEqual(
    [...new Set(nice.filter((value) => value > getPriority()))],
    [Math.min(getPriority() + 5, 19)],
  );
});

test('a look for endpoints that throws immediately or later ends nothing, and is repeated', async (t) => {
  const ignore = () => undefined;
  const looks = [
    () => {
      throw new Error('disk I/O error');
    },
    () => Promise.reject(new Error('disk I/O error')),
  ];
  const failures: unknown[] = [];
  const thread = new SenderThread({
    data: { url: '', pepper: new Uint8Array(), owner: 'test', networks: [], version: '1.0.0' },
    endpointBytes: () => looks.shift()?.(),
    onNumbers: ignore,
    onPaused: ignore,
    onUnopened: ignore,
    onEndpointError: ignore,
    onError: (_, cause) => failures.push(cause),
  });
  t.after(() => thread.close());
  thread.start();
  await until(() => {
    thread.wake();
    return looks.length === 0;
  }, 'both looks');
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(failures, []);
});
