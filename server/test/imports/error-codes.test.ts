import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FileFault } from '@petstore-inventory/shared/pet-file/faults';
import {
  IMPORT_ERROR_CODES,
  type ImportErrorCode,
} from '@petstore-inventory/shared/pet-file/import-problems';
import type { ImportFormat, ImportMode } from '@petstore-inventory/shared/words';
import { newCliShop, petRow, temporaryFolder } from '../support/command-line.ts';
import { ImportShop } from './import-shop.ts';
import type { Reading } from '@petstore-inventory/shared/pet-file/reading';
import { zipSync } from 'fflate';
import { testOnceIn } from '../support/test-database.ts';
import { workbook } from '../support/workbook.ts';

const once = testOnceIn();

interface WrongFile {
  readonly code: ImportErrorCode;
  readonly content: string | Uint8Array;
  readonly format?: ImportFormat;
  readonly mode?: ImportMode;
  readonly values?: Readonly<Record<string, string>>;
  readonly field?: string;
  readonly reading?: Reading;
}

const GUIDE = new URL('../../../docs/management.md', import.meta.url);
const COLUMNS = 'petId, sku, barcodes, name, category, quantity, status, lowStockAt, restockAt, supplier';
const MAX = '9007199254740991';
const csv = (...rows: string[]) => ['petId,quantity', ...rows].join('\n');
const json = (member: string) => `[{"petId":1,"quantity":1${member}}]`;
const row = (name: string, value: string) => `petId,quantity,${name}\n1,1,${value}`;

const HEADINGS = ['petId', 'quantity'];
const cell = (xml: string, values: Readonly<Record<string, string>> = {}) => ({
  content: workbook([{ name: 'A', rows: [HEADINGS, [1, { xml }]] }]),
  format: 'xlsx' as const,
  values,
  field: 'quantity',
});

