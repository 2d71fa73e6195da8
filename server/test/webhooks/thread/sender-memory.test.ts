import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { ResourceLimits, Worker } from 'node:worker_threads';
import { BYTES_PER_ENDPOINT } from '../../../src/domain/webhooks/webhook-store.ts';
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

test('the memory of a sending thread grows with the endpoints', async (t) => {
  for (const [bytes, memoryMb] of [
    [0, 32],
    [160_000_000, 192],
    [16_000_000_000, 1_536],
  ] as const) {
    let limits: ResourceLimits | undefined;
    const starting = (first: ResourceLimits) => {
      limits ??= first;
      return threadWithoutMemory();
    };
    startSendingThread(t, '', starting, () => bytes);
    await until(() => limits !== undefined, 'a thread');
    assert.equal(limits?.maxOldGenerationSizeMb, memoryMb);
  }
});

/** A thread that sends to so many endpoints, and ends when it is asked to. */
function threadWith(healthy: number): { readonly worker: Worker; readonly commands: unknown[] } {
  const commands: unknown[] = [];
  const emitter = new EventEmitter();
  const worker = Object.assign(emitter, {
    postMessage: (command: unknown) => {
      commands.push(command);
      setImmediate(() => emitter.emit('exit', 0));
    },
  }) as unknown as Worker;
  const endpoints = { healthy, failing: 0, unopened: 0 };
  setImmediate(() => emitter.emit('message', { kind: 'numbers', numbers: { endpoints } }));
  return { worker, commands };
}

test('a sending thread that got many more endpoints is followed by one with memory for them', async (t) => {
  let endpoints = 1;
  const threads: ReturnType<typeof threadWith>[] = [];
  const starts: ResourceLimits[] = [];
  const start = (limits: ResourceLimits) => {
    starts.push(limits);
    // They come after the start.
    endpoints = 10_000;
    const thread = threadWith(endpoints);
    threads.push(thread);
    return thread.worker;
  };
  const thread = startSendingThread(t, '', start, () => endpoints * BYTES_PER_ENDPOINT);
  await until(() => thread.numbers() !== undefined && starts.length === 2, 'the second thread');
  assert.deepEqual(
    starts.map(({ maxOldGenerationSizeMb }) => Math.floor(maxOldGenerationSizeMb ?? 0)),
    [32, 152],
  );
  assert.deepEqual(threads[0]?.commands, [{ closeWithinMs: 0 }], 'it reports what it delivered');
  assert.deepEqual(threads[1]?.commands, []);
  assert.deepEqual(thread.failures, []);
});
