import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { DeliverySlots } from '../../src/webhooks/delivery-slots.ts';
import { until } from '../support/until.ts';
import { HOSTILE, startHostile } from './hostile-receiver.ts';
import { ok, startReceiver } from './receiver.ts';
import { newSendingShop } from './sending-shop.ts';

const THOUSAND = 1_000;
const changed = { types: ['inventory.changed'] as const };
const hang = (): Promise<never> => new Promise(() => {});

test('receivers that hang again and again delay no other by more than a second', async (t) => {
  const shop = await newSendingShop(t);
  const hanging = await Promise.all(
    ['never responds', 'sends headers without end', 'sends a byte of the body now and then'].map((name) =>
      startHostile(t, HOSTILE[name] ?? assert.fail(name)),
    ),
  );
  for (let i = 0; i < 18; i += 1) await shop.subscribe(hanging[i % hanging.length] as string, changed);
  const arrivals = new Map<string, number>();
  const receiver = await startReceiver(t, (response, message) => {
    arrivals.set(message.id, message.atMs);
    ok(response, message);
  });
  await shop.subscribe(receiver.url, changed);
  await shop.startSender();
  await delay(300);
  for (let i = 0; i < 10; i += 1) {
    await shop.change(1, 100 + i);
    const changedAtMs = performance.now();
    await until(() => arrivals.has(`${i + 2}.0`), 'the event');
    const delayMs = (arrivals.get(`${i + 2}.0`) ?? 0) - changedAtMs;
    assert.ok(delayMs < 1_000, `${delayMs} ms`);
  }
});

test('the last of a thousand attempts begins within a second, although none before it ends', async () => {
  const slots = new DeliverySlots();
  const beganAtMs = performance.now();
  for (let i = 0; i < THOUSAND; i += 1) void slots.run(false, hang);
  await slots.run(false, async () => {});
  assert.ok(performance.now() - beganAtMs < 1_000);
});

test('attempts at the same time are bounded, those that hang and those that failed before', async () => {
  for (const { isSuspect, most } of [
    { isSuspect: false, most: 1_280 },
    { isSuspect: true, most: 128 },
  ]) {
    const slots = new DeliverySlots();
    let count = 0;
    const ends: (() => void)[] = [];
    const attempt = () => {
      count += 1;
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    const all = Array.from({ length: most + 200 }, () => slots.run(isSuspect, attempt));
    await until(() => count === most, 'as many as may run');
    await delay(300);
    assert.equal(count, most);
    while (count < all.length || ends.length > 0) {
      for (const end of ends.splice(0)) end();
      await delay(1);
    }
    await Promise.all(all);
  }
});

test('endpoints that failed before do not take the places of the others', async () => {
  const slots = new DeliverySlots();
  for (let i = 0; i < THOUSAND; i += 1) void slots.run(true, hang);
  assert.equal(await slots.run(false, async () => 'sent'), 'sent');
});
