import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { fromFormulaFree, withoutFormula } from '@petstore-inventory/shared/pet-file/csv-records';
import { EXPORT_COLUMNS, EXPORT_FORMATS, type ExportFormat } from '@petstore-inventory/shared/words';
import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { type ExportQuery, exportFrame, sheetFault } from '../../src/domain/management/pet-export.ts';
import { sheetRow } from '../../src/domain/management/export-sheet.ts';
import { workbookFile } from '../../src/wire/workbook-file.ts';
import type { PetStore } from '../../src/domain/management/pet-store.ts';
import { json, newAdminStore, newCliShop, petRow } from '../support/command-line.ts';
import { readPetFile } from '../support/read-pet-file.ts';

const ALL = EXPORT_COLUMNS.join();

const HOSTILE = [
  '=1+1',
  "'=1+1",
  "''@x",
  '+x',
  '-x',
  '@SUM(A1)',
  '＝1',
  'a"b',
  'a,b;c',
  'tab\u00A0x',
  "O'Hara",
  '"',
  "'",
  "'quoted'",
  'none',
  'null',
  '0',
  '-5',
  '1e9',
  '\u202Ertl',
  'e\u0301',
  '🐶'.repeat(200),
  'שלום',
  '\uFEFFx',
  '\u2028x',
  '_x0041_',
  'not in XML: \uFFFE\uFFFF',
  '<b>&amp;</b>',
] as const;

/** A whole file, in parts. */
async function exported(pets: PetStore, format: ExportFormat): Promise<string | Uint8Array> {
  const { begin, end } = exportFrame({ format });
  let part = await pets.exportPage({ format, archived: 'include' });
  const { sequence } = part;
  let text = part.text;
  while (part.next !== undefined) {
    part = await pets.exportPage({ format, archived: 'include', sequence, after: part.next });
    text += part.text;
  }
  const whole = begin + (format === 'json' ? text.slice(1) : text) + end;
  if (format !== 'xlsx') return whole;
  const pieces: Uint8Array[] = [];
  for await (const piece of workbookFile(Readable.from([whole]))) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** The content of a file; of a workbook its sheet, because it has the time too. */
function contentOf(file: string | Uint8Array): string {
  if (typeof file === 'string') return file;
  return strFromU8(unzipSync(file)['xl/worksheets/sheet1.xml'] as Uint8Array);
}

test('a text is free of formulas, and is read back exactly', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom("'", '=', '-', '＠', 'a') })),
      (text) => {
        const field = withoutFormula(text);
        assert.doesNotMatch(field, /^[=+\-@＝＋－＠]/);
        assert.equal(fromFormulaFree(field), text);
      },
    ),
  );
});

for (const format of EXPORT_FORMATS) {
  test(`an export as ${format} imports again and changes nothing, and fills an empty shop alike`, async (t) => {
    const { store, folder } = await newCliShop(t);
    const ids = [-(2n ** 63n), -1n, 0n, 2n ** 53n + 1n, 2n ** 63n - 1n];
    const rows = [
      ...ids.map((petId) => petRow(petId, { name: 'edge' })),
      ...HOSTILE.map((text, i) => petRow(100 + i, { name: text.trim(), category: text.trim() })),
      petRow(300, { quantity: Number.MAX_SAFE_INTEGER, thresholds: { lowStockAt: 0, restockAt: null } }),
      petRow(301, { status: 'sold', quantity: 0, thresholds: { lowStockAt: 5, restockAt: 7 } }),
      ...Array.from({ length: 2_100 }, (_, i) => petRow(1_000 + i, { name: `Pet ${i}`, quantity: i })),
    ];
    await store.importPets(rows, 'cli');
    await store.pets.archive(301n, CLI_AUTHOR);
    const file = join(folder, `pets.${format}`);
    writeFileSync(file, await exported(store.pets, format));
    const read = readPetFile(file);
    assert.equal(read.length, rows.length);
    assert.deepEqual(await store.importPets(read, 'cli'), { created: 0, changed: 0, unchanged: rows.length });
    const other = await newAdminStore(t);
    await other.store.importPets(read, 'cli');
    const written = format === 'xlsx' ? readFileSync(file) : readFileSync(file, 'utf8');
    assert.equal(contentOf(await exported(other.store.pets, format)), contentOf(written));
  });
}

test('all parts have the stock of one movement, whatever happens meanwhile', async (t) => {
  const { store } = await newAdminStore(t);
  await store.importPets(
    Array.from({ length: 2_500 }, (_, i) => petRow(2 * i, { quantity: 1 })),
    'cli',
  );
  const first = await store.pets.exportPage({ format: 'ndjson', archived: 'exclude' });
  assert.equal(first.sequence, 2_500);
  assert.equal(first.next, 1_998n);
  for (let turn = 0; turn < 3; turn += 1) {
    await store.importPets(
      [2_000, 2_001, 3_000, 3_333, 4_998].map((id) => petRow(id, { quantity: 9 + turn, status: 'sold' })),
      'cli',
    );
  }
  const query = { format: 'ndjson', archived: 'exclude', sequence: first.sequence } as const;
  let part = await store.pets.exportPage({ ...query, after: 1_998n });
  let text = part.text;
  while (part.next !== undefined) {
    part = await store.pets.exportPage({ ...query, after: part.next });
    text += part.text;
  }
  const rows = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(rows.length, 1_500);
  assert.ok(
    rows.every(({ petId, quantity, status }) => petId % 2 === 0 && quantity === 1 && status === 'available'),
  );
  await assert.rejects(
    store.pets.exportPage({ ...query, sequence: 9_999 }),
    (error: { code?: string }) => error.code === 'invalid_parameter',
  );
});

