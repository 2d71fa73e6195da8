import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { EXPORT_COLUMNS } from '@petstore-inventory/shared/words';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { newCliShop, petRow, temporaryFolder } from '../support/command-line.ts';
import { testOnceIn } from '../support/test-database.ts';
import { ImportShop } from './import-shop.ts';

const once = testOnceIn();

const EAN = '4006381333931';
const EAN_8 = '96385074';
const UPC = '036000291452';
const MAX_ID = 2n ** 63n - 1n;

const codesOf = async ({ store }: ImportShop, petId: bigint) => {
  const { sku, barcodes, quantity } = await store.pets.find(petId);
  return [sku, barcodes, quantity];
};

test('a row is of the pet with its petId, its SKU or its barcode, or of a new one', async (t) => {
  const shop = await ImportShop.open(t);
  await shop.importRows([
    petRow(1, { codes: { sku: 'A-1', barcodes: [EAN, '+49 box'] } }),
    petRow(2, { codes: { sku: null, barcodes: [EAN_8] } }),
    petRow(7, { codes: { sku: '2', barcodes: null } }),
  ]);
  const file = [
    'Artikelnummer;EAN;Name;Bestand',
    'A-1;;;11',
    `;000000${EAN_8};;12`,
    '2;;;13',
    `B-1;${UPC};Neu;14`,
    ';BOX 7;Kein EAN;15',
    '',
  ].join('\n');
  const plan = await shop.planned(file);
  assert.deepEqual([plan.state, plan.counts], ['planned', { new: 2, changed: 3, unchanged: 0 }]);
  assert.deepEqual(
    (await shop.rows(plan.id)).map(({ petId, line, effect, after }) => [petId, line, effect, after?.sku]),
    [
      [1n, 2, 'changed', 'A-1'],
      [2n, 3, 'changed', null],
      [7n, 4, 'changed', '2'],
      [8n, 5, 'new', 'B-1'],
      [9n, 6, 'new', null],
    ],
  );
  assert.equal((await shop.apply(plan.id)).state, 'applied');
  assert.deepEqual(await codesOf(shop, 1n), ['A-1', [EAN, '+49 box'], 11]);
  assert.deepEqual(await codesOf(shop, 2n), [null, [EAN_8], 12]);
  assert.deepEqual(await codesOf(shop, 7n), ['2', [], 13]);
  assert.deepEqual(await codesOf(shop, 8n), ['B-1', [UPC], 14]);
  assert.deepEqual(await codesOf(shop, 9n), [null, ['BOX 7'], 15]);
  assert.deepEqual(
    (await shop.store.pets.list({ archived: 'exclude', sku: 'B-1', limit: 2 })).pets.length,
    1,
  );
  const again = await shop.planned(file);
  assert.deepEqual(again.counts, { new: 0, changed: 0, unchanged: 5 });
  assert.deepEqual((await shop.store.verify()).faults, []);
});

test('what names the pet stays, other codes replace those of the pet, and the change is a movement', async (t) => {
  const shop = await ImportShop.open(t);
  const codes = { sku: 'A-1', barcodes: [EAN, EAN_8] };
  await shop.importRows([petRow(1, { quantity: 5, codes }), petRow(2, { quantity: 5 })]);
  const before = (await shop.store.pets.find(1n)).lastSequence;
  const write = async (rows: readonly object[]) => {
    const plan = await shop.planned(JSON.stringify(rows), 'json');
    assert.equal((await shop.apply(plan.id)).state, 'applied');
    return plan.counts;
  };
  assert.deepEqual(await write([{ barcodes: [EAN], quantity: 5 }]), { new: 0, changed: 0, unchanged: 1 });
  assert.deepEqual(await codesOf(shop, 1n), ['A-1', [EAN, EAN_8], 5]);
  assert.equal((await write([{ sku: 'A-1', barcodes: [EAN_8], quantity: 5 }])).changed, 1);
  assert.deepEqual(await codesOf(shop, 1n), ['A-1', [EAN_8], 5]);
  assert.ok((await shop.store.pets.find(1n)).lastSequence > before);
  // The barcode is free for another pet, and the SKU of a row with a petId replaces that of the pet.
  assert.equal((await write([{ petId: 2, sku: 'B', barcodes: `${EAN} ${UPC}`, quantity: 5 }])).changed, 1);
  assert.deepEqual(await codesOf(shop, 2n), ['B', [EAN, UPC], 5]);
  assert.equal((await write([{ petId: 1, sku: 'A-2', quantity: 5 }])).changed, 1);
  assert.deepEqual(await codesOf(shop, 1n), ['A-2', [EAN_8], 5]);
});

