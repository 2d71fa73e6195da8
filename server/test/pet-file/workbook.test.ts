import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { UnreadableFile } from '@petstore-inventory/shared/pet-file/faults';
import { type ImportProblem, importProblem } from '@petstore-inventory/shared/pet-file/import-problems';
import { PetFile } from '@petstore-inventory/shared/pet-file/pet-file';
import type { ReadOptions } from '@petstore-inventory/shared/pet-file/read';
import type { Reading } from '@petstore-inventory/shared/pet-file/reading';
import { RefusedFile } from '@petstore-inventory/shared/pet-file/refused-file';
import { PetRows } from '@petstore-inventory/shared/pet-file/rows';
import { sheetRows } from '@petstore-inventory/shared/pet-file/workbook/sheet-rows';
import {
  type Book,
  openWorkbook,
  RefusedWorkbook,
} from '@petstore-inventory/shared/pet-file/workbook/workbook';
import { XlsxFile } from '@petstore-inventory/shared/pet-file/workbook/xlsx';
import { strToU8, unzipSync, zipSync } from 'fflate';
import fc from 'fast-check';
import { archive, type BuiltCell, type BuiltSheet, workbook } from '../support/workbook.ts';
import { readPetFile } from '../support/read-pet-file.ts';
import { isSkippedDaily } from '../support/long-test.ts';

/** Asserts that a workbook with a wrong byte is refused, or has its one row. Tries one of `step` bytes. */
function assertNoByteChanges(book: Uint8Array, step: number): void {
  for (let at = 4; at < book.length; at += step) {
    const changed = book.slice();
    changed[at] = (changed[at] ?? 0) ^ 0x10;
    const { good, stop, wrong } = read(changed, {}, book.length);
    if (stop === undefined) assert.deepEqual([good, wrong], [['2: 1 a 1'], []], `byte ${at}`);
  }
}

/** What a reader makes of a workbook: its rows, and what is wrong. */
function read(bytes: Uint8Array, reading: Reading = {}, pieceBytes = 1_000) {
  const good: string[] = [];
  const rows = new PetRows({
    ...reading,
    maxFaults: 100,
    onRow: ({ petId, name, quantity }, { line }) => good.push(`${line}: ${petId} ${name} ${quantity}`),
  });
  const file = new PetFile('xlsx', rows, reading);
  const wrong = () =>
    rows.faults.map(({ line, field, code, values, row }) => [line, field, code, values.value, row]);
  try {
    for (let start = 0; start < bytes.length; start += pieceBytes)
      file.read(bytes.subarray(start, start + pieceBytes));
    for (const _ of file.finish());
  } catch (error) {
    assert.ok(error instanceof UnreadableFile, String(error instanceof Error ? error.stack : error));
    return { good, wrong: wrong(), stop: [error.fault.line, error.fault.code], message: error.fault.message };
  }
  return { good, wrong: wrong() };
}

