import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnreadableFile } from '@petstore-inventory/shared/pet-file/faults';
import { PetFile, readToEnd } from '@petstore-inventory/shared/pet-file/pet-file';
import { PetRows } from '@petstore-inventory/shared/pet-file/rows';
import { MAX_IMPORT_ROWS } from '../../src/domain/management/imports.ts';
import { ImportCheck } from '../../src/management/jobs/import-check.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const LINE = '{"petId":1,"quantity":1}\n';
const LINES = 10_000;

interface Checked {
  readonly checked: ImportCheck;
  /** Rows without errors, and characters of those with errors. */
  readonly taken: number;
  readonly badCharacters: number;
}

/** Reads a file with the same line so many times. */
function check(rows: number, line = LINE): Checked {
  const task = {
    id: 'imp_1',
    state: 'checking',
    format: 'ndjson',
    mode: 'set',
    changes: 0,
    owner: 'test',
  } as const;
  const checked = new ImportCheck(task, Number.MAX_SAFE_INTEGER);
  let taken = 0;
  let badCharacters = 0;
  const takeAll = () => {
    for (let piece = checked.take(true); piece.length > 0; piece = checked.take(true)) taken += piece.length;
    badCharacters += checked.takeBadRows(true).length;
  };
  for (let left = rows; left > 0; left -= LINES) {
    checked.read(Buffer.from(line.repeat(Math.min(left, LINES))));
    takeAll();
  }
  for (const _ of checked.finish()) takeAll();
  takeAll();
  return { checked, taken, badCharacters };
}

test('the row that exceeds the limit of a file is an error on its line, and all others are read', (t) => {
  if (isSkippedDaily(t)) return;
  const { checked, taken } = check(MAX_IMPORT_ROWS + 1);
  assert.deepEqual([checked.isStopped, taken], [true, MAX_IMPORT_ROWS]);
  const { faults, faultCount } = checked.faults;
  assert.deepEqual([faultCount, faults[0]?.line], [1, MAX_IMPORT_ROWS + 1]);
  assert.deepEqual([faults[0]?.code, faults[0]?.values], ['too_many_pets', { maximum: '2000000' }]);
  assert.match(faults[0]?.message ?? '', /at most 2000000 rows; split it/);
});

test('rows with errors count as rows of a file too', () => {
  const rows = new PetRows({ maxFaults: 10, maxRows: 3, onRow: () => {}, onWrong: () => {} });
  const file = new PetFile('ndjson', rows);
  assert.throws(
    () => {
      file.read(Buffer.from('7\n'.repeat(4)));
      readToEnd(file);
    },
    (error) =>
      error instanceof UnreadableFile && error.fault.code === 'too_many_pets' && error.fault.line === 4,
  );
  assert.equal(rows.wrongRowCount, 3);
});

test('a row with thousands of unknown members does not multiply in the file of the rows with errors', () => {
  const members = Array.from({ length: 5_000 }, (_, i) => `"${i}":1`).join(',');
  const line = `{"petId":1,"quantity":1,${members}}\n`;
  const { checked, badCharacters } = check(2, line);
  assert.equal(checked.faults.faultCount, 10_000);
  assert.ok(badCharacters > 2 * line.length, 'the rows are there');
  assert.ok(badCharacters < 2 * line.length + 5_000, `${badCharacters} characters`);
});

test('only the first error of a row is named after many errors of a file', () => {
  const problems: string[] = [];
  const rows = new PetRows({
    maxFaults: 0,
    maxFurtherCharacters: 1,
    onRow: () => {},
    onWrong: (_content, problem) => problems.push(problem),
  });
  const file = new PetFile('ndjson', rows);
  file.read(Buffer.from('{"petId":"x","quantity":"y","status":"z"}\n'.repeat(2)));
  readToEnd(file);
  const places = problems.map((problem) => problem.match(/petId:|quantity:|status:|There [^.]+/g));
  assert.deepEqual(places, [
    ['petId:', 'quantity:', 'There are 1 more errors'],
    ['petId:', 'There are 2 more errors'],
  ]);
});
