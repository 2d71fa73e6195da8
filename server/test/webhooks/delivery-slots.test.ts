import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeliverySlots } from '../../src/webhooks/queues/delivery-slots.ts';

test('hanging attempts make room again and again', { timeout: 30_000 }, async () => {
  const slots = new DeliverySlots();
  const ended: number[] = [];
  let begun = 0;
  const hang = () => {
    const number = begun;
    begun += 1;
    return slots.run('prompt', (signal) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => {
        ended.push(number);
        resolve();
      });
      return promise;
    });
  };
  for (let places = 0; places < 256; places += 1) void hang();
  for (let round = 1; round <= 2; round += 1) {
    await slots.run('prompt', async () => {});
    assert.equal(ended.length, round, 'one for each that waits');
    void hang();
  }
  assert.deepEqual(ended, [0, 1], 'the oldest first');
});
