import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Movement } from '../src/api/schemas.ts';
import { findCountedBefore } from '../src/pages/count/counted-before.ts';

const COUNT = { sequence: 5, referenceId: 'stk_autumn', revertedSequence: null };

/** The count that is found where these movements follow it, each the revert of the one that it names. */
function foundAfter(reverts: readonly (readonly [sequence: number, revertedSequence: number])[]) {
  return findCountedBefore('stk_autumn', async ({ kind, after }) => {
    if (kind === undefined) return [COUNT as Movement];
    assert.deepEqual([kind, after], ['revert', 5]);
    return reverts.map(([sequence, revertedSequence]) => ({ sequence, revertedSequence }) as Movement);
  });
}

test('a pet is counted already unless its count was taken back', async () => {
  assert.equal(await foundAfter([]), COUNT);
  assert.equal(await foundAfter([[8, 6]]), COUNT, 'the undo of something else');
  assert.equal(await foundAfter([[8, 5]]), null);
  assert.equal(
    await foundAfter([
      [8, 5],
      [9, 8],
    ]),
    COUNT,
    'the undo of the undo',
  );
});

test('a count for another stock-take, or none, is none', async () => {
  assert.equal(await findCountedBefore('stk_spring', async () => [COUNT as Movement]), null);
  assert.equal(await findCountedBefore('stk_autumn', async () => []), null);
});
