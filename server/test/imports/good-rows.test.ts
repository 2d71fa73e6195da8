import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImportFormat } from '@petstore-inventory/shared/words';
import { petRow } from '../support/command-line.ts';
import { workbook } from '../support/workbook.ts';
import { ImportShop, STAFF } from './import-shop.ts';

async function badRowsOf({ store: { imports } }: ImportShop, id: string): Promise<string> {
  let all = '';
  for (let number = 0; ; number += 1) {
    const text = await imports.badRows(id, number);
    if (text === undefined) return all;
    all += text;
  }
}

const stockOf = ({ database }: ImportShop) =>
  database.rows('SELECT pet_id, quantity FROM inventory ORDER BY pet_id');

test('the good rows of an invalid import are applied, and the bad ones are a file of the same form', async (t) => {
  const shop = await ImportShop.open(t);
  const file = [
    'Bestandsliste;;;',
    'Tiernummer;Bezeichnung;Bestand;Preis',
    '1;"Napf; blau";5;1,50',
    '2;"=SUM(A1)";x;2,00',
    '1;doppelt;6;3,00',
    '3;Müsli;7;-4,00',
    '4;"zu ""viel""";8;5,00;9',
    'vier;=cmd;-1;6,00',
  ].join('\n');
  const planned = await shop.planned(file, 'csv', 'set', { ignored: ['Preis'] });
  const { id } = planned;
  assert.deepEqual(
    [planned.state, planned.counts, planned.faultCount, planned.badRowCount],
    ['invalid', { new: 2, changed: 0, unchanged: 0 }, 5, 4],
  );
  assert.deepEqual(
    planned.faults.map(({ line, row }) => [line, row]),
    [
      [4, '2;=SUM(A1);x;2,00'],
      [5, '1;doppelt;6;3,00'],
      [7, '4;zu "viel";8;5,00;9'],
      [8, 'vier;=cmd;-1;6,00'],
      [8, 'vier;=cmd;-1;6,00'],
    ],
  );
  const rest = await badRowsOf(shop, id);
  assert.equal(
    rest,
    [
      '\ufeffimport_problem;Tiernummer;Bezeichnung;Bestand;Preis',
      '"quantity: ""x"" is not a whole number from 0 to 9007199254740991.";2;\'=SUM(A1);x;2,00',
      '"the header has 4 fields, this row has 5; quote a field that has a separator in it.";4;"zu ""viel""";8;5,00;9',
      '"petId: ""vier"" is not a whole number of 64 bits in plain digits, such as 42. quantity: ""-1"" is not a whole number from 0 to 9007199254740991.";vier;\'=cmd;-1;6,00',
      '"petId: 1 is on line 3 already; keep one of the two rows.";1;doppelt;6;3,00',
      '',
    ].join('\r\n'),
  );
  await assert.rejects(shop.store.imports.apply(id, STAFF), /cannot be applied: it is invalid/);
  assert.equal((await shop.apply(id, true)).state, 'applied');
  assert.deepEqual(await stockOf(shop), [
    [1, 5],
    [3, 7],
  ]);
  const mended = rest
    .replace(';x;', ';9;')
    .replace('8;5,00;9', '8;5,00')
    .replace(';vier;', ';5;')
    .replace(';-1;', ';1;')
    .replace(';1;doppelt', ';6;einzeln');
  const again = await shop.planned(mended, 'csv', 'set', { ignored: ['Preis'] });
  assert.deepEqual([again.state, again.faults], ['planned', []]);
  await shop.apply(again.id);
  assert.deepEqual(await stockOf(shop), [
    [1, 5],
    [2, 9],
    [3, 7],
    [4, 8],
    [5, 1],
    [6, 6],
  ]);
  const names = await shop.database.rows('SELECT name FROM pets WHERE pet_id IN (2, 5) ORDER BY pet_id');
  assert.deepEqual(names, [['=SUM(A1)'], ['=cmd']]);
});

