import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { markedSupplier, readSupplier } from '@petstore-inventory/shared/pet-file/values';
import { EXPORT_COLUMNS } from '@petstore-inventory/shared/words';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { newCliShop, petRow, temporaryFolder } from '../support/command-line.ts';
import { testOnceIn } from '../support/test-database.ts';
import { workbook } from '../support/workbook.ts';
import { ImportShop } from './import-shop.ts';

const once = testOnceIn();

/** A shop with five units of each of some pets, and their suppliers. */
async function shopWith(t: Parameters<typeof ImportShop.open>[0], ...suppliers: readonly (string | null)[]) {
  const shop = await ImportShop.open(t);
  await shop.importRows(suppliers.map((_, i) => petRow(i + 1, { quantity: 5 })));
  for (const [i, supplier] of suppliers.entries())
    if (supplier !== null) await shop.store.reorders.update(BigInt(i + 1), { supplier }, CLI_AUTHOR);
  const suppliersOf = async (...petIds: readonly number[]) =>
    (await shop.store.reorders.rows(petIds.map(BigInt))).map(({ supplier }) => supplier);
  return { shop, suppliersOf };
}

test('a file sets, keeps and removes suppliers, also of new pets, and what is ordered stays', async (t) => {
  const { shop, suppliersOf } = await shopWith(t, null, 'Reef', 'Aqua', 'Zoo', 'Reef');
  const { reorders } = shop.store;
  await reorders.update(2n, { ordered: 40, expectedOn: '2030-12-03' }, CLI_AUTHOR);
  await reorders.update(3n, { ordered: 7 }, CLI_AUTHOR);
  const [second, third] = await reorders.rows([2n, 3n]);
  const file = 'petId,Lieferant,quantity\n1, Zoo ,5\n2,Zoo,5\n3,None,5\n4,Zoo,5\n5,,5\n6,Terra,5\n7,none,5\n';
  const plan = await shop.planned(file);
  assert.deepEqual([plan.state, plan.counts], ['planned', { new: 2, changed: 3, unchanged: 2 }]);
  assert.deepEqual(
    (await shop.rows(plan.id)).map(({ effect, before, after }) => [
      effect,
      before?.supplier,
      after?.supplier,
    ]),
    [
      ['changed', null, 'Zoo'],
      ['changed', 'Reef', 'Zoo'],
      ['changed', 'Aqua', null],
      ['unchanged', undefined, undefined],
      ['unchanged', undefined, undefined],
      ['new', undefined, 'Terra'],
      ['new', undefined, null],
    ],
  );
  assert.equal((await shop.apply(plan.id)).state, 'applied');
  assert.deepEqual(await suppliersOf(1, 2, 3, 4, 5, 6, 7), [
    'Zoo',
    'Zoo',
    null,
    'Zoo',
    'Reef',
    'Terra',
    null,
  ]);
  assert.deepEqual(await reorders.suppliers(), ['Reef', 'Terra', 'Zoo']);
  const [after, other] = await reorders.rows([2n, 3n]);
  assert.deepEqual([after?.open, other?.open], [second?.open, third?.open]);
  assert.notEqual(after?.tag, second?.tag, 'who read the old supplier learns of the new one');
  const movements = await shop.database.rows(
    `SELECT pet_id, quantity_before, quantity_after FROM movements WHERE reference_id = '${plan.id}' ORDER BY pet_id`,
  );
  assert.deepEqual(
    movements.map((row) => row.map((value) => (value === null ? null : Number(value)))),
    [
      [1, 5, 5],
      [2, 5, 5],
      [3, 5, 5],
      [6, 0, 5],
      [7, 0, 5],
    ],
  );
  assert.deepEqual((await shop.planned(file)).counts, { new: 0, changed: 0, unchanged: 7 });
  assert.deepEqual((await shop.store.verify()).faults, []);
});

test('a supplier that another person set after the plan stays, until the file is planned again', async (t) => {
  const { shop, suppliersOf } = await shopWith(t, 'Reef', 'Zoo', null, null);
  const { reorders, imports } = shop.store;
  const changing = await shop.planned('petId,supplier,quantity\n1,Zoo,5\n2,Zoo,5\n3,Zoo,5\n4,,6\n');
  // A file that does not change the supplier of a pet does not mind another one.
  await reorders.update(4n, { supplier: 'Aqua', ordered: 3 }, CLI_AUTHOR);
  for (const [petId, supplier] of [
    [1n, 'Aqua'],
    [2n, null],
    [3n, 'Terra'],
  ] as const) {
    const [before] = await reorders.rows([petId]);
    await reorders.update(petId, { supplier }, CLI_AUTHOR);
    const stale = await shop.apply(changing.id);
    assert.deepEqual(
      [stale.state, ...stale.faults.map(({ line, code }) => [line, code])],
      ['stale', [Number(petId) + 1, 'stock_changed']],
    );
    assert.deepEqual(await suppliersOf(Number(petId)), [supplier]);
    await reorders.update(petId, { supplier: before?.supplier ?? null }, CLI_AUTHOR);
    await imports.plan(changing.id, CLI_AUTHOR);
    await shop.runJobs();
  }
  assert.equal((await shop.apply(changing.id)).state, 'applied');
  assert.deepEqual(await suppliersOf(1, 2, 3, 4), ['Zoo', 'Zoo', 'Zoo', 'Aqua']);
  assert.equal((await reorders.find(4n)).open?.ordered, 3);
});

