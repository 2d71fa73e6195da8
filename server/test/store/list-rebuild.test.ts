import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CHUNK_ITEMS, ListCache } from '../../src/store/list/list-cache.ts';
import type { ChunkRow } from '../../src/store/list/list-snapshot.ts';
import { collectGarbage } from '../support/collect-garbage.ts';

const JSON_OF_CHUNK = Buffer.from(',{}');

function chunk(number: number): ChunkRow {
  return { json: JSON_OF_CHUNK, itemCount: CHUNK_ITEMS, lastPetId: BigInt(number) };
}

/** CPU time of making every other one of so many chunks again, the least of some rounds. */
function cpuMsOfRebuild(chunks: number): number {
  const cache = new ListCache();
  cache.replaceAll(Array.from({ length: chunks }, (_, i) => chunk(i)));
  const rounds = Array.from({ length: 7 }, () => {
    const before = process.cpuUsage();
    for (let i = 0; i < chunks; i += 2) cache.markChanged(BigInt(i));
    const ranges = cache.staleRanges();
    assert.equal(ranges.length, chunks / 2);
    cache.replaceStale(ranges.map(({ last }) => [chunk(Number(last ?? chunks - 1))]));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...rounds);
}

test('making many stale chunks again is one pass: eight times as many take some eight times as long', () => {
  cpuMsOfRebuild(2_000);
  const [few, many] = [cpuMsOfRebuild(4_000), cpuMsOfRebuild(32_000)];
  assert.ok(many < 24 * few, `${many} ms of 32,000 chunks, ${few} ms of 4,000`);
});

test('stale chunks that follow each other are read as one range, and cut as in a whole reading', () => {
  const cache = new ListCache();
  cache.replaceAll(Array.from({ length: 10 }, (_, i) => chunk(i)));
  for (const stale of [1, 4, 5, 6, 8, 9]) cache.markChanged(BigInt(stale));
  assert.deepEqual(cache.staleRanges(), [
    { after: 0n, last: 1n, chunkCount: 1 },
    { after: 3n, last: 6n, chunkCount: 3 },
    { after: 7n, last: undefined, chunkCount: 2 },
  ]);
  assert.equal(cache.staleCount, 6);
  cache.replaceStale([[chunk(1)], [chunk(5), chunk(6)], []]);
  assert.equal(cache.staleCount, 0);
  assert.equal(cache.snapshot('t').itemCount, 7 * CHUNK_ITEMS);
});

/** Another thread frees collected memory, and therefore a little later. */
async function bytesHeld(): Promise<number> {
  for (let i = 0; i < 3; i += 1) {
    collectGarbage();
    await nextTurn();
  }
  return process.memoryUsage().arrayBuffers;
}

test('compressed chunks keep no more memory than they need', async () => {
  const chunks = 1_000;
  const cache = new ListCache();
  const json = Buffer.from(',{"petId":1234567,"quantity":12,"status":"available"}'.repeat(CHUNK_ITEMS));
  cache.replaceAll(Array.from({ length: chunks }, (_, i) => ({ ...chunk(i), json })));
  const list = cache.snapshot('t');
  const before = await bytesHeld();
  let bytes = 0;
  for (const piece of list.gzip() as Iterable<Uint8Array>) bytes += piece.length;
  const held = (await bytesHeld()) - before;
  assert.ok(held < 2 * bytes + 1_000_000, `${held} bytes are held for ${bytes}`);
  assert.equal(list.itemCount, chunks * CHUNK_ITEMS);
});
