import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { until } from '../support/until.ts';
import { startReceiver } from './receiver.ts';
import { newSendingShop } from './sending-shop.ts';

test('an event arrives once, signed, with the bytes of its movement', async (t) => {
  const shop = await newSendingShop(t);
  const receiver = await startReceiver(t);
  const { endpoint, secret } = await shop.subscribe(`${receiver.url}/a?b=c`);
  const { stop } = await shop.startSender();
  await shop.change(1, 7, 8);
  await until(() => receiver.messages().length === 2, 'two messages');
  const [first, second] = receiver.messages();
  assert.ok(first && second);
  assert.deepEqual([first.place, second.place], ['2.0', '3.0']);
  assert.equal(first.path, '/a?b=c');
  assert.equal(first.headers['content-type'], 'application/json');
  assert.equal(first.headers['user-agent'], 'petstore-inventory/1.0.0');
  assert.equal(first.headers.traceparent, undefined, 'without traces');
  const message = JSON.parse(first.body);
  assert.deepEqual(Object.keys(message), ['id', 'type', 'timestamp', 'data']);
  assert.equal(message.id, first.id);
  assert.equal(first.id, `2.0-${message.data.hash.slice(0, 8)}`);
  assert.equal(message.type, 'inventory.changed');
  assert.equal(message.data.sequence, 2);
  assert.equal(message.data.quantityAfter, 7);
  assert.equal(message.timestamp, message.data.recordedAt);
  for (const { body, headers } of [first, second]) {
    assert.ok(new Webhook(secret).verify(body, headers as Record<string, string>));
  }
  await stop();
  const found = await shop.store.webhooks.find(endpoint.id);
  assert.deepEqual(found.cursor, { sequence: 3, number: 1 });
  const attempts = await shop.store.webhooks.attempts(endpoint.id);
  assert.deepEqual(
    attempts.map(({ eventId, statusCode, error, attempt }) => [eventId, statusCode, error, attempt]),
    [
      [second.id, 204, null, 1],
      [first.id, 204, null, 1],
    ],
  );
});
