import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandLine, newAdminStore, petRow, temporaryFolder } from '../support/command-line.ts';
import { ImportShop, STAFF } from './import-shop.ts';

const MAX_SAFE = Number.MAX_SAFE_INTEGER;
const STOCK = 'SELECT pet_id, quantity FROM inventory ORDER BY pet_id';

test('quantities are added to those of the pets, with the values before and after in the plan', async (t) => {
  const shop = await ImportShop.open(t);
  await shop.importRows([1, 2, 3].map((petId) => petRow(petId, { quantity: 10 })));
  const file = 'petId,quantity,name\n1,5,\n2,-10,\n3,0,\n4,7,Rex\n';
  const { id, mode, counts } = await shop.planned(file, 'csv', 'add');
  assert.deepEqual([mode, counts], ['add', { new: 1, changed: 2, unchanged: 1 }]);
  const quantities = (await shop.rows(id)).map(({ before, after }) => [before?.quantity, after?.quantity]);
  assert.deepEqual(quantities, [
    [10, 15],
    [10, 0],
    [undefined, undefined],
    [undefined, 7],
  ]);
  assert.equal((await shop.apply(id)).state, 'applied');
  assert.deepEqual(await shop.database.rows(STOCK), [
    [1, 15],
    [2, 0],
    [3, 10],
    [4, 7],
  ]);
  assert.deepEqual((await shop.store.verify()).faults, []);
});

test('a sum below 0 or above the limit is an error of its row, and of each format', async (t) => {
  const shop = await ImportShop.open(t);
  await shop.importRows([1, 2, 3].map((petId) => petRow(petId, { quantity: 10 })));
  const rows = [
    [1, -11],
    [2, 11],
    [3, 10],
    [4, -1],
    [5, 21],
    [5, 1],
  ];
  const files = {
    csv: `petId,quantity\n${rows.map((row) => row.join()).join('\n')}\n`,
    ndjson: rows.map(([petId, quantity]) => JSON.stringify({ petId, quantity })).join('\n'),
  };
  for (const format of ['csv', 'ndjson'] as const) {
    const first = format === 'csv' ? 2 : 1;
    const id = await shop.upload(files[format], { format, mode: 'add' });
    await shop.runJobs(undefined, 20);
    const { state, faults } = await shop.find(id);
    assert.equal(state, 'invalid');
    assert.deepEqual(
      faults.map(({ line, field, message }) => [(line ?? 0) - first, field, message]),
      [
        [0, 'quantity', 'adding -11 to 10 makes -1, below 0.'],
        [1, 'quantity', 'adding 11 to 10 makes 21, above PETSTORE_MAX_QUANTITY (20).'],
        [3, 'quantity', 'adding -1 to 0 makes -1, below 0.'],
        [4, 'quantity', 'adding 21 to 0 makes 21, above PETSTORE_MAX_QUANTITY (20).'],
      ],
    );
  }
});

test('a pet above the limit of the shop may get fewer units, and not more', async (t) => {
  const shop = await ImportShop.open(t);
  await shop.importRows([1, 2].map((petId) => petRow(petId, { quantity: 10 })));
  const id = await shop.upload('petId,quantity\n1,-1\n2,1\n', { mode: 'add' });
  await shop.runJobs(undefined, 5);
  const { faults } = await shop.find(id);
  assert.deepEqual(
    faults.map(({ line }) => line),
    [3],
  );
});

test('the largest quantities do not overflow, and a repeated petId is an error', async (t) => {
  const shop = await ImportShop.open(t);
  await shop.importRows([petRow(1, { quantity: MAX_SAFE })]);
  const file = `petId,quantity\n1,${MAX_SAFE}\n2,3\n2,4\n3,-${MAX_SAFE}\n`;
  const { faults } = await shop.planned(file, 'csv', 'add');
  assert.deepEqual(
    faults.map(({ line, message }) => [line, message]),
    [
      [
        2,
        `adding ${MAX_SAFE} to ${MAX_SAFE} makes 18014398509481982, above PETSTORE_MAX_QUANTITY (${MAX_SAFE}).`,
      ],
      [4, '2 is on line 3 already; keep one of the two rows.'],
      [5, `adding -${MAX_SAFE} to 0 makes -${MAX_SAFE}, below 0.`],
    ],
  );
  const [fault] = (await shop.planned('petId,quantity\n1,-1\n')).faults;
  assert.equal(fault?.message, `"-1" is not a whole number from 0 to ${MAX_SAFE}.`);
});

