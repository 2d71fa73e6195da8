import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import { newAdminStore, petRow } from '../support/command-line.ts';
import { plainInteger, testOnceIn } from '../support/test-database.ts';

const once = testOnceIn();

const NOW_MS = 1_800_000_000_000;

async function importer(t: TestContext) {
  const { store, database } = await newAdminStore(t);
  return {
    database,
    importRows: (rows: Iterable<PetRow>, atMs = NOW_MS) => store.importPets(rows, 'cli', atMs),
    faults: async () => (await store.verify()).faults,
    pets: () => database.rows('SELECT pet_id, name, category FROM pets ORDER BY pet_id'),
    stock: () =>
      database.rows(
        'SELECT pet_id, quantity, status, version, last_sequence, updated_at FROM inventory ORDER BY pet_id',
      ),
    movements: () =>
      database.rows(
        `SELECT sequence, previous_sequence, pet_id, kind, quantity_before, quantity_after, status_before, status_after,
reason, actor, request_id, recorded_at FROM movements ORDER BY sequence`,
      ),
  };
}

test('new pets get their stock and a first movement each, in the order of their petIds', async (t) => {
  const shop = await importer(t);
  const rows = [
    petRow(7, { name: 'Rex', category: 'Dogs', quantity: 3 }),
    petRow(2, { quantity: 0, status: 'sold' }),
  ];
  assert.deepEqual(await shop.importRows(rows), { created: 2, changed: 0, unchanged: 0 });
  assert.deepEqual(await shop.pets(), [
    [2, null, null],
    [7, 'Rex', 'Dogs'],
  ]);
  assert.deepEqual(await shop.stock(), [
    [2, 0, 'sold', 1, 1, NOW_MS],
    [7, 3, 'available', 1, 2, NOW_MS],
  ]);
  assert.deepEqual(await shop.movements(), [
    [1, null, 2, 'import', 0, 0, null, 'sold', null, 'cli', null, NOW_MS],
    [2, null, 7, 'import', 0, 3, null, 'available', null, 'cli', null, NOW_MS],
  ]);
  assert.deepEqual(await shop.faults(), []);
});

test('a second import records the changes and nothing else', async (t) => {
  const shop = await importer(t);
  await shop.importRows([petRow(1), petRow(2), petRow(3), petRow(4)]);
  const again = [petRow(1), petRow(2, { quantity: 9 }), petRow(3, { status: 'pending' }), petRow(5)];
  assert.deepEqual(await shop.importRows(again, NOW_MS + 1), { created: 1, changed: 2, unchanged: 1 });
  assert.deepEqual((await shop.movements()).slice(4), [
    [5, 2, 2, 'import', 1, 9, 'available', 'available', null, 'cli', null, NOW_MS + 1],
    [6, 3, 3, 'import', 1, 1, 'available', 'pending', null, 'cli', null, NOW_MS + 1],
    [7, null, 5, 'import', 0, 1, null, 'available', null, 'cli', null, NOW_MS + 1],
  ]);
  assert.deepEqual(await shop.stock(), [
    [1, 1, 'available', 1, 1, NOW_MS],
    [2, 9, 'available', 2, 5, NOW_MS + 1],
    [3, 1, 'pending', 2, 6, NOW_MS + 1],
    [4, 1, 'available', 1, 4, NOW_MS],
    [5, 1, 'available', 1, 7, NOW_MS + 1],
  ]);
  assert.deepEqual(await shop.faults(), []);
});

once('another name or category is a movement too, for the version names the whole item', async (t) => {
  const shop = await importer(t);
  await shop.importRows([petRow(1, { name: 'Rex', category: 'Dogs' })]);
  const renamed = petRow(1, { name: 'Max', category: 'Hounds' });
  assert.deepEqual(await shop.importRows([renamed]), { created: 0, changed: 1, unchanged: 0 });
  assert.deepEqual(await shop.pets(), [[1, 'Max', 'Hounds']]);
  const { quantity } = petRow(1);
  assert.deepEqual((await shop.movements()).slice(1), [
    [2, 1, 1, 'import', quantity, quantity, 'available', 'available', null, 'cli', null, NOW_MS],
  ]);
  assert.deepEqual((await shop.stock())[0]?.slice(3), [2, 2, NOW_MS]);
  assert.deepEqual(await shop.importRows([renamed]), { created: 0, changed: 0, unchanged: 1 });
  assert.deepEqual(await shop.faults(), []);
});