test('a code or an id that is taken after the plan makes it stale, and nothing is written', async (t) => {
  const shop = await ImportShop.open(t);
  await shop.importRows([petRow(1, { quantity: 5 }), petRow(2, { quantity: 5 })]);
  const setting = await shop.planned('petId,sku,quantity\n1,A,9\n');
  const making = await shop.planned('sku,quantity\nNEW,9\n');
  await shop.store.pets.update(2n, { sku: 'A' }, CLI_AUTHOR);
  await shop.importRows([petRow(3)]);
  const stale = await shop.apply(setting.id);
  assert.equal(stale.state, 'stale');
  assert.deepEqual(
    stale.faults.map(({ line, code, values }) => [line, code, values]),
    [[2, 'code_in_use', { code: 'SKU "A"', petId: '2' }]],
  );
  assert.deepEqual(await codesOf(shop, 1n), [null, [], 5]);
  assert.deepEqual(
    (await shop.apply(making.id)).faults.map(({ code }) => code),
    ['stock_changed'],
  );
  assert.equal((await shop.store.pets.list({ archived: 'exclude', sku: 'NEW', limit: 1 })).pets.length, 0);
});

once('an archived pet is found by its code, and keeps it from others', async (t) => {
  const shop = await ImportShop.open(t);
  await shop.importRows([petRow(1, { quantity: 0, codes: { sku: 'OLD', barcodes: null } }), petRow(2)]);
  await shop.store.pets.archive(1n, CLI_AUTHOR);
  const taking = await shop.planned('petId,sku,quantity\n2,OLD,1\n');
  assert.deepEqual(
    taking.faults.map(({ code, values }) => [code, values]),
    [['code_in_use', { code: '"OLD"', petId: '1' }]],
  );
  const plan = await shop.planned('sku,quantity\nOLD,3\n');
  assert.equal((await shop.apply(plan.id)).state, 'applied');
  assert.equal((await shop.store.pets.find(1n)).archivedAtMs, null);
});

test('new pets of several batches get one id each, after those that the file names', async (t) => {
  const shop = await ImportShop.open(t);
  const rows = Array.from({ length: 4_500 }, (_, i) => `${i === 10 ? '6000' : ''},S-${i},1`);
  const plan = await shop.planned(`petId,sku,quantity\n${rows.join('\n')}\n`);
  assert.deepEqual([plan.state, plan.counts.new], ['planned', 4_500]);
  assert.equal((await shop.apply(plan.id)).state, 'applied');
  const [[count, greatest] = []] = await shop.database.rows(
    'SELECT count(DISTINCT pet_id), max(pet_id) FROM pets',
  );
  assert.deepEqual([Number(count), Number(greatest)], [4_500, 6_000 + 4_500 - 11]);
});