test('units to add and a supplier in one row, and a supplier alone with no units', async (t) => {
  const { shop, suppliersOf } = await shopWith(t, 'Reef', null);
  const plan = await shop.planned('petId,supplier,quantity\n1,Zoo,0\n2,Zoo,4\n', 'csv', 'add');
  assert.deepEqual(plan.counts, { new: 0, changed: 2, unchanged: 0 });
  await shop.apply(plan.id);
  const pets = await shop.store.reorders.rows([1n, 2n]);
  assert.deepEqual(
    pets.map(({ quantity }) => quantity),
    [5, 9],
  );
  assert.deepEqual(await suppliersOf(1, 2), ['Zoo', 'Zoo']);
});

test('a supplier with the name none, and any number of apostrophes before it, is read as it was written', () => {
  const refuse = (field: string) => assert.fail(field);
  for (const name of ['none', 'None', "'none", "''NONE", "'", "'x", 'nonesuch', `${"'".repeat(96)}none`]) {
    assert.equal(readSupplier({ supplier: markedSupplier(name) }, refuse), name);
  }
  assert.equal(readSupplier({ supplier: ' NONE ' }, refuse), null);
  assert.equal(readSupplier({ supplier: " 'none " }, refuse), 'none');
});

once('a wrong supplier is an error of its row, in each format', async (t) => {
  const shop = await ImportShop.open(t);
  const long = 'x'.repeat(101);
  const csv = await shop.planned(
    `petId,quantity,supplier\n1,1,${long}\n2,1,"a\tb"\n3,1,${'é'.repeat(100)}\n4,1,'=1+1\n`,
  );
  assert.deepEqual(
    csv.faults.map(({ line, field, code, values }) => [line, field, code, values.maximum]),
    [
      [2, 'supplier', 'text_too_long', '100'],
      [3, 'supplier', 'invalid_character', undefined],
    ],
  );
  assert.deepEqual(
    (await shop.rows(csv.id)).map(({ after }) => after?.supplier?.slice(0, 4)),
    ['éééé', '=1+1'],
  );
  const json = await shop.planned('[{"petId":1,"quantity":1,"supplier":7}]', 'json');
  assert.deepEqual(
    json.faults.map(({ field, code }) => [field, code]),
    [['supplier', 'not_a_text']],
  );
  const rows = [
    ['id', 'Vendor', 'qty'],
    ['1', 4711, 1],
  ] as const;
  const sheet = await shop.planned(workbook([{ name: 'Pets', rows }]), 'xlsx');
  assert.deepEqual(
    (await shop.rows(sheet.id)).map(({ after }) => after?.supplier),
    ['4711'],
  );
});

once('pets import sets suppliers, and an export with them changes nothing', async (t) => {
  const { cli, store } = await newCliShop(t);
  const folder = temporaryFolder(t);
  const file = join(folder, 'a.csv');
  writeFileSync(file, 'petId,supplier,quantity\n1,"Zoo; Söhne",1\n2,\'=Zoo,2\n3,,3\n4,Reef,4\n');
  assert.match((await cli('pets', 'import', file)).stdout, /4 pets imported from .*: 4 new/);
  assert.deepEqual(await store.reorders.suppliers(), ['=Zoo', 'Reef', 'Zoo; Söhne']);
  await store.reorders.update(3n, { supplier: 'None' }, CLI_AUTHOR);
  const other = await newCliShop(t);
  for (const name of ['b.csv', 'b.json', 'b.ndjson', 'b.xlsx']) {
    const exported = join(folder, name);
    await cli('pets', 'export', exported, '--columns', EXPORT_COLUMNS.join());
    const { stdout } = await cli('pets', 'import', exported);
    assert.match(stdout, /0 new, 0 changed, 4 unchanged/, name);
    await other.cli('pets', 'import', exported);
    for (const shop of [store, other.store])
      assert.deepEqual(await shop.reorders.suppliers(), ['=Zoo', 'None', 'Reef', 'Zoo; Söhne'], name);
  }
  const plain = await cli('pets', 'export', '-', '--columns', 'petId,quantity,supplier');
  assert.equal(
    plain.stdout,
    'petId,quantity,supplier\r\n1,1,"Zoo; Söhne"\r\n2,2,\'=Zoo\r\n3,3,\'None\r\n4,4,Reef\r\n',
  );
  writeFileSync(file, 'petId,supplier,quantity\n1,none,1\n4,Aqua,4\n');
  const dry = await cli('pets', 'import', file, '--dry-run');
  assert.match(dry.stdout, /0 new, 2 to change[\s\S]*pet 1: supplier "Zoo; Söhne" -> none\n/);
  assert.match((await cli('pets', 'import', file)).stdout, /0 new, 2 changed, 0 unchanged/);
  assert.deepEqual(await store.reorders.suppliers(), ['=Zoo', 'Aqua', 'None']);
});
