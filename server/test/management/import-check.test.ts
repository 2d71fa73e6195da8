import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_IMPORT_ROWS } from '../../src/domain/management/imports.ts';
import { ImportCheck } from '../../src/management/jobs/import-check.ts';

const LINE = '{"petId":1,"quantity":1}\n';
const LINES = 10_000;

/** Reads a file of so many rows. Returns the rows that were taken. */
function check(rows: number): { readonly checked: ImportCheck; readonly taken: number } {
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
  const takeAll = () => {
    for (let piece = checked.take(true); piece.length > 0; piece = checked.take(true)) taken += piece.length;
  };
  for (let left = rows; left > 0; left -= LINES) {
    checked.read(Buffer.from(LINE.repeat(Math.min(left, LINES))));
    takeAll();
  }
  for (const _ of checked.finish()) takeAll();
  takeAll();
  return { checked, taken };
}

test('the row that exceeds the limit of a file is an error on its line, and all others are read', () => {
  const { checked, taken } = check(MAX_IMPORT_ROWS + 1);
  assert.deepEqual([checked.isStopped, taken], [true, MAX_IMPORT_ROWS]);
  const { faults, faultCount } = checked.faults;
  assert.deepEqual([faultCount, faults[0]?.line], [1, MAX_IMPORT_ROWS + 1]);
  assert.deepEqual([faults[0]?.code, faults[0]?.values], ['too_many_pets', { maximum: '2000000' }]);
  assert.match(faults[0]?.message ?? '', /at most 2000000 pets; split it/);
});