test('a new pet gets no petId that a later row of the file names', async (t) => {
  const shop = await ImportShop.open(t);
  await shop.importRows([petRow(1), petRow(20)]);
  const file = 'petId,sku,quantity\n,A,1\n25,,2\n,B,3\n21,,4\n26,,5\n22,,6\n';
  const plan = await shop.planned(file);
  assert.deepEqual([plan.state, plan.faults], ['planned', []]);
  assert.deepEqual(
    (await shop.rows(plan.id)).map(({ petId, line, after }) => [petId, line, after?.quantity]),
    [
      [21n, 5, 4],
      [22n, 7, 6],
      [25n, 3, 2],
      [26n, 6, 5],
      [27n, 2, 1],
      [28n, 4, 3],
    ],
  );
  assert.equal((await shop.apply(plan.id)).state, 'applied');
  // Two rows of one pet stay an error, and a petId that only lies between others is no reason to move new pets.
  const repeated = await shop.planned('petId,sku,quantity\n,C,1\n35,,1\n32,,1\n,D,1\n32,,2\n');
  assert.deepEqual(
    repeated.faults.map(({ line, code }) => [line, code]),
    [[6, 'repeated_pet']],
  );
  assert.deepEqual(
    (await shop.rows(repeated.id)).map(({ petId, line }) => [petId, line]),
    [
      [29n, 2],
      [32n, 4],
      [35n, 3],
      [36n, 5],
    ],
  );
});

test('numbers that only the whole file proves, and a new pet before its petId', async (t) => {
  const shop = await ImportShop.open(t);
  const file = 'petId;sku;quantity\n;A;1.200\n1;;2.000,0\n';
  const plan = await shop.planned(file);
  assert.deepEqual([plan.state, plan.faults], ['planned', []]);
  assert.deepEqual(
    (await shop.rows(plan.id)).map(({ petId, after }) => [petId, after?.quantity]),
    [
      [1n, 2_000],
      [2n, 1_200],
    ],
  );
});

once('pets import gives no new pet a petId that a later row of the file names', async (t) => {
  const { cli, database } = await newCliShop(t);
  const file = join(temporaryFolder(t), 'later.csv');
  writeFileSync(file, 'petId,sku,quantity\n,A,1\n1,,2\n');
  const result = await cli('pets', 'import', file);
  assert.equal(result.code, 0, result.stderr);
  assert.deepEqual(await database.rows('SELECT CAST(pet_id AS text), sku FROM pets ORDER BY pet_id'), [
    ['1', null],
    ['2', 'A'],
  ]);
});

once(
  'pets import finds pets as a planned import does, and an export with codes changes nothing',
  async (t) => {
    const { cli, database } = await newCliShop(t);
    const folder = temporaryFolder(t);
    const file = join(folder, 'a.csv');
    writeFileSync(file, `sku,ean,qty,name\n-1,"${EAN}\n+49 box",5,=SUM\nB,${EAN_8},6,b\nC,,7,\n`);
    assert.match((await cli('pets', 'import', file)).stdout, /3 pets imported from .*: 3 new/);
    for (const name of ['b.csv', 'b.json', 'b.ndjson', 'b.xlsx']) {
      const exported = join(folder, name);
      await cli('pets', 'export', exported, '--columns', EXPORT_COLUMNS.join());
      const { stdout } = await cli('pets', 'import', exported);
      assert.match(stdout, /0 new, 0 changed, 3 unchanged/, name);
    }
    writeFileSync(file, `sku,qty\nB,8\nC,9\n`);
    const dry = await cli('pets', 'import', file, '--dry-run');
    assert.match(dry.stdout, /0 new, 2 to change[\s\S]*changed pet 2: quantity 6 -> 8\n/);
    writeFileSync(file, `ean,qty\n${EAN},1\n+49 box,2\n${EAN_8},3\n`);
    const wrong = await cli('pets', 'import', file);
    assert.match(wrong.stderr, /line 3, petId: 1 is on line 2 already/);
    assert.deepEqual(await database.rows('SELECT pet_id, quantity FROM inventory ORDER BY pet_id'), [
      [1, 5],
      [2, 6],
      [3, 7],
    ]);
  },
);

once('after the last id there is none for a new pet, and the others are imported', async (t) => {
  const shop = await ImportShop.open(t);
  await shop.importRows([petRow(MAX_ID)]);
  const { faults, badRowCount } = await shop.planned('sku,quantity\nA,1\nB,2\n');
  assert.deepEqual(
    [faults.map(({ line, field, code }) => [line, field, code]), badRowCount],
    [
      [
        [2, 'petId', 'no_pet_id_left'],
        [3, 'petId', 'no_pet_id_left'],
      ],
      2,
    ],
  );
});