/** A file for each code, except that of too many pets and that of a row that changed after the plan; plan again. */
const FILES: readonly WrongFile[] = [
  { code: 'empty_file', content: ' \n' },
  { code: 'no_workbook', content: csv('1,1'), format: 'xlsx' },
  { code: 'damaged_workbook', content: 'PK\u0003\u0004…', format: 'xlsx' },
  {
    code: 'workbook_macros',
    content: workbook([{ name: 'A', rows: [] }], { extra: { 'xl/vbaProject.bin': 'x' } }),
    format: 'xlsx',
  },
  {
    code: 'workbook_too_large',
    content: zipSync({ a: new Uint8Array(64_100_000) }, { level: 0 }),
    format: 'xlsx',
    values: { bytes: '64100000', maximum: '64000000' },
  },
  {
    code: 'several_sheets',
    content: workbook(['A', 'B'].map((name) => ({ name, rows: [HEADINGS] }))),
    format: 'xlsx',
    values: { sheets: '"A", "B"' },
  },
  {
    code: 'unknown_sheet',
    content: workbook([{ name: 'A', rows: [HEADINGS] }]),
    format: 'xlsx',
    reading: { sheet: 'C' },
    values: { sheet: '"C"', sheets: '"A"' },
  },
  {
    code: 'too_many_columns',
    content: workbook([{ name: 'A', rows: [Array<number>(257).fill(1)] }]),
    format: 'xlsx',
    values: { maximum: '256' },
  },
  {
    code: 'too_many_empty_rows',
    content: workbook([{ name: 'A', rows: Array<never[]>(200_001).fill([]) }]),
    format: 'xlsx',
    values: { maximum: '200000' },
  },
  { code: 'date_cell', ...cell('<c s="1"><v>46082</v></c>', { value: '2026-03-01' }) },
  { code: 'error_cell', ...cell('<c t="e"><v>#N/A</v></c>', { value: '#N/A' }) },
  { code: 'formula_without_value', ...cell('<c><f>A1</f></c>') },
  { code: 'external_cell', ...cell('<c><f>[1]A!A1</f><v>7</v></c>', { value: '7' }) },
  { code: 'spreadsheet_file', content: 'PK\u0003\u0004…' },
  {
    code: 'unreadable_text',
    content: Uint8Array.of(0x5b, 0xff, 0x5d),
    format: 'json',
    values: { encoding: 'UTF-8' },
  },
  {
    code: 'mixed_encodings',
    content: Buffer.from(`${row('name', 'M\xfcller')}\n2,1,M\xc3\xbcller`, 'latin1'),
    values: { first: 'UTF-8', second: 'Windows-1252' },
  },
  {
    code: 'uncertain_encoding',
    content: Buffer.from(row('name', 'M\x84use'), 'latin1'),
    values: { encoding: 'Windows-1252' },
  },
  { code: 'no_pets', content: csv(), values: { format: 'csv' } },
  { code: 'no_pets', content: '[]', format: 'json', values: { format: 'json' } },
  { code: 'row_too_long', content: csv(`1,${'1'.repeat(70_000)}`), values: { maximum: '65536' } },
  { code: 'quote_not_closed', content: csv('1,"1') },
  { code: 'text_after_quote', content: csv('1,"1"1') },
  { code: 'quote_inside_field', content: csv('1,1"') },
  {
    code: 'repeated_column',
    content: 'petId,quantity,Menge\n1,1,1',
    values: { field: 'quantity', first: '"quantity"', second: '"Menge"' },
  },
  {
    code: 'unknown_column',
    content: `petId,quantity,${'abcdefghijkl'.split('').join()}\n1,1${','.repeat(12)}`,
    values: { columns: '"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"', more: '2', allowed: COLUMNS },
  },
  {
    code: 'missing_column',
    content: 'petId,name\n1,a',
    values: { field: 'quantity', known: 'qty, stock, Menge, Bestand' },
  },
  { code: 'wrong_field_count', content: csv('1,1,1'), values: { expected: '2', found: '3' } },
  { code: 'array_missing', content: '{}', format: 'json' },
  { code: 'array_not_closed', content: '[{"petId":1,"quantity":1}', format: 'json' },
  { code: 'comma_missing', content: '[{"petId":1,"quantity":1} {}]', format: 'json' },
  { code: 'element_missing', content: '[{"petId":1,"quantity":1},]', format: 'json' },
  { code: 'text_after_array', content: `${json('')}x`, format: 'json' },
  { code: 'invalid_json', content: '[{"petId":1,"quantity":1},{petId}]', format: 'json' },
  { code: 'invalid_json', content: '{"petId":1,', format: 'ndjson' },
  { code: 'value_not_closed', content: '[{"petId":1', format: 'json' },
  { code: 'string_not_closed', content: '[{"petId":"1\n"}]', format: 'json' },
  { code: 'not_an_object', content: '[[1]]', format: 'json', values: { value: '[…]' } },
  {
    code: 'unknown_member',
    content: json(',"Name":"a"'),
    format: 'json',
    values: { member: '"Name"', allowed: COLUMNS },
  },
  { code: 'repeated_member', content: json(',"petId":1'), format: 'json', field: 'petId' },
  { code: 'missing_value', content: csv(',1'), field: 'petId' },
  { code: 'missing_value', content: csv('1,'), field: 'quantity' },
  { code: 'invalid_pet_id', content: csv('x,1'), values: { value: '"x"' }, field: 'petId' },
  {
    code: 'repeated_pet',
    content: csv('7,1', '7,2'),
    values: { petId: '7', earlierLine: '2' },
    field: 'petId',
  },
  {
    code: 'not_a_text',
    content: json(',"name":7.50'),
    format: 'json',
    values: { value: '7.50' },
    field: 'name',
  },
  {
    code: 'text_too_long',
    content: row('category', 'a'.repeat(201)),
    values: { length: '201', maximum: '200' },
    field: 'category',
  },
  {
    code: 'invalid_character',
    content: json(',"name":"a\\u0007"'),
    format: 'json',
    values: { value: '"a\\u0007"', character: 'U+0007' },
    field: 'name',
  },
  {
    code: 'invalid_sku',
    content: json(',"sku":"a\\u0007"'),
    format: 'json',
    values: { value: '"a\\u0007"', maximum: '64' },
    field: 'sku',
  },
  {
    code: 'invalid_barcode',
    content: row('barcodes', 'ä'),
    values: { value: '"ä"', maximum: '48' },
    field: 'barcodes',
  },
  {
    code: 'wrong_check_digit',
    content: row('barcodes', '4006381333932'),
    values: { value: '"4006381333932"', right: '1' },
    field: 'barcodes',
  },
  {
    code: 'zero_barcode',
    content: row('barcodes', '00000000'),
    values: { value: '"00000000"' },
    field: 'barcodes',
  },
  {
    code: 'shortened_code',
    content: row('barcodes', '4.00638E+12'),
    values: { value: '"4.00638E+12"' },
    field: 'barcodes',
  },
  {
    code: 'mapped_column_missing',
    content: csv('1,1'),
    reading: { columns: [{ heading: 'Artikel', field: 'sku' }], mapping: 'Zoo' },
    values: { columns: '"Artikel"', more: '0', mapping: '"Zoo"' },
  },
  {
    code: 'named_column_missing',
    content: csv('1,1'),
    reading: { columns: [{ heading: 'Artikel', field: 'sku' }] },
    values: { columns: '"Artikel"', more: '0' },
  },
  {
    code: 'too_many_barcodes',
    content: row('barcodes', Array(21).fill('1').join(' ')),
    values: { count: '21', maximum: '20' },
    field: 'barcodes',
  },
  {
    code: 'repeated_code',
    content: 'petId,quantity,sku\n1,1,A\n2,1,A',
    values: { code: '"A"', earlierLine: '2' },
    field: 'sku',
  },
  {
    code: 'code_in_use',
    content: row('sku', 'TAKEN'),
    values: { code: '"TAKEN"', petId: '9007199254740993' },
    field: 'sku',
  },
  {
    code: 'codes_of_two_pets',
    content: 'barcodes,quantity\n4006381333931 96385074,1',
    values: { petId: '9007199254740993', otherId: '9223372036854775807' },
    field: 'barcodes',
  },
  { code: 'no_pet_id_left', content: 'sku,quantity\nNEW,1', field: 'petId' },
  {
    code: 'invalid_status',
    content: row('status', 'gone'),
    values: { value: '"gone"', allowed: 'available, pending, sold' },
    field: 'status',
  },
  {
    code: 'ambiguous_number',
    content: 'petId;quantity\n1;1.200',
    values: { value: '"1.200"', grouped: '1200', decimal: '1.2', grouping: 'comma' },
    field: 'quantity',
  },
  {
    code: 'invalid_quantity',
    content: csv('1,-5'),
    values: { value: '"-5"', minimum: '0', maximum: MAX },
    field: 'quantity',
  },
  {
    code: 'quantity_too_large',
    content: csv('1,21'),
    values: { quantity: '21', maximum: '20' },
    field: 'quantity',
  },
  {
    code: 'sum_below_zero',
    content: csv('9007199254740993,-11'),
    mode: 'add',
    values: { petId: '9007199254740993', added: '-11', found: '10', sum: '-1' },
    field: 'quantity',
  },
  {
    code: 'sum_too_large',
    content: csv(`9007199254740993,${MAX}`),
    mode: 'add',
    values: { petId: '9007199254740993', added: MAX, found: '10', sum: '9007199254741001', maximum: '20' },
    field: 'quantity',
  },
  {
    code: 'invalid_threshold',
    content: row('lowStockAt', 'x'),
    values: { value: '"x"', maximum: MAX },
    field: 'lowStockAt',
  },
  { code: 'low_stock_at_missing', content: row('restockAt', '5'), field: 'restockAt' },
  {
    code: 'restock_at_too_low',
    content: 'petId,quantity,lowStockAt,restockAt\n1,1,5,5',
    values: { lowStockAt: '5', restockAt: '5' },
    field: 'restockAt',
  },
];

