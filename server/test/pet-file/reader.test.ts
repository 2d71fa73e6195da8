import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AmbiguousCount, parseCount } from '@petstore-inventory/shared/pet-file/counts';
import {
  type CsvRecord,
  CsvRecords,
  SEPARATORS,
  UnreadableCsv,
} from '@petstore-inventory/shared/pet-file/csv-records';
import { MAX_ROW_CHARACTERS } from '@petstore-inventory/shared/pet-file/faults';
import { PetFile, readToEnd } from '@petstore-inventory/shared/pet-file/pet-file';
import { PetRows } from '@petstore-inventory/shared/pet-file/rows';
import type { Encoding } from '@petstore-inventory/shared/words';
import fc from 'fast-check';

/** A text in an encoding, with the mark that some programs write. */
function encoded(text: string, encoding: Encoding, hasMark: boolean): Buffer {
  const marked = hasMark ? `\ufeff${text}` : text;
  if (encoding === 'utf-8') return Buffer.from(marked);
  if (encoding === 'windows-1252') return Buffer.from(text, 'latin1');
  const little = Buffer.from(marked, 'utf16le');
  return encoding === 'utf-16le' ? little : little.swap16();
}

function readCsv(bytes: Uint8Array, pieceBytes = bytes.length) {
  const read: string[] = [];
  const rows = new PetRows({
    maxFaults: 10,
    onRow: ({ petId, name, quantity }, { line }) => read.push(`${line}: ${petId} ${name} ${quantity}`),
  });
  const file = new PetFile('csv', rows);
  for (let start = 0; start < bytes.length; start += pieceBytes)
    file.read(bytes.subarray(start, start + pieceBytes));
  readToEnd(file);
  return { read, faults: rows.faults };
}

describe('one reader for the files of all programs', () => {
  const WAYS: readonly (readonly [Encoding, hasMark: boolean])[] = [
    ['utf-8', false],
    ['utf-8', true],
    ['utf-16le', true],
    ['utf-16le', false],
    ['utf-16be', true],
    ['utf-16be', false],
    ['windows-1252', false],
  ];
  for (const [encoding, hasMark] of WAYS) {
    test(`${encoding} ${hasMark ? 'with' : 'without'} a mark, each separator and line end, in pieces of any length`, () => {
      for (const separator of SEPARATORS) {
        for (const end of ['\n', '\r\n', '\r']) {
          const lines = [
            ['Tier-Nr.', 'Bezeichnung', 'Bestand'],
            ['7', 'Müsli ß', '1200,00'],
            ['', '', ''],
            ['8', 'Œuf'.replace('Œ', 'Ö'), '2'],
          ];
          const text = lines.map(
            (fields) => fields.map((f) => (f.includes(separator) ? `"${f}"` : f)).join(separator) + end,
          );
          const bytes = encoded(text.join(''), encoding, hasMark);
          for (const length of [1, 2, 3, 7, bytes.length]) {
            const { read, faults } = readCsv(bytes, length);
            assert.deepEqual(
              [read, faults],
              [['2: 7 Müsli ß 1200', '4: 8 Öuf 2'], []],
              `${separator} ${length}`,
            );
          }
        }
      }
    });
  }

  test('a line sep= names the separator, and keeps the lines of the rows', () => {
    for (const [named, separator] of [
      ['sep=;', ';'],
      ['SEP=\t', '\t'],
      ['"sep=|"', '|'],
      ['sep=,,,', ','],
    ] as const) {
      const text = `${named}\r\npetId${separator}quantity\r\n1${separator}5\r\n`;
      assert.deepEqual(readCsv(Buffer.from(text)).read, ['3: 1 null 5'], named);
    }
  });

  test('columns and rows that a spreadsheet adds at the end are nothing, and a value there is not', () => {
    const text = 'petId,quantity,,\n1,5,,\n,,,\n2,6,,,\n3,7\n4,8,x,\n,,,\n';
    const { read, faults } = readCsv(Buffer.from(text));
    assert.deepEqual(read, ['2: 1 null 5', '4: 2 null 6', '5: 3 null 7']);
    assert.deepEqual(
      faults.map(({ line, row }) => [line, row]),
      [[6, '4,8,x,']],
    );
  });

  test('two headings of one field are refused, and so is an unknown one', () => {
    const refused = (text: string) => {
      try {
        readCsv(Buffer.from(text));
      } catch (error) {
        return (error as Error).message;
      }
      return assert.fail('the file was accepted');
    };
    assert.match(refused('Pet no;Tiernr;Menge\n1;2;3\n'), /"Pet no" and "Tiernr" are both petId/);
    assert.match(refused('Id;Menge;Farbe\n1;2;rot\n'), /the column "Farbe" is not kept/);
    assert.match(
      refused('Name;Menge\nRex;2\n'),
      /the column petId is missing; .* sku, item no, Artikelnummer, EAN/,
    );
  });
});

test('an article number is never a petId', () => {
  for (const heading of ['SKU', 'Artikelnummer', 'Artikel-Nr.', 'Item no', 'Nr', 'Product ID', 'article']) {
    const read: unknown[] = [];
    const rows = new PetRows({ maxFaults: 1, onRow: ({ petId, codes }) => read.push([petId, codes]) });
    const file = new PetFile('csv', rows);
    file.read(Buffer.from(`${heading};Menge\n7;2\n`));
    readToEnd(file);
    // With 7 as the SKU of pet 8, the row would be that of pet 7.
    assert.deepEqual(read, [[undefined, { sku: '7', barcodes: null }]], heading);
  }
});

