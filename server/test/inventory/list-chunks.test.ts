import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ListCache } from '../../src/store/list/list-cache.ts';
import type { ChunkRow } from '../../src/store/list/list-snapshot.ts';
import { listJson, petRow } from '../support/pet-rows.ts';
import { bytesOf } from './list-store.ts';

const near = fc.integer({ min: -2_000, max: 2_000 }).map(BigInt);

test('a pet marks its own chunk at each place in it, and a new pet between two chunks the later one', () => {
  const ids = Array.from({ length: 12 }, (_, i) => BigInt(i * 10));
  for (const id of ids) {
    const place = Math.floor(Number(id) / 30);
    const after = place === 0 ? undefined : BigInt(place * 30 - 10);
    const last = place === 3 ? undefined : BigInt(place * 30 + 20);
    for (const marked of [id, id - 1n]) {
      const cache = new ListCache();
      cache.replaceAll(chunksOf(ids, 0));
      cache.markChanged(marked);
      assert.deepEqual(cache.staleRanges(), [{ after, last, chunkCount: 1 }], String(marked));
    }
  }
});

test('marking any pets leaves the chunks of all others alone', () => {
  const property = fc.property(
    fc.uniqueArray(near, { minLength: 1, maxLength: 300 }),
    fc.array(fc.oneof(near, fc.record({ place: fc.nat(299) }))),
    (ids, marks) => {
      const marked = marks.map((mark) =>
        typeof mark === 'bigint' ? mark : (ids[mark.place % ids.length] as bigint),
      );
      const sorted = ids.toSorted((a, b) => (a < b ? -1 : 1));
      const cache = new ListCache();
      cache.replaceAll(chunksOf(sorted, 0));
      for (const id of marked) cache.markChanged(id);
      const ranges = cache.staleRanges();
      assert.equal(
        ranges.reduce((chunks, { chunkCount }) => chunks + chunkCount, 0),
        cache.staleCount,
      );
      const isStale = (id: bigint) =>
        ranges.some(
          ({ after, last }) => (after === undefined || id > after) && (last === undefined || id <= last),
        );
      for (const id of marked) assert.ok(isStale(id), `${id} is in a stale range`);
      const fresh = ranges.map(({ after, last }) =>
        sorted.filter((id) => (after === undefined || id > after) && (last === undefined || id <= last)),
      );
      cache.replaceStale(fresh.map((inRange) => chunksOf(inRange, 1)));
      const expected = sorted.map((id) => petRow(id, isStale(id) ? 1 : 0));
      assert.equal(bytesOf(cache.snapshot('t').json()).toString(), listJson(expected));
      assert.equal(cache.staleCount, 0);
    },
  );
  fc.assert(property, { numRuns: 500 });
});

/** Chunks of three, so that few pets make many of them. */
function chunksOf(sorted: readonly bigint[], of: number): ChunkRow[] {
  const rows: ChunkRow[] = [];
  for (let i = 0; i < sorted.length; i += 3) {
    const ids = sorted.slice(i, i + 3);
    const json = `,${listJson(ids.map((id) => petRow(id, of))).slice(1, -1)}`;
    rows.push({ json: Buffer.from(json), itemCount: ids.length, lastPetId: ids.at(-1) as bigint });
  }
  return rows;
}

test('gzips of other chunks have other tags, because their bytes differ', () => {
  const row = (itemCount: number, lastPetId: number) => ({
    ...{ json: Buffer.from(',1'.repeat(itemCount)), itemCount, lastPetId: BigInt(lastPetId) },
  });
  const tagOf = (rows: readonly ChunkRow[]) => {
    const cache = new ListCache();
    cache.replaceAll(rows);
    return cache.snapshot('1-1').gzipTag;
  };
  assert.notEqual(tagOf([row(2, 2)]), tagOf([row(1, 1), row(1, 2)]));
  assert.equal(tagOf([row(2, 2)]), tagOf([row(2, 2)]));
});