test('pets export writes a file, or to standard output', async (t) => {
  const { store, folder, cli } = await newCliShop(t);
  await store.importPets([petRow(2, { name: '=1+1' }), petRow(1)], 'cli');
  const csv =
    "petId,name,category,quantity,status,lowStockAt,restockAt\r\n1,,,1,available,,\r\n2,'=1+1,,1,available,,\r\n";
  assert.equal((await cli('pets', 'export')).stdout, csv);
  assert.equal(
    (await cli('pets', 'export', 'all.csv')).stdout,
    '2 pets exported to all.csv, as after movement 2.\n',
  );
  assert.equal(readFileSync(join(folder, 'all.csv'), 'utf8'), csv);
  assert.deepEqual(await json(cli, 'pets', 'export', 'all.json'), {
    file: 'all.json',
    format: 'json',
    sequence: 2,
    pets: 2,
  });
  assert.equal(JSON.parse(readFileSync(join(folder, 'all.json'), 'utf8')).length, 2);
  assert.equal((await cli('pets', 'export', '--format', 'ndjson', '-')).stdout.split('\n').length, 3);
  assert.equal((await cli('pets', 'export', '-', '--json')).code, 2);
  const named = await cli('pets', 'export', 'all.tsv');
  assert.deepEqual([named.code, existsSync(join(folder, 'all.tsv'))], [2, false]);
  assert.match(named.stderr, /all\.tsv would have CSV inside; name a \.csv, \.ndjson, \.json or \.xlsx file/);
  assert.equal((await cli('pets', 'export', 'all.tsv', '--separator', 'tab')).code, 0);
  const refused = await cli('pets', 'export', 'no/such/folder.csv');
  assert.equal(refused.stderr, 'error: no/such/folder.csv cannot be written: its folder does not exist.\n');
  for (const place of ['.', folder, '/']) {
    const { code, stderr } = await cli('pets', 'export', place);
    assert.deepEqual(
      [code, stderr],
      [1, `error: ${place} cannot be written: it is a folder; name a file in it.\n`],
    );
  }
  assert.equal(refused.code, 1);
  assert.ok(!existsSync(join(folder, 'all.csv.part')));
  assert.equal(
    (await cli('pets', 'import', 'all.csv')).stdout,
    '2 pets imported from all.csv: 0 new, 0 changed, 2 unchanged.\n',
  );
});

test('an export has the columns and the pets that are asked for', async (t) => {
  const { store, folder, cli } = await newCliShop(t);
  await store.importPets(
    [
      petRow(1, { name: 'Rex', category: 'Dogs', quantity: 3 }),
      petRow(2, { name: 'Tom', category: 'Cats', quantity: 4, status: 'sold' }),
      petRow(3, { name: 'Max', category: 'Dogs', quantity: 5, status: 'sold' }),
      petRow(2n ** 60n, { name: 'Rexona', category: 'Dogs', quantity: 10 ** 15 }),
    ],
    'cli',
  );
  await store.pets.update(3n, { sku: 'rex' }, CLI_AUTHOR);
  const ids = async (query: Partial<ExportQuery>) => {
    const { text, count } = await store.pets.exportPage({
      format: 'csv',
      archived: 'exclude',
      columns: ['petId'],
      ...query,
    });
    assert.equal(text.split('\r\n').length - 1, count);
    return text.trim().split('\r\n');
  };
  assert.deepEqual(await ids({ category: 'Dogs' }), ['1', '3', `${2n ** 60n}`]);
  assert.deepEqual(await ids({ category: 'Dogs', status: 'sold' }), ['3']);
  assert.deepEqual(await ids({ query: 'rex' }), ['1', '3', `${2n ** 60n}`]);
  assert.deepEqual(await ids({ query: 'rexo dog' }), [`${2n ** 60n}`]);
  assert.deepEqual(await ids({ query: ' -' }), ['']);
  assert.deepEqual(await ids({ quantityGte: 4, quantityLte: 4 }), ['2']);
  // The stock of the moment decides, not that of now.
  const { sequence } = await store.pets.exportPage({ format: 'csv', archived: 'exclude' });
  await store.importPets([petRow(2, { status: 'available' })], 'cli');
  assert.deepEqual(await ids({ status: 'sold', sequence }), ['2', '3']);
  const { stdout } = await cli('pets', 'export', '--columns', 'sku, quantity,petId', '--category', 'Dogs');
  assert.equal(stdout, `petId,quantity,sku\r\n1,3,\r\n3,5,rex\r\n${2n ** 60n},1000000000000000,\r\n`);
  const wrong = await cli('pets', 'export', '--columns', 'petId,price');
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /give some of petId, name, .*sku, barcodes/);
  const file = join(folder, 'dogs.xlsx');
  await cli('pets', 'export', file, '--columns', ALL);
  assert.match((await cli('pets', 'import', file)).stdout, /0 new, 0 changed, 4 unchanged/);
});