describe('a count is read as it is meant, or refused', () => {
  test('whole numbers of both countries', () => {
    for (const [text, count] of [
      ['1200', 1200],
      ['-5', -5],
      ['-0', 0],
      [' 12 ', 12],
      ['12,0', 12],
      ['12.00', 12],
      ['1200,000', 1200],
      ['1.200,00', 1200],
      ['1,200.0', 1200],
      ['1.200.000', 1_200_000],
      ['12,345,678', 12_345_678],
      ['1 200', 1200],
      ['1\u202f200', 1200],
      ['1\u00a0200,0', 1200],
      ["1'200", 1200],
      ['0,000', 0],
      ['9007199254740991', 9_007_199_254_740_991],
    ] as const) {
      assert.equal(parseCount(text), count, text);
    }
  });

  test('text that is not a whole number, or not a number', () => {
    for (const text of [
      '12,5',
      '1.5',
      '0.500',
      '1.2000.000',
      '1.200.00',
      '12.34.567',
      '1,2.3',
      '1e3',
      '+5',
      '5-',
      '',
      '٣',
      '9007199254740992',
      '1.200,5',
      '1 20',
    ])
      assert.equal(parseCount(text), undefined, text);
  });

  test('a text with two readings names both, and refuses its row with the row', () => {
    for (const [text, grouped, decimal] of [
      ['1.200', '1200', '1.2'],
      ['1,000', '1000', '1'],
      ['-12.345', '-12345', '-12.345'],
    ] as const) {
      const count = parseCount(text);
      assert.ok(count instanceof AmbiguousCount, text);
      assert.deepEqual(count.readings, [grouped, decimal]);
    }
    const { read, faults } = readCsv(Buffer.from('id;menge;min\n1;1.200;\n2;5;1,500\n3;1.200.000;\n'));
    assert.deepEqual(read, ['4: 3 null 1200000']);
    assert.deepEqual(faults, [
      {
        line: 2,
        element: null,
        field: 'quantity',
        code: 'ambiguous_number',
        values: { value: '"1.200"', grouped: '1200', decimal: '1.2', grouping: 'comma' },
        message: '"1.200" could be 1200 or 1.2: it is 1200 with decimal comma, and 1.2 with decimal point.',
        row: '1;1.200;',
      },
      {
        line: 3,
        element: null,
        field: 'lowStockAt',
        code: 'ambiguous_number',
        values: { value: '"1,500"', grouped: '1500', decimal: '1.5', grouping: 'point' },
        message: '"1,500" could be 1500 or 1.5: it is 1500 with decimal point, and 1.5 with decimal comma.',
        row: '2;5;1,500',
      },
    ]);
  });
});

describe('records', () => {
  const read = (text: string, lengths: readonly number[]) => {
    const records = new CsvRecords(',');
    const found: CsvRecord[] = [];
    try {
      for (let [start, turn] = [0, 0]; start < text.length; turn += 1) {
        const length = lengths[turn % lengths.length] ?? text.length;
        records.read(text.slice(start, start + length), false, (record) => found.push(record));
        start += length;
      }
      records.read('', true, (record) => found.push(record));
    } catch (error) {
      assert.ok(error instanceof UnreadableCsv);
      return { found, fault: [error.line, error.fault] };
    }
    return { found, fault: undefined };
  };

  test('fields that are written are read, in pieces of any length', () => {
    const field = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ' ', '😀'), maxLength: 6 });
    const table = fc.array(fc.array(field, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 });
    const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(table, lengths, fc.boolean(), (rows, pieces, isEnded) => {
        const written = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
        const text = rows.map((row) => row.map(written).join()).join('\n') + (isEnded ? '\n' : '');
        const { found } = read(text, pieces);
        // An empty line at the very end is no record.
        const isLost = !isEnded && rows.at(-1)?.join() === '' && rows.at(-1)?.length === 1;
        assert.deepEqual(
          found.map(({ fields }) => fields),
          isLost ? rows.slice(0, -1) : rows,
        );
        const last = found.at(-1);
        if (last)
          assert.equal(
            last.line + last.lines - 1,
            text.slice(0, isEnded ? -1 : undefined).split('\n').length - (isLost ? 1 : 0),
          );
      }),
      { numRuns: 500 },
    );
  });

  test('a row of one character too many is refused, whatever the pieces; quoted too', () => {
    for (const over of [-1, 0, 1, MAX_ROW_CHARACTERS + 1]) {
      for (const [length, isQuoted] of [
        [MAX_ROW_CHARACTERS + over, false],
        [MAX_ROW_CHARACTERS + over - 2, true],
      ] as const) {
        const row = 'x'.repeat(length);
        const text = `a\n${isQuoted ? `"${row}"` : row}\nb\n`;
        for (const pieces of [[text.length], [1_000], [MAX_ROW_CHARACTERS], [MAX_ROW_CHARACTERS + 1]]) {
          const { found, fault } = read(text, pieces);
          if (over <= 0) assert.deepEqual([found.length, fault], [3, undefined]);
          else {
            assert.equal(found.length, 1);
            assert.equal(fault?.[0], 2);
            if (!isQuoted) assert.equal(fault?.[1], 'row-too-long');
          }
        }
      }
    }
  });
});