test('each format has its own form of the bad rows, and each is read again', async (t) => {
  const shop = await ImportShop.open(t);
  const rows = [
    ['Nr', 'Menge'],
    [1, 1],
    [2, 'x'],
    [3, { xml: '<c t="e"><v>#N/A</v></c>' }],
  ];
  const files: readonly (readonly [ImportFormat, string | Uint8Array, rest: string])[] = [
    [
      'ndjson',
      '{"petId":1,"quantity":1}\n{"petId":2,"quantity":"x"}\n{ }\n[7]\n',
      '{"import_problem":"quantity: \\"x\\" is not a whole number from 0 to 9007199254740991.","petId":2,"quantity":"x"}\n' +
        '{"import_problem":"petId: it is missing; every row needs it. quantity: it is missing; every row needs it." }\n' +
        '{"import_problem":"[…] is not an object with petId and quantity.","row":"[7]"}\n',
    ],
    [
      'json',
      '[{"petId":1,"quantity":1},{"petId":2,\n"quantity":-1},\n{"petId":3,"quantity":null}]',
      '[\n{"import_problem":"quantity: -1 is not a whole number from 0 to 9007199254740991.","petId":2, "quantity":-1},\n' +
        '{"import_problem":"quantity: it is missing; every row needs it.","petId":3,"quantity":null}\n]\n',
    ],
    [
      'xlsx',
      workbook([{ name: 'A', rows }]),
      '\ufeffimport_problem;Nr;Menge\r\n"quantity: ""x"" is not a whole number from 0 to 9007199254740991.";2;x\r\n' +
        '"quantity: the cell has the error #N/A; correct its formula.";3;#N/A\r\n',
    ],
  ];
  for (const [format, content, rest] of files) {
    const { id, state } = await shop.planned(content, format);
    assert.equal(state, 'invalid');
    const text = await badRowsOf(shop, id);
    assert.equal(text, rest);
    const again = await shop.planned(text, format === 'xlsx' ? 'csv' : format);
    assert.deepEqual(
      again.faults
        .filter(({ code }) => code !== 'unknown_member' && code !== 'missing_value')
        .map(({ code }) => code),
      format === 'json'
        ? ['invalid_quantity']
        : format === 'xlsx'
          ? ['invalid_quantity', 'invalid_quantity']
          : ['invalid_quantity'],
    );
  }
});

test('a row of a workbook without its last cells is mended in the file of the bad rows', async (t) => {
  const shop = await ImportShop.open(t);
  const rows = [
    ['Nr', 'Bezeichnung', 'Menge', 'Status'],
    [1, 'Napf', 5, 'available'],
    [2, 'Ball', -1],
    [3],
    [4, null, null, 'sold'],
  ];
  const { id } = await shop.planned(workbook([{ name: 'A', rows }]), 'xlsx');
  const rest = await badRowsOf(shop, id);
  const fields = rest.split('\r\n').flatMap((line) => /;(\d;.*)$/.exec(line)?.[1] ?? []);
  assert.deepEqual(fields, ['2;Ball;-1;', '3;;;', '4;;;sold']);
  const mended = rest.replace(';-1;', ';1;').replace(';3;;;', ';3;;3;').replace(';;;sold', ';;4;sold');
  const again = await shop.planned(mended, 'csv');
  assert.deepEqual([again.state, again.counts.new, again.faults], ['planned', 3, []]);
});

test('sums that do not fit are left out too, and stock that changed after the plan stops all', async (t) => {
  const shop = await ImportShop.open(t);
  await shop.importRows([petRow(1, { quantity: 5 }), petRow(2, { quantity: 5 })]);
  const { id, counts, badRowCount } = await shop.planned('id;menge\n1;-6\n2;-5\n3;4\n', 'csv', 'add');
  assert.deepEqual([counts, badRowCount], [{ new: 1, changed: 1, unchanged: 0 }, 1]);
  assert.match(await badRowsOf(shop, id), /\r\n"?quantity: adding -6 to 5 makes -1, below 0\."?;1;-6\r\n$/);
  // The file is kept for another plan.
  while (await shop.store.importJobs.purge());
  await shop.importRows([petRow(2, { quantity: 6 })]);
  const stale = await shop.apply(id, true);
  assert.deepEqual([stale.state, stale.faults.map(({ line }) => line)], ['stale', [3]]);
  await shop.store.imports.plan(id, STAFF);
  await shop.runJobs();
  assert.deepEqual([(await shop.find(id)).state, (await shop.find(id)).badRowCount], ['invalid', 1]);
  assert.equal((await shop.apply(id, true)).state, 'applied');
  assert.deepEqual(await stockOf(shop), [
    [1, 5],
    [2, 1],
    [3, 4],
  ]);
  const [applied] = (await shop.store.activity.list({ limit: 1 })).map(({ details }) => details);
  assert.equal((applied as { leftOut?: number }).leftOut, 1);
  await shop.store.imports.delete(id, STAFF);
  while (await shop.store.importJobs.purge());
  assert.deepEqual(await shop.database.rows('SELECT count(*) FROM import_bad_rows'), [[0]]);
});

test('of a file that cannot be read to its end, no row is applied', async (t) => {
  const shop = await ImportShop.open(t);
  const { id, counts, badRowCount } = await shop.planned('id;menge\n1;1\n2;x\n3;"4\n');
  assert.deepEqual([counts, badRowCount, await shop.rows(id)], [{ new: 0, changed: 0, unchanged: 0 }, 0, []]);
  assert.equal(await badRowsOf(shop, id), '');
  await assert.rejects(shop.store.imports.apply(id, STAFF, true), /cannot be applied: it is invalid/);
  const unchanged = await shop.planned('id;menge\n2;x\n');
  await assert.rejects(
    shop.store.imports.apply(unchanged.id, STAFF, true),
    /cannot be applied: it is invalid/,
  );
});
