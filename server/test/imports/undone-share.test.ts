import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type UndoneShare, undoneShare } from '@petstore-inventory/shared/undone-share';

test('an undo takes an import back, its undo brings it back, and one that leaves rows out does so in part', () => {
  const cases: readonly (readonly [badRows: readonly number[], share: UndoneShare])[] = [
    [[], 'none'],
    [[0], 'all'],
    [[2], 'part'],
    [[0, 0], 'none'],
    [[2, 0], 'none'],
    [[0, 1], 'part'],
    [[2, 1], 'part'],
    [[0, 1, 0], 'all'],
    [[2, 1, 0], 'part'],
    [[0, 0, 1], 'part'],
  ];
  for (const [rows, share] of cases)
    assert.equal(undoneShare(rows.map((badRows) => ({ badRows }))), share, rows.join());
});
