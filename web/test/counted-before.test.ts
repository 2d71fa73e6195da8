import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Movement } from '../src/api/schemas.ts';
import { findCountedBefore } from '../src/pages/count/counted-before.ts';

const COUNT = { sequence: 5, referenceId: 'stk_autumn', revertedSequence: null };
const AUTUMN = { id: 'stk_autumn', startedAt: '2026-10-01T08:00:00.000Z' };

type Revert = readonly [sequence: number, revertedSequence: number];

/** The count that is found where these pages of movements follow it, each the revert of the one that it names. */
function foundAfter(...pages: (readonly Revert[])[]) {
  return findCountedBefore(AUTUMN, async ({ kind, after, before, since }) => {
    if (kind === undefined) {
      assert.equal(since, AUTUMN.startedAt);
      // The first page has none, because no movement on it is a count.
      return before === undefined ? { items: [], next: '6' } : { items: [COUNT as Movement], next: '5' };
    }
    assert.equal(kind, 'revert');
    const page = after === 5 ? 0 : Number(after);
    const items = (pages[page] ?? []).map(
      ([sequence, revertedSequence]) => ({ sequence, revertedSequence }) as Movement,
    );
    return { items, next: page + 1 < pages.length ? String(page + 1) : undefined };
  });
}

test('a pet is counted already unless its count was taken back', async () => {
  assert.equal(await foundAfter([]), COUNT);
  assert.equal(await foundAfter([[8, 6]]), COUNT, 'the undo of something else');
  assert.equal(await foundAfter([[8, 5]]), null);
  const undoOfUndo: readonly Revert[] = [
    [8, 5],
    [9, 8],
  ];
  assert.equal(await foundAfter(undoOfUndo), COUNT, 'the undo of the undo');
});

test('a count is taken back by an undo on any page', async () => {
  assert.equal(await foundAfter([[8, 6]], [], [[90, 5]]), null);
  assert.equal(await foundAfter([[8, 5]], [[90, 8]]), COUNT);
});

test('a count for another stock-take, or none, is none', async () => {
  const spring = { ...AUTUMN, id: 'stk_spring' };
  const count = { items: [COUNT as Movement], next: undefined };
  assert.equal(await findCountedBefore(spring, async () => count), null);
  assert.equal(await findCountedBefore(AUTUMN, async () => ({ items: [], next: undefined })), null);
});
