import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import { AUTHOR, everything } from '../webhook-endpoints/endpoint-shop.ts';
import { ok, startReceiver } from './receiver.ts';
import { newSendingShop } from './sending-shop.ts';

const THOUSAND = 1_000;
const ROUNDS = 3;
const MAX_DELAY_MS = 1_000;

test('a thousand receivers that begin to hang together delay another one by less than a second', async (t) => {
  const shop = await newSendingShop(t);
  let isHanging = false;
  const hanging = await startReceiver(t, (response, message) => {
    if (!isHanging) ok(response, message);
  });
  const receiver = await startReceiver(t);
  for (let i = 0; i <= THOUSAND; i += 1) {
    const url = i === THOUSAND / 2 ? receiver.url : hanging.url;
    const fields = { ...everything('acc_shop'), types: ['inventory.changed'] as const, url };
    await shop.store.webhooks.create(fields, THOUSAND + 1, AUTHOR);
  }
  const { sender } = await shop.startSender();
  await until(() => sender.numbers().endpoints.healthy > THOUSAND, 'the leases');
  let quantity = 100;
  const delayMs = async (): Promise<number> => {
    const count = receiver.messages().length;
    quantity += 1;
    await shop.change(1, quantity);
    const changedAtMs = performance.now();
    await until(() => receiver.messages().length > count, 'the event');
    return (receiver.messages()[count]?.atMs ?? 0) - changedAtMs;
  };
  const healthyMs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    healthyMs.push(await delayMs());
    // An event can arrive twice, because the sender shares this thread with the receivers.
    await until(() => hanging.messages().length >= (round + 1) * THOUSAND, 'all deliveries');
  }
  isHanging = true;
  const firstMs = await delayMs();
  const secondMs = await delayMs();
  t.diagnostic(
    `healthy ${healthyMs.map(Math.round)} ms, hanging ${Math.round(firstMs)} and ${Math.round(secondMs)} ms`,
  );
  assert.ok(firstMs < MAX_DELAY_MS, `${firstMs} ms`);
  assert.ok(secondMs < MAX_DELAY_MS, `${secondMs} ms while all of them hang`);
});
