import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import { PET_STATUSES } from '@petstore-inventory/shared/words';
import fc from 'fast-check';
import type { InventoryList } from '../../src/domain/store.ts';
import { CHUNK_ITEMS, MAX_CHUNK_ITEMS } from '../../src/store/list/list-cache.ts';
import { startApp } from '../support/harness.ts';
import { listJson, petRow, petRows } from '../support/pet-rows.ts';
import { testEngine } from '../support/test-database.ts';
import { assertList, bytesOf, ListStore, sequenceOf } from './list-store.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const extreme = fc.constantFrom(
  -(2n ** 63n),
  1n - 2n ** 63n,
  -(2n ** 53n) - 1n,
  -1n,
  0n,
  1n,
  2n ** 53n + 1n,
  2n ** 63n - 2n,
  2n ** 63n - 1n,
);
const near = fc.integer({ min: -2_000, max: 2_000 }).map(BigInt);
const petId = fc.oneof(near, int64, extreme);
const quantity = fc.oneof(fc.nat(1_000), fc.constantFrom(0, Number.MAX_SAFE_INTEGER));
const scattered = fc.array(fc.record({ petId, quantity, status: fc.constantFrom(...PET_STATUSES) }), {
  minLength: 1,
  maxLength: 40,
});
/** A run of neighbours, long enough to make a chunk that must be cut. */
const run = fc
  .record({ from: near, length: fc.integer({ min: 1, max: 3 * CHUNK_ITEMS }), quantity })
  .map(({ from, length, quantity: of }) =>
    Array.from({ length }, (_, i) => ({ petId: from + BigInt(i), quantity: of, status: 'pending' as const })),
  );

function named(rows: readonly Pick<PetRow, 'petId' | 'quantity' | 'status'>[]): PetRow[] {
  const byId = new Map(rows.map((row) => [row.petId, row]));
  return [...byId.values()].map(({ petId: id, quantity: of, status }) => petRow(id, of, status));
}

test('after any inserts and changes by another connection, the list has the written values', async (t) => {
  if (isSkippedDaily(t)) return;
  const batches = fc.array(fc.oneof({ weight: 3, arbitrary: scattered }, run), {
    minLength: 1,
    maxLength: 12,
  });
  const property = fc.asyncProperty(batches, async (written) => {
    const lists = await ListStore.open(t);
    const tags = new Set<string>();
    let distinct = 0;
    assertList(await lists.list(), lists.model);
    for (const rows of written) {
      const before = lists.head.sequence;
      await lists.write(named(rows));
      const list = await lists.list();
      assertList(list, lists.model);
      tags.add(list.tag);
      if (lists.head.sequence !== before) distinct += 1;
      assert.equal(await lists.list(), list, 'nothing changed, so it is the same list');
    }
    assert.ok(tags.size >= distinct, 'each change has given the list another name');
    await lists.close();
  });
  await fc.assert(property, { numRuns: Math.ceil(12 * testEngine().share) });
});

test('a returned list does not change after later writes', async (t) => {
  const lists = await ListStore.open(t);
  await lists.write(petRows(2_000));
  const kept: [InventoryList, string][] = [];
  for (let i = 0; i < 20; i += 1) {
    kept.push([await lists.list(), listJson(lists.model.values())]);
    await lists.write([petRow(BigInt(1 + i * 97), 7_000 + i), petRow(BigInt(3_000 + i))]);
  }
  for (const [list, json] of kept) assert.equal(bytesOf(list.json()).toString(), json);
});

test('one change makes one chunk again, and a chunk that has grown too large is cut', async (t) => {
  if (isSkippedDaily(t)) return;
  const lists = await ListStore.open(t);
  await lists.write(petRows(100 * CHUNK_ITEMS));
  await lists.list();
  const rebuiltBy = async (rows: readonly PetRow[]) => {
    const before = lists.rebuiltChunks;
    await lists.write(rows);
    assertList(await lists.list(), lists.model);
    return lists.rebuiltChunks - before;
  };
  assert.equal(await rebuiltBy([petRow(5_000n, 4_321)]), 1);
  assert.equal(await rebuiltBy([petRow(1n, 4_321), petRow(2n, 4_321)]), 1);
  assert.equal(await rebuiltBy([petRow(1n, 1), petRow(25_600n, 1)]), 2);
  const grown = Array.from({ length: 2 * MAX_CHUNK_ITEMS }, (_, i) => petRow(-BigInt(i)));
  assert.equal(await rebuiltBy(grown), 1);
  assert.equal(await rebuiltBy([petRow(0n, 77)]), 1);
});

/** Enough stale chunks that they are made again in slices, with turns of the event loop in between. */
const SLICED_PETS = 40_000;

test('lists requested during a long read include every change before their request', async (t) => {
  const lists = await ListStore.open(t);
  await lists.write(petRows(SLICED_PETS));
  const answers: Promise<void>[] = [];
  let waiting = 0;
  for (let round = 0; round < 12; round += 1) {
    await lists.write(petRows(SLICED_PETS / 100).map(({ petId: id }) => petRow(id * 100n, round)));
    for (let requests = 0; requests < 3; requests += 1) {
      await lists.write([petRow(BigInt(round * 10 + requests + 1), 900_000 + round)]);
      const { head } = lists;
      const answer = lists.reader.list(head);
      if (answer instanceof Promise) waiting += 1;
      answers.push(Promise.resolve(answer).then((list) => assertAtLeast(list, head.sequence, lists)));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  await Promise.all(answers);
  assert.ok(waiting >= 12, `only ${waiting} lists had to wait for a reading`);
  assertList(await lists.list(), lists.model);
});

/** A list may be newer than its request, and must equal the ledger at its own sequence. */
function assertAtLeast(list: InventoryList, requests: number, lists: ListStore): void {
  assert.ok(sequenceOf(list) >= requests, `${list.tag} is older than ${requests}`);
  assertList(list, lists.modelAt(sequenceOf(list)));
}

test('the list of a service after each of many random changes and arrivals has the acknowledged values', async (t) => {
  const app = await startApp(t, { pets: petRows(300), config: { PETSTORE_LOG_LEVEL: 'error' } });
  const model = new Map<bigint, PetRow>(petRows(300).map((row) => [row.petId, row]));
  const known = () => [...model.keys()];
  const choice = fc.record({ isArrival: fc.nat(9).map((n) => n === 0), petId, place: fc.nat(), quantity });
  const choices = fc.sample(choice, { numRuns: 200 * testEngine().share, seed: 20_260_701 });
  for (const { isArrival, petId: arriving, place, quantity: set } of choices) {
    if (isArrival) {
      const row = petRow(arriving, set);
      await app.admin.importPets([row], 'cli', app.clock.nowMs);
      model.set(arriving, row);
    } else {
      const ids = known();
      const id = ids[place % ids.length] as bigint;
      const { status } = await app.request('PATCH', `/v1/inventory/${id}`, { body: `{"quantity":${set}}` });
      assert.equal(status, 200);
      model.set(id, { ...(model.get(id) as PetRow), quantity: set });
    }
    const { text } = await app.request('GET', '/v1/inventory');
    assert.equal(text, listJson(model.values()));
  }
});