once('fields that a file omits do not change: a stock count changes only the stock', async (t) => {
  const shop = await importer(t);
  await shop.importRows([petRow(1, { name: 'Rex', category: 'Dogs', status: 'pending' })]);
  const counted = { name: null, category: null, status: null };
  await shop.importRows([petRow(1, { ...counted, quantity: 77 }), petRow(2, counted)]);
  assert.deepEqual(await shop.pets(), [
    [1, 'Rex', 'Dogs'],
    [2, null, null],
  ]);
  assert.deepEqual(
    (await shop.stock()).map(([petId, quantity, status]) => [petId, quantity, status]),
    [
      [1, 77, 'pending'],
      [2, petRow(2).quantity, 'available'],
    ],
  );
  assert.deepEqual(await shop.faults(), []);
});

test('an import with an earlier time has that of the newest movement', async (t) => {
  const shop = await importer(t);
  await shop.importRows([petRow(1)], NOW_MS + 5);
  await shop.importRows([petRow(2)], NOW_MS);
  assert.deepEqual(
    (await shop.movements()).map((movement) => movement.at(-1)),
    [NOW_MS + 5, NOW_MS + 5],
  );
  assert.deepEqual(await shop.faults(), []);
});

test('the ends of int64 and of quantity are kept exactly', async (t) => {
  const shop = await importer(t);
  const ids = [-(2n ** 63n), -1n, 0n, 9007199254740993n, 2n ** 63n - 1n];
  await shop.importRows(ids.map((petId) => petRow(petId, { quantity: Number.MAX_SAFE_INTEGER })));
  assert.deepEqual(
    (await shop.stock()).map(([petId]) => petId),
    ids.map(plainInteger),
  );
  assert.equal((await shop.stock())[0]?.[1], Number.MAX_SAFE_INTEGER);
  const renamed = ids.map((petId) => petRow(petId, { name: 'x', quantity: Number.MAX_SAFE_INTEGER }));
  assert.deepEqual(await shop.importRows(renamed), { created: 0, changed: ids.length, unchanged: 0 });
  assert.deepEqual(await shop.faults(), []);
});

test('rows that fail half-way leave nothing behind, and the store still works', async (t) => {
  const shop = await importer(t);
  function* failing(): Generator<PetRow> {
    yield petRow(1);
    throw new Error('the file ends here');
  }
  await assert.rejects(shop.importRows(failing()), /the file ends here/);
  await assert.rejects(shop.importRows([petRow(1), petRow(1)]), /unique/i);
  await assert.rejects(shop.importRows([petRow(1), petRow(2, { quantity: -1 })]), /check/i);
  assert.deepEqual([await shop.pets(), await shop.stock(), await shop.movements()], [[], [], []]);
  assert.deepEqual(await shop.importRows([petRow(1)]), { created: 1, changed: 0, unchanged: 0 });
});

test('others can write while rows are being read', async (t) => {
  const shop = await importer(t);
  let writing: Promise<void> | undefined;
  function* slowly(): Generator<PetRow> {
    yield petRow(1);
    writing = shop.database.run("INSERT INTO accounts VALUES ('acc_1', 'shop', 'free', 60, 1000, 0)");
    yield petRow(2);
  }
  assert.deepEqual(await shop.importRows(slowly()), { created: 2, changed: 0, unchanged: 0 });
  assert.ok(writing);
  await writing;
});

once('an import without rows changes nothing', async (t) => {
  const shop = await importer(t);
  assert.deepEqual(await shop.importRows([]), { created: 0, changed: 0, unchanged: 0 });
  assert.deepEqual(await shop.faults(), []);
});
