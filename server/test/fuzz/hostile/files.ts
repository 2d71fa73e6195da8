import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { PET_FIELDS } from '@petstore-inventory/shared/pet-file/headings';
import { readPets } from '@petstore-inventory/shared/pet-file/read';
import { PetFileError } from '@petstore-inventory/shared/pet-file/refused-file';
import { Progress } from '../../support/progress.ts';
import { assertLinear } from './cpu-time.ts';
import { JSON_SHAPES, type Shape, TEXT_SHAPES } from './shapes.ts';

type Maker = (size: number) => string | Uint8Array;

const SAMPLES = {
  petId: '42',
  sku: 'DOG-1',
  barcodes: '4006381333931',
  name: 'Rex',
  category: 'Dogs',
  quantity: '7',
  status: 'sold',
  lowStockAt: '5',
  restockAt: '9',
  supplier: 'Zoo',
} as const;

/** A file in each format with a shape as the whole of it, in each field, and in each field of many rows. */
function hostileFiles(): [name: string, extension: string, Maker][] {
  const files: [string, string, Maker][] = [];
  const all = { ...TEXT_SHAPES, ...JSON_SHAPES };
  for (const [shapeName, shape] of Object.entries(all)) {
    for (const extension of ['csv', 'json', 'ndjson']) {
      files.push([`${shapeName} as a file`, extension, (size) => shape(size, '{"petId":1,"quantity":1}\n')]);
    }
    files.push([`${shapeName} in the header`, 'csv', (size) => `${shape(size, 'petId,')},quantity\n1,1\n`]);
    files.push(...PET_FIELDS.flatMap((field) => inField(field, shapeName, shape)));
  }
  for (const [name, bytes] of Object.entries(INVALID_BYTES)) {
    for (const extension of ['csv', 'json', 'ndjson']) files.push([name, extension, bytes]);
  }
  return files;
}

const INVALID_BYTES: Readonly<Record<string, Maker>> = {
  'bytes that are no UTF-8': (size) => Buffer.alloc(size, 0xff),
  'lines, the last one no UTF-8': (size) => Buffer.concat([Buffer.alloc(size, 'a\n'), Buffer.of(0xff)]),
  'carriage returns': (size) => Buffer.alloc(size, '\r'),
  'surrogates as UTF-8': (size) => Buffer.alloc(size, Buffer.of(0xed, 0xa0, 0x80)),
};

function inField(field: string, shapeName: string, shape: Shape): [string, string, Maker][] {
  const sample = SAMPLES[field as keyof typeof SAMPLES];
  const csvRow = (text: string) =>
    Object.entries(SAMPLES)
      .map(([name, value]) => (name === field ? text : value))
      .join();
  const jsonRow = (json: string) =>
    `{${Object.entries(SAMPLES)
      .map(([name, value]) => `"${name}":${name === field ? json : JSON.stringify(value)}`)
      .join()}}`;
  const header = `${Object.keys(SAMPLES).join()}\n`;
  const rows = (size: number, row: (text: string) => string, between: string) =>
    Array<string>(Math.ceil(size / 200))
      .fill(row(shape(160, sample)))
      .join(between);
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const asText = (text: string) => JSON.stringify(text);
  return [
    [`${shapeName} in ${field}`, 'csv', (size) => `${header}${csvRow(shape(size, sample))}\n`],
    [`${shapeName} quoted in ${field}`, 'csv', (size) => `${header}${csvRow(quoted(shape(size, sample)))}\n`],
    [`rows of ${shapeName} in ${field}`, 'csv', (size) => `${header}${rows(size, csvRow, '\n')}\n`],
    [`${shapeName} as text in ${field}`, 'json', (size) => `[${jsonRow(asText(shape(size, sample)))}]`],
    [`${shapeName} as JSON in ${field}`, 'json', (size) => `[${jsonRow(shape(size, sample))}]`],
    [`rows of ${shapeName} as JSON in ${field}`, 'json', (size) => `[${rows(size, jsonRow, ',')}]`],
    [`rows of ${shapeName} as JSON in ${field}`, 'ndjson', (size) => rows(size, jsonRow, '\n')],
  ];
}

/** Reads files of a size and of 8 times that size; one in so many of them. */
export async function assertFilesLinear(t: TestContext, size: number, every: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-files-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const files = hostileFiles().filter((_, i) => i % every === 0);
  const progress = new Progress('files', files.length);
  for (const [name, extension, maker] of files) {
    const path = join(folder, `pets.${extension}`);
    let written = 0;
    await assertLinear(`${name}, .${extension}`, size, (bytes) => {
      if (written !== bytes) writeFileSync(path, maker(bytes));
      written = bytes;
      try {
        readPets(path, {}).requireGood();
      } catch (error) {
        assert.ok(error instanceof PetFileError, `${name}, .${extension}: ${String(error)}`);
      }
    });
    progress.step();
  }
}
