import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { barcodeFault, IN_STORE_PREFIXES, inStoreBarcode } from '@petstore-inventory/shared/barcodes';
import { MAX_INT64, MIN_INT64 } from '@petstore-inventory/shared/pet-id';
import fc from 'fast-check';
import type { BulkValues } from '../../src/domain/management/bulk-changes.ts';
import { petRow } from '../support/command-line.ts';
import { testOnceIn } from '../support/test-database.ts';
import { ALL, assertRefused, AUTHOR, bulkShop, counted, OTHER } from './bulk-shop.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const once = testOnceIn();

const EAN = '4006381333931';
const DOGS = { filter: { ...ALL, category: 'Dogs' } };

/** Pets 1, 3, 5 and 7 are dogs. Pet 3 has codes. */
async function codeShop(t: TestContext, count = 8) {
  const shop = await bulkShop(t, count);
  await shop.pets.update(3n, { sku: 'OLD-3', barcodes: [EAN, 'x'] }, AUTHOR);
  return {
    ...shop,
    codesOf: async (...petIds: readonly number[]) => {
      const found = await shop.pets.findAll(petIds.map(BigInt));
      return found.map(({ sku, barcodes }) => [sku, ...barcodes].join());
    },
  };
}

test('an EAN-13 of the shop has the prefix, ten digits of the petId, and a check digit', () => {
  assert.equal(inStoreBarcode('20', 0n), '2000000000008');
  assert.equal(inStoreBarcode('21', 42n), '2100000000425');
  assert.equal(inStoreBarcode('29', 9_999_999_999n), '2999999999991');
  for (const petId of [-1n, 10_000_000_000n, MAX_INT64, MIN_INT64])
    assert.equal(inStoreBarcode('20', petId), undefined);
  const petIds = fc.bigInt({ min: 0n, max: 9_999_999_999n });
  fc.assert(
    fc.property(fc.constantFrom(...IN_STORE_PREFIXES), petIds, petIds, (prefix, one, other) => {
      const code = inStoreBarcode(prefix, one) ?? '';
      assert.equal(code.length, 13);
      assert.equal(barcodeFault(code), undefined);
      assert.equal(code === inStoreBarcode(prefix, other), one === other);
    }),
  );
});

test('the pets of a filter get SKUs by their petIds and barcodes of the shop, and their own back', async (t) => {
  const { plan, after, codesOf, bulkChanges, store, allPets, assertIntact } = await codeShop(t);
  const before = await allPets();
  const planned = await plan(DOGS, { sku: ' CAT-{petId} ', inStorePrefix: '20', category: 'Hounds' });
  assert.deepEqual(counted(planned), ['planned', { planned: 4 }]);
  const [first, second] = await bulkChanges.rows(planned.id, { limit: 2 });
  assert.deepEqual(first?.codes, { sku: 'CAT-1', barcodes: ['2000000000015'] });
  assert.deepEqual([second?.before?.sku, second?.before?.barcodes], ['OLD-3', [EAN, 'x']]);
  assert.deepEqual(second?.codes, { sku: 'CAT-3', barcodes: [EAN, 'x'] });

  const applied = await after('apply', planned, OTHER);
  assert.deepEqual(counted(applied), ['applied', { changed: 4 }]);
  const codes = ['CAT-1,2000000000015', `CAT-3,${EAN},x`, '', 'CAT-7,2000000000077'];
  assert.deepEqual(await codesOf(1, 3, 2, 7), codes);
  assert.equal(
    (await store.pets.list({ query: '2000000000077', archived: 'exclude', limit: 9 })).pets[0]?.petId,
    7n,
  );
  assert.deepEqual(await codesOf(5), ['CAT-5,2000000000053']);
  const [line] = await store.activity.list({ target: planned.id, action: 'bulk-changes.finish', limit: 1 });
  assert.deepEqual((line?.details as { set: BulkValues } | undefined)?.set, {
    inStorePrefix: '20',
    category: 'Hounds',
    sku: 'CAT-{petId}',
  });
  await assertIntact();
  assert.deepEqual(counted(await plan({ filter: ALL }, { sku: 'CAT-{petId}' })), [
    'planned',
    { planned: 4, unchanged: 4 },
  ]);

  assert.deepEqual(counted(await after('undo', applied)), ['undone', { undone: 4 }]);
  assert.deepEqual(
    (await allPets()).map(({ sku, barcodes, category }) => [sku, barcodes, category]),
    before.map(({ sku, barcodes, category }) => [sku, barcodes, category]),
  );
  await assertIntact();
});