once('each kind of error has a code, its values and its field, and is in the guide', async (t) => {
  const shop = await ImportShop.open(t);
  await shop.importRows([
    petRow(9007199254740993n, { quantity: 10, codes: { sku: 'TAKEN', barcodes: ['4006381333931'] } }),
    petRow(2n ** 63n - 1n, { codes: { sku: null, barcodes: ['96385074'] } }),
  ]);
  const found = new Map<string, readonly string[]>();
  for (const {
    content,
    format = 'csv',
    mode = 'set',
    reading = {},
    code,
    values = {},
    field = null,
  } of FILES) {
    const id = await shop.upload(content, { format, mode, reading });
    await shop.runJobs(undefined, 20);
    const { state, faults } = await shop.find(id);
    assert.equal(state, 'invalid', code);
    assert.deepEqual(
      faults.map((fault) => [fault.code, fault.values, fault.field]),
      [[code, values, field]],
    );
    found.set(code, Object.keys(values).toSorted());
  }
  const { id } = await shop.planned(csv('1,1'));
  await shop.importRows([petRow(1)]);
  const { state, faults } = await shop.apply(id);
  const [{ code, values } = assert.fail()] = faults;
  assert.deepEqual([state, code, values], ['stale', 'stock_changed', { petId: '1' }]);
  found.set(code, Object.keys(values));
  // `management/import-check.test.ts` reads the two million rows that this one needs.
  found.set('too_many_pets', ['maximum']);
  // `mappings.test.ts` has it.
  found.set('code_moved', ['code', 'petId']);
  // Only the command line of clients, which adds no pets.
  found.set('unknown_code', ['code']);
  assert.deepEqual([...found.keys()].toSorted(), IMPORT_ERROR_CODES.toSorted());
  const guide = readFileSync(GUIDE, 'utf8');
  for (const [name, named] of found) {
    const [, cell] = new RegExp(`^\\| \`${name}\` \\| .* \\| (.*)\\|$`, 'm').exec(guide) ?? [];
    assert.ok(cell !== undefined, `the guide has no ${name}`);
    assert.deepEqual([...cell.matchAll(/\w+/g)].map(([word]) => word).toSorted(), named, name);
  }
});