/** The book, after all steps. */
function opened(bytes: Uint8Array): Book {
  const steps = openWorkbook(bytes);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

const sheet = (...rows: (readonly BuiltCell[])[]): BuiltSheet => ({ name: 'Tabelle1', rows });
const xml = (text: string) => ({ xml: text });
const HEADER = ['Tiernummer', 'Bezeichnung', 'Bestand'];

describe('a workbook', () => {
  const rows = [
    ['Zoogroßhandel Müller'],
    [],
    HEADER,
    [7, 'Napf & "Kugel" <b>', 1200],
    [null, null, null, null],
    ['8', null, '12,0'],
    [9, 4711, 3.0, null, ''],
  ] as const;

  test('rows below a title are read with their numbers, texts shared or in the cells, in pieces of any length', () => {
    for (const isInline of [false, true])
      for (const pieceBytes of [1, 7, 100_000])
        assert.deepEqual(read(workbook([sheet(...rows)], { isInline }), {}, pieceBytes), {
          good: ['4: 7 Napf & "Kugel" <b> 1200', '6: 8 null 12', '7: 9 4711 3'],
          wrong: [],
        });
  });

  test('cells without a value of their own are faults of their rows, with the content', () => {
    const { good, wrong } = read(
      workbook([
        sheet(
          HEADER,
          [1, 'a', xml('<c s="1"><v>46082</v></c>')],
          [2, xml('<c s="2"><v>46082.5</v></c>'), 1],
          [3, 'b', xml('<c t="e"><v>#N/A</v></c>')],
          [4, 'c', xml('<c><f>A1*2</f></c>')],
          [5, 'd', xml('<c><f>[1]Lager!$B$2</f><v>6</v></c>')],
          [6, 'e', xml('<c><f t="shared" ref="C7:C8" si="0">\'[2]x\'!A1</f><v>6</v></c>')],
          [7, 'f', xml('<c><f t="shared" si="0"/><v>8</v></c>')],
          [8, 'g', xml('<c><f>SUM(T[Menge])</f><v>9</v></c>')],
          [9, xml('<c t="str"><f>A1</f><v>h</v></c>'), xml('<c s="3"><v>10</v></c>')],
          [10, 'i', xml('<c t="b"><v>1</v></c>')],
          [11, 'j', 1.234],
          [12, 'k', -0.5],
          [13, xml('<c t="str"><f>""</f><v></v></c>'), 4],
          [xml('<c s="1"><v>1</v></c>'), 'l', xml('<c t="e"><v>#REF!</v></c>')],
        ),
      ]),
    );
    assert.deepEqual(good, ['9: 8 g 9', '10: 9 h 10', '14: 13 null 4']);
    assert.deepEqual(wrong, [
      [2, 'quantity', 'date_cell', '2026-03-01', '1;a;2026-03-01'],
      [3, 'name', 'date_cell', '2026-03-01 12:00:00', '2;2026-03-01 12:00:00;1'],
      [4, 'quantity', 'error_cell', '#N/A', '3;b;#N/A'],
      [5, 'quantity', 'formula_without_value', undefined, '4;c;'],
      [6, 'quantity', 'external_cell', '6', '5;d;6'],
      [7, 'quantity', 'external_cell', '6', '6;e;6'],
      [8, 'quantity', 'external_cell', '8', '7;f;8'],
      [11, 'quantity', 'invalid_quantity', '"TRUE"', '10;i;TRUE'],
      [12, 'quantity', 'invalid_quantity', '1.234', '11;j;1.234'],
      [13, 'quantity', 'invalid_quantity', '-0.5', '12;k;-0.5'],
      [15, 'petId', 'date_cell', '1899-12-31', '1899-12-31;l;#REF!'],
      [15, 'quantity', 'error_cell', '#REF!', '1899-12-31;l;#REF!'],
    ]);
    const mac = read(workbook([sheet(HEADER, [1, 'a', xml('<c s="1"><v>44620</v></c>')])], { is1904: true }));
    assert.equal(mac.wrong[0]?.[3], '2026-03-01');
  });

  test('digits that a spreadsheet does not keep are never an id', () => {
    const ids = [
      '<c><v>1.2345678901234568E+18</v></c>',
      '<c><v>1E+16</v></c>',
      '<c><v>9007199254740993</v></c>',
    ];
    const { good, wrong } = read(
      workbook([
        sheet(
          HEADER,
          ...ids.map((id) => [xml(id), '', 1]),
          ['9007199254740993', '', 2],
          [xml('<c><v>4E2</v></c>'), '', 5],
        ),
      ]),
    );
    assert.deepEqual(good, ['4: 9007199254740993 null 1', '5: 9007199254740993 null 2', '6: 400 null 5']);
    assert.deepEqual(
      wrong.map(([line, , code]) => [line, code]),
      [
        [2, 'invalid_pet_id'],
        [3, 'invalid_pet_id'],
      ],
    );
  });

  test('a number of a cell proves nothing about numbers that are texts', () => {
    const { wrong } = read(
      workbook([sheet([...HEADER, 'Preis'], [1, '', '1.200', 12.5], [2, '', 1.5, 1])], {}),
      {
        ignored: ['Preis'],
      },
    );
    assert.deepEqual(
      wrong.map(([line, , code]) => [line, code]),
      [
        [2, 'ambiguous_number'],
        [3, 'invalid_quantity'],
      ],
    );
  });

  test('the visible sheet with the headings is read, and of several a person chooses', () => {
    const notes = { name: 'Hinweise', rows: [['Stand', 'heute']] };
    const hidden = { name: 'Alt', isHidden: true, rows: [HEADER, [1, 'alt', 1]] };
    const first = { name: 'Nord', rows: [HEADER, [1, 'a', 1]] };
    const second = { name: 'Süd "2"', rows: [['Titel'], HEADER, [2, 'b', 2]] };
    assert.deepEqual(read(workbook([notes, hidden, first])).good, ['2: 1 a 1']);
    const both = workbook([first, notes, second]);
    const question = read(both);
    assert.deepEqual(question.stop, [null, 'several_sheets']);
    assert.equal(question.message, 'the sheets "Nord", "Süd \\"2\\"" have pets; say which one to read.');
    assert.deepEqual(read(both, { sheet: 'Süd "2"' }).good, ['3: 2 b 2']);
    assert.equal(
      read(workbook([hidden, first]), { sheet: 'Alt' }).message,
      'there is no visible sheet "Alt"; there are "Nord".',
    );
    assert.deepEqual(read(workbook([notes])).stop, [1, 'unknown_column']);
  });

  test('what is no workbook, and what is damaged or would run, is refused in a sentence', () => {
    const good = workbook([sheet(HEADER, [1, 'a', 1])]);
    const stopOf = (bytes: Uint8Array) => read(bytes).stop?.join();
    assert.equal(
      stopOf(archive({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet' })),
      ',no_workbook',
    );
    assert.equal(stopOf(strToU8('petId;quantity\n1;2\n')), ',no_workbook');
    assert.equal(stopOf(new Uint8Array(0)), ',empty_file');
    assert.equal(
      stopOf(workbook([sheet(HEADER, [1, 'a', 1])], { extra: { 'xl/vbaProject.bin': 'x' } })),
      ',workbook_macros',
    );
    assert.equal(stopOf(workbook([sheet(HEADER)])), ',no_pets');
    assert.match(importProblem('no_pets', { format: 'xlsx' }).message, /add one row per pet/);
    assert.equal(stopOf(workbook([{ name: 'a', rows: [], isHidden: true }])), ',no_workbook');
    for (const broken of [
      { 'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row r="1"><c r="A1"' },
      {
        'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row r="2"/><row r="1"/></sheetData></worksheet>',
      },
      { 'xl/worksheets/sheet1.xml': '<w><row r="1"><c r="B1"/><c r="A1"/></row></w>' },
      { 'xl/worksheets/sheet1.xml': '<w><row r="1"><c r="A1" t="s"><v>99</v></c></row></w>' },
      { 'xl/worksheets/sheet1.xml': '<w><row r="9999999"/></w>' },
      { 'xl/worksheets/sheet1.xml': `<w>${'<a>'.repeat(1_000)}${'</a>'.repeat(1_000)}</w>` },
      { 'xl/worksheets/sheet1.xml': `<w>${'x'.repeat(2_000_000)}` },
      { 'xl/workbook.xml': '<workbook' },
    ] satisfies Record<string, string>[])
      assert.equal(
        stopOf(workbook([sheet(HEADER, [1, 'a', 1])], { extra: broken })),
        ',damaged_workbook',
        JSON.stringify(broken).slice(0, 80),
      );
    assertNoByteChanges(good, 4);
    for (const length of [5, 100, good.length - 1])
      assert.equal(stopOf(good.slice(0, length)), ',damaged_workbook');
  });

  test('a name that damage changed is not read', () => {
    // Stored, so that only its checksum tells.
    const book = zipSync(unzipSync(workbook([sheet(HEADER, [1, 'Rex', 1])])), { level: 0 });
    assert.deepEqual(read(book), { good: ['2: 1 Rex 1'], wrong: [] });
    const at = Buffer.from(book).indexOf('Rex');
    book[at] = (book[at] ?? 0) ^ 0x01;
    assert.equal(read(book).stop?.join(), ',damaged_workbook');
  });

  test('no byte of a workbook changes its rows', (t) => {
    if (isSkippedDaily(t)) return;
    assertNoByteChanges(workbook([sheet(HEADER, [1, 'a', 1])]), 1);
  });

  test('any cells are read back as they were written', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'ß', '&', '<', '"', "'", ';', ' ', '😀', '='),
      minLength: 1,
      maxLength: 12,
    });
    const row = fc.tuple(text, fc.nat(), fc.boolean(), fc.nat({ max: 3 }));
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 20 }), fc.boolean(), (given, isInline) => {
        const cells: BuiltCell[][] = [];
        const expected: string[] = [];
        given.forEach(([name, quantity, isText, gap], i) => {
          for (let empty = 0; empty < gap; empty += 1) cells.push([]);
          cells.push([i + 1, name, isText ? String(quantity) : quantity]);
          const kept = /^'*[=+\-@]/.test(name) && name.startsWith("'") ? name.slice(1) : name;
          expected.push(
            `${cells.length + 1}: ${i + 1} ${kept.trim() === '' ? null : kept.trim()} ${quantity}`,
          );
        });
        assert.deepEqual(read(workbook([sheet(HEADER, ...cells)], { isInline })), {
          good: expected,
          wrong: [],
        });
      }),
      { numRuns: 200, seed: 24 },
    );
  });
});