once('SKUs and barcodes are removed, one kind without the other, and come back', async (t) => {
  const { plan, after, codesOf, pets, assertIntact } = await codeShop(t);
  const skus = await after('apply', await plan({ filter: ALL }, { sku: null }));
  assert.deepEqual(counted(skus), ['applied', { changed: 1, unchanged: 7 }]);
  assert.deepEqual(await codesOf(3), [`,${EAN},x`]);
  const barcodes = await after('apply', await plan({ petIds: [2n, 3n] }, { barcodes: [] }));
  assert.deepEqual(counted(barcodes), ['applied', { changed: 1, unchanged: 1 }]);
  assert.deepEqual(await codesOf(3), ['']);
  await assertIntact();

  // What the change did not set stays as it is now.
  await pets.update(3n, { barcodes: ['later'] }, OTHER);
  await after('undo', skus);
  assert.deepEqual(await codesOf(3), ['OLD-3,later']);
  assert.deepEqual(counted(await after('undo', barcodes)), ['undone', { kept: 1, unchanged: 1 }]);
  await assertIntact();
});

once('a pet that cannot have its code is named with the reason, and others get theirs', async (t) => {
  const { plan, after, rowsOf, bulkChanges, pets, store, codesOf, assertIntact } = await codeShop(t);
  await store.importPets([petRow(-5), petRow(10_000_000_000)], 'cli');
  await pets.update(2n, { barcodes: ['2000000000015'] }, AUTHOR);
  const barcodes = await plan({ filter: ALL }, { inStorePrefix: '20' });
  assert.deepEqual(await rowsOf(barcodes, 'refused'), [
    [-5, 'no_barcode'],
    [1, 'code_in_use'],
    [10_000_000_000, 'no_barcode'],
  ]);
  assert.deepEqual(await rowsOf(barcodes, 'unchanged'), [
    [2, 'unchanged'],
    [3, 'unchanged'],
  ]);
  const [refused] = await bulkChanges.rows(barcodes.id, { outcome: 'refused', after: 0n, limit: 1 });
  assert.deepEqual([refused?.codeOwner, refused?.codes?.barcodes], [2n, ['2000000000015']]);
  assert.deepEqual(counted(await after('apply', barcodes)), [
    'applied',
    { changed: 5, unchanged: 2, refused: 3 },
  ]);
  assert.deepEqual(await codesOf(1, 4), ['', ',2000000000046']);

  // An archived pet keeps its code, and so does a pet of the same change.
  await pets.update(1n, { sku: 'A-4' }, AUTHOR);
  await pets.update(5n, { sku: 'A-6' }, AUTHOR);
  await pets.archive(5n, AUTHOR);
  const skus = await plan({ petIds: [1n, 4n, 6n] }, { sku: 'A-{petId}' });
  assert.deepEqual(await rowsOf(skus), [
    [1, 'planned'],
    [4, 'code_in_use'],
    [6, 'code_in_use'],
  ]);
  const long = await plan({ petIds: [4n, 10_000_000_000n] }, { sku: `${'x'.repeat(60)}{petId}` });
  assert.deepEqual(await rowsOf(long), [
    [4, 'planned'],
    [10_000_000_000, 'sku_too_long'],
  ]);
  await assertIntact();
});

