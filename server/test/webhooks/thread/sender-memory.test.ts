import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../support/until.ts';
import { startReceiver } from '../receiver.ts';
import { newSendingShop } from '../sending-shop.ts';
import { startSendingThread } from './sending-thread.ts';

test('a sending thread that needs more memory than it has is followed by one with more', async (t) => {
  const shop = await newSendingShop(t);
  const receiver = await startReceiver(t);
  await shop.subscribe(receiver.url);
  // Less than the code of the thread takes.
  const { failures } = startSendingThread(t, shop.database.url, 8);
  await shop.change(1, 7);
  await until(() => receiver.messages().length === 1, 'the message');
  if (!process.versions.bun) assert.ok(failures.length > 0, 'the first thread had too little memory');
});