test('pets import --json has the code of each error, and for people the sentence', async (t) => {
  const { cli } = await newCliShop(t);
  const file = join(temporaryFolder(t), 'pets.csv');
  const imported = async (content: string, ...options: string[]) => {
    writeFileSync(file, content);
    const { code, stderr } = await cli('pets', 'import', file, ...options);
    assert.equal(code, 1);
    return stderr;
  };
  const rows = csv('1,x', '2,1', '2,1');
  assert.equal(
    await imported(rows),
    `error: ${file}: 2 rows are wrong; nothing was imported.\n  line 2, quantity: "x" is not a whole number from 0 to ${MAX}.\n  line 4, petId: 2 is on line 3 already; keep one of the two rows.\n`,
  );
  const { error, errors, errorCount } = JSON.parse(await imported(rows, '--json'));
  assert.match(error, /2 rows are wrong/);
  const codesOf = (found: readonly FileFault[]) => found.map(({ line, code }) => [line, code]);
  assert.deepEqual(codesOf(errors), [
    [2, 'invalid_quantity'],
    [4, 'repeated_pet'],
  ]);
  assert.equal(errorCount, 2);
  const unreadable = JSON.parse(await imported('petId,name\n1,a', '--json'));
  assert.deepEqual([codesOf(unreadable.errors), unreadable.errorCount], [[[1, 'missing_column']], 1]);
  for (const options of [[], ['--dry-run']]) {
    const sum = JSON.parse(await imported(csv('9007199254740993,-3'), '--add', '--json', ...options));
    assert.deepEqual(
      sum.errors.map(({ code, values }: FileFault) => [code, values]),
      [['sum_below_zero', { petId: '9007199254740993', added: '-3', found: '0', sum: '-3' }]],
    );
  }
});