test('a code that another pet gets after the plan stays with it, and an undo takes none back', async (t) => {
  const { plan, after, rowsOf, pets, codesOf, assertIntact } = await codeShop(t);
  const planned = await plan({ filter: ALL }, { sku: 'A-{petId}', barcodes: [] });
  await pets.update(2n, { sku: 'A-1' }, OTHER);
  await pets.create(
    {
      petId: 90n,
      name: null,
      category: null,
      quantity: 0,
      status: 'available',
      lowStockAt: null,
      restockAt: null,
      sku: 'A-8',
    },
    OTHER,
  );
  const applied = await after('apply', planned);
  assert.deepEqual(await rowsOf(applied, 'stale'), [
    [1, 'stale'],
    [2, 'stale'],
    [8, 'stale'],
  ]);
  assert.deepEqual(await codesOf(1, 2, 4, 8, 90), ['', 'A-1', 'A-4', '', 'A-8']);
  // Another pet took what pet 3 had.
  await pets.update(7n, { barcodes: [EAN] }, OTHER);
  await pets.update(6n, { sku: 'other' }, OTHER);
  const undone = await after('undo', applied);
  assert.deepEqual(await rowsOf(undone, 'kept'), [
    [3, 'kept'],
    [6, 'kept'],
    [7, 'kept'],
  ]);
  assert.deepEqual(await codesOf(3, 4, 6), ['A-3', '', 'other']);
  await assertIntact();
});

test('a pet that an import restored names no codes that were taken before, after a bulk change archives it', async (t) => {
  const { pets, store, plan, after } = await codeShop(t);
  await store.importPets([petRow(3n, { quantity: 0 })], 'cli');
  await pets.archive(3n, AUTHOR);
  await pets.update(4n, { sku: 'OLD-3', takeCodes: true }, AUTHOR);
  for (const quantity of [1, 0]) await store.importPets([petRow(3n, { quantity })], 'cli');
  const archiving = await plan({ petIds: [3n] }, { archived: true });
  assert.deepEqual(counted(await after('apply', archiving)), ['applied', { changed: 1 }]);
  assert.deepEqual((await pets.restore(3n, AUTHOR)).takenCodes, []);
});

test('two changes and edits at the same time never give a code twice', async (t) => {
  if (isSkippedDaily(t)) return;
  const { plan, bulkChanges, run, pets, bulkJobs, allPets, assertIntact } = await codeShop(t, 1_000);
  const one = await plan({ filter: ALL }, { sku: 'A-{petId}' });
  const other = await plan({ filter: ALL }, { sku: 'A-{petId}', inStorePrefix: '20' }, OTHER);
  await Promise.all([bulkChanges.apply(one.id, AUTHOR), bulkChanges.apply(other.id, OTHER)]);
  const edit = async (petId: number, sku: string) => {
    await pets.update(BigInt(petId), { sku }, OTHER).catch(() => undefined);
  };
  await Promise.all([
    run(),
    bulkJobs.runNext(),
    ...Array.from({ length: 40 }, (_, i) => edit(i + 1, `A-${1_000 - i}`)),
  ]);
  await run();
  const skus = (await allPets()).map(({ sku }) => sku).filter((sku) => sku !== null);
  assert.equal(new Set(skus).size, skus.length);
  const counts = [await bulkChanges.find(one.id), await bulkChanges.find(other.id)].map(({ state }) => state);
  assert.deepEqual(counts, ['applied', 'applied']);
  assert.ok(skus.length > 900, `${skus.length} have an SKU`);
  await assertIntact();
});

once('a template without a petId, with other braces, or too long is refused', async (t) => {
  const { bulkChanges } = await codeShop(t);
  const refuse = (values: BulkValues, message: RegExp) =>
    assertRefused(bulkChanges.create({ filter: ALL }, values, AUTHOR), 'validation_failed', message);
  for (const sku of ['CAT', 'CAT-{id}', '{petId}-{name}', '{petId', '{petId}}', '{{petId}}', '{PETID}']) {
    await refuse({ sku }, /sku: write \{petId\} for the petId of each pet, such as CAT-\{petId\}/);
  }
  await refuse({ sku: `${'x'.repeat(64)}{petId}` }, /with the shortest petId it has more than 64 characters/);
  await refuse({ sku: 'a\u200b{petId}' }, /has a character that is not printable/);
  await refuse({ barcodes: [], inStorePrefix: '20' }, /give it without barcodes/);
  await refuse({ archived: true, sku: null }, /archived alone/);
});
