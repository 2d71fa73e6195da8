import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DeliverySlots, PROMPT_MS } from '../../src/webhooks/queues/delivery-slots.ts';
import { until } from '../support/until.ts';
import { AUTHOR, everything } from '../webhook-endpoints/endpoint-shop.ts';
import { HOSTILE, startHostile } from './delivery/hostile-receiver.ts';
import { ok, startReceiver } from './receiver.ts';
import { newSendingShop } from './sending-shop.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const THOUSAND = 1_000;
const changed = { types: ['inventory.changed'] as const };
const hang = (): Promise<never> => new Promise(() => {});
/** After all that is ready to run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Lets time pass for the timers of a test, which has enabled them. */
async function pass(t: TestContext, ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += 10) {
    t.mock.timers.tick(10);
    await settle();
  }
}

test('receivers that hang delay no other', async (t) => {
  const shop = await newSendingShop(t);
  const hanging = await Promise.all(
    ['never responds', 'sends headers without end', 'sends a byte of the body now and then'].map((name) =>
      startHostile(t, HOSTILE[name] ?? assert.fail(name)),
    ),
  );
  for (let i = 0; i < 18; i += 1) await shop.subscribe(hanging[i % hanging.length] as string, changed);
  const arrivals = new Set<string>();
  const receiver = await startReceiver(t, (response, message) => {
    arrivals.add(message.place);
    ok(response, message);
  });
  await shop.subscribe(receiver.url, changed);
  // What waits for one of them would wait longer than the test.
  await shop.startSender({ timeoutMs: 600_000 });
  for (let i = 0; i < 10; i += 1) {
    await shop.change(1, 100 + i);
    await until(() => arrivals.has(`${i + 2}.0`), 'the event');
  }
});

test('the last of a thousand attempts begins within a second, although none before it ends', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const slots = new DeliverySlots();
  for (let i = 0; i < THOUSAND; i += 1) void slots.run('prompt', hang);
  let hasBegun = false;
  void slots.run('prompt', async () => {
    hasBegun = true;
  });
  await pass(t, 1_000);
  assert.ok(hasBegun);
});

test('an attempt is broken off only where another one waits for its place', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const slots = new DeliverySlots();
  const aborted: number[] = [];
  const attemptOf = (i: number) => (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        aborted.push(i);
        resolve();
      });
    });
  for (let i = 0; i < 256; i += 1) void slots.run('prompt', attemptOf(i));
  await pass(t, 2 * PROMPT_MS);
  assert.deepEqual(aborted, []);
  const waiting = slots.run('prompt', async () => {});
  await pass(t, 2 * PROMPT_MS);
  await waiting;
  assert.deepEqual(aborted, [0], 'the oldest one');
});

test('attempts at the same time are bounded, of each kind', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  for (const { place, most } of [
    { place: 'prompt', most: 256 },
    { place: 'slow', most: 64 },
    { place: 'failed', most: 64 },
  ] as const) {
    const slots = new DeliverySlots();
    let running = 0;
    let mostRunning = 0;
    let ended = 0;
    const ends: (() => void)[] = [];
    const attempt = async (signal: AbortSignal) => {
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      await new Promise<void>((resolve) => {
        ends.push(resolve);
        signal.addEventListener('abort', () => {
          running -= 1;
          resolve();
        });
      });
      if (!signal.aborted) running -= 1;
      ended += 1;
    };
    const all = Array.from({ length: most + 200 }, () => slots.run(place, attempt));
    await pass(t, 1.5 * PROMPT_MS);
    assert.equal(ended > 0, place === 'prompt', 'only the prompt ones make room');
    while (ended < all.length) {
      for (const end of ends.splice(0)) end();
      await settle();
    }
    await Promise.all(all);
    assert.equal(mostRunning, most, place);
  }
});

test('endpoints that failed or were slow before do not take the places of the others', async () => {
  const slots = new DeliverySlots();
  for (let i = 0; i < THOUSAND; i += 1) void slots.run(i % 2 === 0 ? 'failed' : 'slow', hang);
  assert.equal(await slots.run('prompt', async () => 'sent'), 'sent');
});

test('receivers that are slow together receive each event, in order', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await newSendingShop(t);
  // More than there are places. All have a message only after some attempts were broken off.
  const paths = Array.from({ length: 300 }, (_, i) => `/${i}`);
  const seen = new Set<string>();
  const held: (() => void)[] = [];
  const receiver = await startReceiver(t, (response, message) => {
    held.push(() => ok(response, message));
    seen.add(message.path);
    if (seen.size === paths.length) for (const answer of held.splice(0)) answer();
  });
  for (const path of paths) {
    const fields = { ...everything('acc_shop'), ...changed, url: receiver.url + path };
    await shop.store.webhooks.create(fields, paths.length, AUTHOR);
  }
  // An attempt is broken off to make room; the time limit of each, which counts as a failure, is not what ends it.
  await shop.startSender({ timeoutMs: 600_000 });
  await shop.change(1, 101, 102);
  const placesOf = (path: string) => [...new Set(receiver.messages(path).map(({ place }) => place))];
  await until(() => paths.every((path) => placesOf(path).length === 2), 'all events');
  for (const path of paths) assert.deepEqual(placesOf(path), ['2.0', '3.0']);
  assert.ok(receiver.messages().length > 2 * paths.length, 'some attempts were broken off');
  const endpoints = await shop.store.webhooks.list();
  assert.ok(
    endpoints.every(({ failures }) => failures === 0),
    'which is not a failure',
  );
});