test('a plan to add whose stock changed is refused, and the next plan adds to the new stock', async (t) => {
  const shop = await ImportShop.open(t);
  await shop.importRows([petRow(1, { quantity: 10 })]);
  const { id } = await shop.planned('petId,quantity\n1,5\n', 'csv', 'add');
  await shop.importRows([petRow(1, { quantity: 20 })]);
  assert.equal((await shop.apply(id)).state, 'stale');
  await shop.store.imports.plan(id, STAFF);
  await shop.runJobs();
  assert.equal((await shop.apply(id)).state, 'applied');
  assert.deepEqual(await shop.database.rows(STOCK), [[1, 25]]);
});

test('pets import --add adds, all or none, and its dry run shows what it would do', async (t) => {
  const { store, database } = await newAdminStore(t);
  await store.importPets([petRow(1, { quantity: 10 })], 'cli');
  const folder = temporaryFolder(t);
  const file = join(folder, 'pets.csv');
  const run = commandLine(folder, { env: { PETSTORE_DATABASE: database.url } });
  writeFileSync(file, 'petId,quantity\n1,-3\n2,4\n');
  const dry = await run('pets', 'import', file, '--add', '--dry-run');
  assert.match(dry.stdout, /changed pet 1: quantity 10 -> 7\n/);
  assert.equal((await run('pets', 'import', file, '--add')).code, 0);
  const after = [
    [1, 7],
    [2, 4],
  ];
  assert.deepEqual(await database.rows(STOCK), after);

  writeFileSync(file, 'petId,quantity\n1,1\n2,-5\n3,-1\n');
  for (const options of [['--add'], ['--add', '--dry-run']]) {
    const { code, stderr } = await run('pets', 'import', file, ...options);
    assert.equal(code, 1);
    assert.match(stderr, /2 rows are wrong; nothing was imported\./);
    assert.match(stderr, /line 3, quantity: adding -5 to 4 makes -1, below 0\./);
    assert.match(stderr, /line 4, quantity: adding -1 to 0 makes -1, below 0\./);
  }
  writeFileSync(file, `petId,quantity\n1,${MAX_SAFE}\n`);
  const { stderr } = await run('pets', 'import', file, '--add');
  assert.match(stderr, /makes 9007199254740998, above PETSTORE_MAX_QUANTITY \(9007199254740991\)\./);
  assert.deepEqual(await database.rows(STOCK), after);

  const limited = commandLine(folder, {
    env: { PETSTORE_DATABASE: database.url, PETSTORE_MAX_QUANTITY: '3' },
  });
  writeFileSync(file, 'petId,quantity\n1,-2\n');
  assert.equal(
    (await limited('pets', 'import', file, '--add')).code,
    0,
    'fewer units, still above the limit',
  );
  assert.deepEqual((await database.rows(STOCK))[0], [1, 5]);
  assert.deepEqual((await store.verify()).faults, []);
});

test('sums that became wrong after they were checked are refused under the lock', async (t) => {
  const { store, database } = await newAdminStore(t);
  await store.importPets([petRow(1, { quantity: 4 })], 'cli');
  const add = (quantity: number) =>
    store.importPets([petRow(1, { quantity })], 'cli', undefined, { maxQuantity: 10 });
  await assert.rejects(add(-5), /below 0/);
  await assert.rejects(add(7), /above/);
  assert.deepEqual(await database.rows(STOCK), [[1, 4]]);
  await add(-4);
  assert.deepEqual(await database.rows(STOCK), [[1, 0]]);
});
