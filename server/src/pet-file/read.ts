import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { OperatorError } from '../domain/errors.ts';
import type { FileFault, ImportFormat } from '../domain/management/imports.ts';
import type { PetRow } from '../domain/management/pet-file-row.ts';
import { describeFault, UnreadableFile } from './faults.ts';
import { PetFile } from './pet-file.ts';
import { PetRows, type RowOptions } from './rows.ts';

const FORMATS: ReadonlyMap<string, ImportFormat> = new Map([
  ['.csv', 'csv'],
  ['.json', 'json'],
  ['.ndjson', 'ndjson'],
  ['.jsonl', 'ndjson'],
]);

/** Its rows are in memory. */
const MAX_FILE_BYTES = 500_000_000;
const PIECE_BYTES = 1_048_576;
const MAX_FAULTS_SHOWN = 20;

const READ_FAILURES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file.',
  ENOTDIR: 'there is no such file.',
  EISDIR: 'this is a folder; name a file in it.',
  EACCES: 'this user may not read the file.',
  EPERM: 'this user may not read the file.',
};

/**
 * Reads a file of pets: `.csv` with a header, `.json` (an array), `.ndjson` or `.jsonl` (one object a line).
 * @throws OperatorError when the file cannot be read, or when anything in it is wrong: then it names lines and fields.
 */
export function readPetFile(
  path: string,
  options: Pick<RowOptions, 'maxQuantity' | 'mode' | 'ignored'> = {},
): PetRow[] {
  const bytes = readBytes(path);
  const format = FORMATS.get(extname(path).toLowerCase());
  if (format === undefined) {
    throw new OperatorError(
      `${path}: the name of a file of pets must end in ${[...FORMATS.keys()].join(', ')}.`,
    );
  }
  const pets: PetRow[] = [];
  const rows = new PetRows({
    ...options,
    maxFaults: MAX_FAULTS_SHOWN,
    lines: new Map(),
    onRow: (row) => pets.push(row),
  });
  const file = new PetFile(format, rows);
  try {
    for (let start = 0; start < bytes.length; start += PIECE_BYTES)
      file.read(bytes.subarray(start, start + PIECE_BYTES));
    file.end();
  } catch (error) {
    if (error instanceof UnreadableFile) throw refusal(path, error.fault);
    throw error;
  }
  if (rows.faultCount > 0) throw refusalOfRows(path, rows);
  return pets;
}

function readBytes(path: string): Buffer {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new OperatorError(`${path}: ${READ_FAILURES[code] ?? `the file cannot be read (${code}).`}`, {
      cause: error,
    });
  }
  if (bytes.length <= MAX_FILE_BYTES) return bytes;
  throw new OperatorError(`${path}: the file is larger than ${MAX_FILE_BYTES / 1e6} MB; split it.`);
}

function refusal(path: string, { line, message }: FileFault): OperatorError {
  const place = line === null ? path : `${path}, line ${line}`;
  return new OperatorError(`${place}: ${message} Nothing was imported.`);
}

function refusalOfRows(path: string, { faults, faultCount, wrongRowCount }: PetRows): OperatorError {
  const wrong = wrongRowCount === 1 ? '1 row is' : `${wrongRowCount} rows are`;
  const lines = faults.map((fault) => `  ${describeFault(fault)}`);
  const hiddenCount = faultCount - faults.length;
  if (hiddenCount > 0) lines.push(`  … and ${hiddenCount} more`);
  return new OperatorError(`${path}: ${wrong} wrong; nothing was imported.\n${lines.join('\n')}`);
}
