import { setTimeout as delay } from 'node:timers/promises';
import type { LockingClient } from './sql-client.ts';

/**
 * Runs one transaction of many, and leaves others as much time. Without a queue for the lock, a service that waits for it
 * tries again only now and then, and would wait for all of them.
 */
export async function runBatch<T>(
  { isLockFair }: Pick<LockingClient, 'isLockFair'>,
  batch: () => Promise<T>,
): Promise<T> {
  const beginMs = performance.now();
  const result = await batch();
  if (!isLockFair) await delay(performance.now() - beginMs);
  return result;
}

/** Items in parts of a size, in their order; the last part may have fewer. */
export function* batchesOf<Item>(items: Iterable<Item>, size: number): Generator<readonly Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