test('a workbook has no number that a spreadsheet rounds', () => {
  assert.match(
    sheetRow([10 ** 15, -(10n ** 15n), 2n ** 62n]),
    /^<row>(<c t="inlineStr">.*?<\/c>){3}<\/row>$/,
  );
  assert.equal(sheetRow([10 ** 15 - 1, null]), '<row><c><v>999999999999999</v></c><c/></row>');
});

test('a workbook is XML, whatever characters a name has', () => {
  const row = sheetRow(['\uFFFE \uFFFF', 'a\rb']);
  assert.match(row, />_xFFFE_ _xFFFF_<.*>a_x000D_b</);
});

test('a workbook takes no more rows than a sheet has', async (t) => {
  const sheet: ExportQuery = { format: 'xlsx', archived: 'exclude' };
  // Only the pets of the filters count, on all pages.
  const { store } = await newAdminStore(t);
  const rows = Array.from({ length: 2_500 }, (_, i) =>
    petRow(i + 1, { category: i % 2 === 0 ? 'Dogs' : 'Cats' }),
  );
  await store.importPets(rows, 'cli');
  assert.equal(await sheetFault(store.pets, { ...sheet, category: 'Dogs' }, 1_251), undefined);
  assert.match((await sheetFault(store.pets, { ...sheet, category: 'Dogs' }, 1_250)) ?? '', /1250 rows/);
  assert.match((await sheetFault(store.pets, sheet, 2_500)) ?? '', /more pets match/);
  assert.equal(await sheetFault(store.pets, sheet, 2_501), undefined);
  assert.equal(await sheetFault(store.pets, sheet), undefined);
  assert.equal(await sheetFault(store.pets, { ...sheet, format: 'csv' }, 2), undefined);
});

test('the command line exports pets by words, as the interface does', async (t) => {
  const { store, cli } = await newCliShop(t);
  await store.importPets(
    [petRow(1, { name: 'Golden Rex' }), petRow(2, { name: 'Lou' }), petRow(3, { name: 'Rexona' })],
    'cli',
  );
  const ids = async (...words: readonly string[]) =>
    (
      (await cli('pets', 'export', '--format', 'ndjson', ...words)).stdout.match(/(?<="petId":)\d+/g) ?? []
    ).join();
  assert.equal(await ids('--query', 'rex'), '1,3');
  assert.equal(await ids('--query', 'gold rex'), '1');
  assert.equal(await ids('--query', '2'), '2', 'a petId');
  assert.equal(await ids('--query', ' '), '1,2,3');
  assert.equal(await ids('--query', 'cat'), '');
});

test('an export has codes where they are asked for, in each format', async (t) => {
  const { store, cli } = await newCliShop(t);
  await store.importPets([petRow(1), petRow(2, { name: null })], 'cli');
  await store.pets.update(1n, { sku: '=S', barcodes: ['036000291452', 'a"b,c'] }, CLI_AUTHOR);
  const csv = (await cli('pets', 'export', '--columns', ALL)).stdout.split('\r\n');
  assert.match(csv[0] ?? '', /^petId,.*,sku,barcodes,supplier$/);
  assert.match(csv[1] ?? '', /,'=S,"036000291452\na""b,c",$/);
  assert.match(csv[2] ?? '', /,,,$/);
  for (const format of ['json', 'ndjson']) {
    const text = (await cli('pets', 'export', '--columns', ALL, '--format', format)).stdout;
    const [first, second] = JSON.parse(format === 'json' ? text : `[${text.trim().split('\n').join()}]`);
    assert.deepEqual([first.sku, first.barcodes], ['=S', ['036000291452', 'a"b,c']]);
    assert.deepEqual([second.sku, second.barcodes], [null, []]);
  }
  assert.doesNotMatch((await cli('pets', 'export')).stdout, /sku|036000291452|supplier/);
});

test('an export for a spreadsheet has the mark of UTF-8 and its separator, and imports again', async (t) => {
  const { cli, store, folder } = await newCliShop(t);
  await store.importPets(
    HOSTILE.map((text, i) => petRow(100 + i, { name: text.trim(), category: text.trim() })),
    'test',
  );
  const file = join(folder, 'pets.csv');
  for (const [separator, sign] of [
    ['semicolon', ';'],
    ['tab', '\t'],
    ['comma', ','],
  ] as const) {
    assert.equal((await cli('pets', 'export', file, '--separator', separator)).code, 0);
    const text = readFileSync(file, 'utf8');
    assert.ok(text.startsWith(`\ufeffpetId${sign}name${sign}category${sign}quantity`), separator);
    const { stdout } = await cli('pets', 'import', file, '--dry-run', '--json');
    const { created, changed, unchanged } = JSON.parse(stdout);
    assert.deepEqual([created, changed, unchanged], [0, 0, HOSTILE.length]);
  }
});
