import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { ResourceLimits, Worker } from 'node:worker_threads';
import { until } from '../../support/until.ts';
import { startReceiver } from '../receiver.ts';
import { newSendingShop } from '../sending-shop.ts';
import { startSendingThread } from './sending-thread.ts';

/** A thread that ends as one without memory does. A real one takes the whole process with it now and then. */
function threadWithoutMemory(): Worker {
  const worker = new EventEmitter();
  setImmediate(() => {
    worker.emit('error', Object.assign(new Error('Out of memory.'), { code: 'ERR_WORKER_OUT_OF_MEMORY' }));
    worker.emit('exit', 1);
  });
  return worker as Worker;
}

test('a sending thread that needs more memory than it has is followed by one with twice as much', async (t) => {
  const shop = await newSendingShop(t);
  const receiver = await startReceiver(t);
  await shop.subscribe(receiver.url);
  const starts: ResourceLimits[] = [];
  const { failures } = startSendingThread(t, shop.database.url, (limits) => {
    starts.push(limits);
    return starts.length === 1 ? threadWithoutMemory() : undefined;
  });
  await shop.change(1, 7);
  await until(() => receiver.messages().length === 1, 'the message');
  assert.equal(failures.length, 1);
  assert.deepEqual(
    starts.map(({ maxOldGenerationSizeMb }) => maxOldGenerationSizeMb),
    [32, 64],
  );
});

test('the memory of a sending thread grows with the filters of the endpoints', async (t) => {
  for (const [length, memoryMb] of [
    [0, 32],
    [10_000_000, 192],
    [1_000_000_000, 1_536],
  ] as const) {
    let limits: ResourceLimits | undefined;
    const starting = (first: ResourceLimits) => {
      limits ??= first;
      return threadWithoutMemory();
    };
    startSendingThread(t, '', starting, length);
    await until(() => limits !== undefined, 'a thread');
    assert.equal(limits?.maxOldGenerationSizeMb, memoryMb);
  }
});