describe('a bomb is refused before its rows are stored', () => {
  const bomb = (content: string) =>
    workbook([sheet(HEADER, [1, 'a', 1])], { extra: { 'xl/worksheets/sheet1.xml': content } });

  test('a million empty rows, thousands of columns, and rows without an end', () => {
    const rows = (count: number, row = '<row/>') => `<w><sheetData>${row.repeat(count)}</sheetData></w>`;
    const header = `<row>${HEADER.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;
    const pet = '<row><c><v>1</v></c><c/><c><v>2</v></c></row>';
    assert.deepEqual(read(bomb(rows(1_000_000))).stop, [null, 'too_many_empty_rows']);
    assert.deepEqual(read(bomb(rows(1_000_000, '<row><c s="1"/></row>'))).stop, [
      null,
      'too_many_empty_rows',
    ]);
    const few = `<w>${header}${'<row/>'.repeat(200_000)}${pet}</w>`;
    assert.deepEqual(read(bomb(few)).good, ['200002: 1 null 2']);
    assert.deepEqual(read(bomb(`<w><row><c r="IW1"><v>1</v></c></row></w>`)).stop, [
      null,
      'too_many_columns',
    ]);
    assert.deepEqual(read(bomb(`<w><row><c r="XFD1" s="1"/></row>${header}${pet}</w>`)).good, [
      '3: 1 null 2',
    ]);
    const long = `<row><c t="inlineStr"><is>${`<t>${'x'.repeat(30_000)}</t>`.repeat(10)}</is></c></row>`;
    assert.deepEqual(read(bomb(`<w>${long}</w>`)).stop, [1, 'row_too_long']);
  });

  test('the sheets among which one has pets, within a limit for all of them, and step by step', () => {
    const idle = `<w>${'<a></a>'.repeat(100_000)}</w>`;
    const extra = { 'xl/worksheets/sheet1.xml': idle, 'xl/worksheets/sheet2.xml': idle };
    const sheets = ['Notes', 'More notes', 'Pets'].map((name) => ({ name, rows: [HEADER, [1, 'a', 1]] }));
    const bytes = workbook(sheets, { extra });
    const open = (maxBytes?: number) => {
      const refuse = (line: number | null, problem: ImportProblem): never => {
        throw new UnreadableFile(line, problem);
      };
      const file = new XlsxFile(refuse, undefined, undefined, maxBytes);
      file.add(bytes);
      return file;
    };
    const file = open(1_500_000);
    const steps = file.rows();
    for (let step = 0; step < 20; step += 1) {
      assert.deepEqual(steps.next(), { done: false, value: undefined });
      assert.equal(file.sheet, undefined);
    }
    assert.deepEqual(
      [...steps].flatMap((row) => (row ? [row.fields] : [])),
      [HEADER, [1, 'a', 1]],
    );
    assert.equal(file.sheet, 'Pets');
    assert.throws(
      () => [...open(1_000_000).rows()],
      (error) => error instanceof UnreadableFile && error.fault.code === 'workbook_too_large',
    );
  });

  test('each part that the cells refer to, step by step', () => {
    const many = (element: string) => `<w>${element.repeat(100_000)}</w>`;
    const sheets = [sheet(HEADER, [1, null, 1])];
    for (const [path, element] of [
      ['xl/sharedStrings.xml', '<si></si>'],
      ['xl/styles.xml', '<a></a>'],
    ] as const) {
      const bytes = workbook(sheets, { isInline: true, extra: { [path]: many(element) } });
      const file = new XlsxFile(() => assert.fail());
      file.add(bytes);
      const steps = [...file.rows()];
      assert.equal(steps.filter((row) => row !== undefined).length, 2);
      assert.ok(steps.length > 15, `${steps.length} steps of ${path}`);
    }
  });

  test('a long text to which the cells of many rows refer', () => {
    const long = 'x'.repeat(1_000);
    // The texts are three headings, and then this one.
    const refers = xml('<c t="s"><v>3</v></c>');
    const book = opened(workbook([sheet(HEADER, [1, long, 1], [2, refers, 1], [3, refers, 1])]));
    const [pets] = book.sheets;
    assert.ok(pets);
    const rowCount = (maxCharacters: number) =>
      [...sheetRows(book, pets, maxCharacters)].filter((row) => row !== undefined).length;
    const characters = HEADER.join('').length + 3 * long.length;
    assert.equal(rowCount(characters), 4);
    assert.throws(
      () => rowCount(characters - 1),
      (error) => error instanceof RefusedWorkbook && error.problem.code === 'workbook_too_large',
    );
  });

  test('sizes that the directory says, and sizes about which it lies, within memory', () => {
    const files = { 'xl/sharedStrings.xml': `<sst>${'<si/>'.repeat(2_000_001)}</sst>` };
    const many = workbook([sheet(HEADER, [1, 'a', 1])], { extra: files });
    assert.deepEqual(read(many).stop, [null, 'damaged_workbook']);
    const said = workbook([sheet(HEADER, [1, 'a', 1])]);
    // The unpacked size of each file in the directory at the end.
    const view = new DataView(said.buffer);
    for (let at = 0; at < said.length - 46; at += 1)
      if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 0xffffffff - 1, true);
    assert.deepEqual(read(said).stop, [null, 'workbook_too_large']);
    const pet =
      '<row><c t="inlineStr"><is><t>id</t></is></c><c t="inlineStr"><is><t>menge</t></is></c></row><row><c><v>1</v></c><c><v>1</v></c></row>';
    const lying = bomb(`<w>${'<a/>'.repeat(10_000_000)}${pet}</w>`);
    const lie = new DataView(lying.buffer);
    for (let at = 0; at < lying.length - 46; at += 1)
      if (lie.getUint32(at, true) === 0x02014b50 && lie.getUint32(at + 24, true) >= 40_000_000)
        lie.setUint32(at + 24, 1_000, true);
    const before = process.memoryUsage().arrayBuffers;
    const { good, stop } = read(lying, {}, lying.length);
    assert.deepEqual([good, stop], [[], [null, 'damaged_workbook']]);
    assert.ok(process.memoryUsage().arrayBuffers - before < 40_000_000);
    const large = zipSync({ a: new Uint8Array(65_000_000) }, { level: 0 });
    assert.deepEqual(read(large, {}, 1_000_000).stop, [null, 'workbook_too_large']);
  });

  test('ten times the rows take ten times the time', (t) => {
    if (isSkippedDaily(t)) return;
    const cost = (count: number) => {
      const rows = Array.from({ length: count }, (_, i) => [i + 1, `Napf ${i}`, i % 100]);
      const bytes = workbook([sheet(HEADER, ...rows)]);
      const beganAt = process.cpuUsage();
      assert.equal(read(bytes, {}, bytes.length).good.length, count);
      const { user, system } = process.cpuUsage(beganAt);
      return user + system;
    };
    cost(2_000);
    const [one, ten] = [cost(4_000), cost(40_000)];
    assert.ok(ten < one * 30, `${one} µs and ${ten} µs`);
  });
});

describe('the file of a workbook', () => {
  const folder = mkdtempSync(join(tmpdir(), 'workbooks-'));
  const refusal = (name: string, bytes: Uint8Array, options?: ReadOptions) => {
    writeFileSync(join(folder, name), bytes);
    try {
      return readPetFile(join(folder, name), options).length;
    } catch (error) {
      assert.ok(error instanceof RefusedFile, String(error));
      return error.message.replace(folder, '');
    }
  };

  test('is one whatever its name, and its questions name their options', () => {
    const first = { name: 'A', rows: [HEADER, [1, 'a', 1]] };
    for (const name of ['a.xlsx', 'a.csv', 'a.XLSX', 'a'])
      assert.equal(refusal(name, workbook([first])), 1, name);
    assert.equal(
      refusal('b.xlsx', workbook([first, { ...first, name: 'B' }])),
      '/b.xlsx: the sheets "A", "B" have pets; say which one to read. Name it with --sheet. Nothing was imported.',
    );
    assert.equal(
      refusal('c.xlsx', strToU8('id;menge\n1;2')),
      '/c.xlsx: this is no .xlsx workbook; save the sheet as .xlsx or CSV (UTF-8). Nothing was imported.',
    );
    assert.equal(
      refusal('d.xlsx', workbook([{ ...first, rows: [HEADER, [1, 'a', 'viele'], [2, 'b', 1]] }])),
      '/d.xlsx: 1 row is wrong; nothing was imported.\n  line 2, quantity: "viele" is not a whole number from 0 to 9007199254740991.',
    );
  });
});
