import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnreadableFile } from '@petstore-inventory/shared/pet-file/faults';
import { PetFile, readToEnd } from '@petstore-inventory/shared/pet-file/pet-file';
import { PetRows } from '@petstore-inventory/shared/pet-file/rows';
import type { ImportFormat } from '@petstore-inventory/shared/words';
import fc from 'fast-check';

/** All that reading a file in pieces of some lengths gives. The last length repeats. */
function readInPieces(format: ImportFormat, bytes: Uint8Array, lengths: readonly number[]) {
  const read: unknown[] = [];
  const rows = new PetRows({
    maxFaults: 5,
    maxQuantity: 1_000,
    lines: new Map(),
    onRow: (row, place) => read.push({ ...row, ...place }),
  });
  const file = new PetFile(format, rows);
  let stop: unknown;
  try {
    for (let [start, turn] = [0, 0]; start < bytes.length; turn += 1) {
      const length = lengths[turn % lengths.length] ?? bytes.length;
      file.read(Buffer.from(bytes.slice(start, start + length)));
      start += length;
    }
    readToEnd(file);
  } catch (error) {
    assert(error instanceof UnreadableFile, String(error));
    stop = error.fault;
  }
  const { faults, faultCount, wrongRowCount, rowCount } = rows;
  return { read, faults, faultCount, wrongRowCount, rowCount, stop };
}

const CSV = [
  'petId',
  'quantity',
  'name',
  ',',
  ',',
  '\n',
  '\n',
  '\r\n',
  '\r',
  '"',
  '""',
  '1',
  '2',
  '77',
  'é😀',
  ' ',
];
const CSV_ROWS = [
  '1,5,Rex',
  '2,6,"a ""b"",\r\nc"',
  '3,7,"é😀\n\n"',
  '4,x,',
  '1,1,twice',
  '5,9999,',
  '"6","7","8"',
];
const JSON_PARTS = [
  '[',
  ']',
  '{',
  '}',
  ',',
  '\n',
  '"',
  '\\',
  ':',
  '1',
  '-0',
  '1e2',
  'petId',
  '"name"',
  'é😀',
  ' ',
];
const JSON_ROWS = [
  '{"petId":1,"quantity":5,"name":"Rex"}',
  '{"petId":"2","quantity":6.0,"name":"a\\"]},é😀"}',
  '{"petId":9007199254740993,"quantity":1e2}',
  '{"petId":4,"quantity":"x"}',
  '{"petId":1,"petId":1,"quantity":1}',
  '[[1]]',
  '12',
];

const sequence = (parts: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...parts), { maxLength });
const mostly = (rows: readonly string[], parts: readonly string[], separator: string) =>
  fc
    .array(
      fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(...rows) },
        sequence(parts, 3).map((p) => p.join('')),
      ),
      {
        maxLength: 8,
      },
    )
    .map((texts) => texts.join(separator));

const FILES: Readonly<Record<Exclude<ImportFormat, 'xlsx'>, fc.Arbitrary<string>>> = {
  csv: fc.oneof(
    sequence(CSV, 30).map((parts) => parts.join('')),
    fc
      .tuple(fc.constantFrom('', '\ufeff', '\r\n'), fc.constantFrom('\n', '\r', '\r\n'))
      .chain(([start, end]) =>
        mostly(CSV_ROWS, CSV, end).map((rows) => `${start}petId,quantity,name${end}${rows}`),
      ),
  ),
  ndjson: fc.oneof(
    sequence(JSON_PARTS, 30).map((parts) => parts.join('')),
    fc.constantFrom('\n', '\r\n', '\n\n').chain((end) => mostly(JSON_ROWS, JSON_PARTS, end)),
  ),
  json: fc.oneof(
    sequence(JSON_PARTS, 30).map((parts) => parts.join('')),
    fc
      .constantFrom(',', ' ,\r\n', ',\n\t')
      .chain((separator) => mostly(JSON_ROWS, JSON_PARTS, separator).map((rows) => ` [${rows} ]\n`)),
  ),
};

for (const format of ['csv', 'json', 'ndjson'] as const) {
  test(`${format}: a file in pieces of any length has the same rows and faults as the whole`, () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(FILES[format], lengths, (text, pieces) => {
        const bytes = new TextEncoder().encode(text);
        assert.deepEqual(readInPieces(format, bytes, pieces), readInPieces(format, bytes, [bytes.length]));
      }),
      { numRuns: 2_000 },
    );
  });

  test(`${format}: bytes that are not UTF-8 are refused in pieces of any length, on their line`, () => {
    // CSV may be in Windows-1252, except after a character of UTF-8.
    const text = Buffer.from(format === 'csv' ? 'petId,quantity,name\n1,1,é\r\r\n\n' : '\n\r\r\n\n');
    for (const wrong of [[0xff], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98], [0xc3, 0x28]]) {
      for (const length of [1, 2, 3, 5, 100]) {
        const { stop } = readInPieces(format, Buffer.concat([text, Buffer.of(...wrong)]), [length]);
        assert.deepEqual(stop, {
          line: 5,
          element: null,
          field: null,
          code: 'unreadable_text',
          values: { encoding: 'UTF-8' },
          message: 'this is not UTF-8 text; save the file as UTF-8.',
          row: null,
        });
      }
    }
  });
}
