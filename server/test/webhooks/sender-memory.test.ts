import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SenderThread } from '../../src/webhooks/sender-thread.ts';
import { TEST_PEPPER } from '../support/command-line.ts';
import { until } from '../support/until.ts';
import { startReceiver } from './receiver.ts';
import { newSendingShop } from './sending-shop.ts';

test('a sending thread that needs more memory than it has is followed by one with more', async (t) => {
  const shop = await newSendingShop(t);
  const receiver = await startReceiver(t);
  await shop.subscribe(receiver.url);
  const failures: string[] = [];
  const thread = new SenderThread({
    data: {
      url: shop.database.url,
      pepper: TEST_PEPPER,
      owner: 'sender',
      networks: ['127.0.0.0/8'],
      version: '1.0.0',
    },
    // Less than the code of the thread takes.
    memoryMb: 8,
    hasActive: () => true,
    onNumbers: () => undefined,
    onPaused: () => undefined,
    onUnopened: () => undefined,
    onError: (message) => failures.push(message),
  });
  t.after(() => thread.close());
  thread.start();
  await shop.change(1, 7);
  await until(() => receiver.messages().length === 1, 'the message');
  if (!process.versions.bun) assert.ok(failures.length > 0, 'the first thread had too little memory');
});
