import assert from 'node:assert/strict';
import { test } from 'node:test';
import { undoChain } from '@petstore-inventory/shared/undo-chain';

/** More than any chain of these tests has: a ring that is followed for ever ends here. */
const MOST = 20;

function chainOf(first: string | null, undone: Readonly<Record<string, string>>): string[] {
  return undoChain(first, (id) => undone[id] ?? null)
    .take(MOST)
    .toArray();
}

test('a chain of undos has each import once, to its end', () => {
  assert.deepEqual(chainOf(null, {}), []);
  assert.deepEqual(chainOf('a', { a: 'b', b: 'c' }), ['a', 'b', 'c']);
});

test('a ring of undos is followed once, and so is one that is entered from outside', () => {
  assert.deepEqual(chainOf('a', { a: 'a' }), ['a']);
  assert.deepEqual(chainOf('a', { a: 'b', b: 'a' }), ['a', 'b']);
  assert.deepEqual(chainOf('x', { x: 'a', a: 'b', b: 'a' }), ['x', 'a', 'b']);
});

test('the next import is asked for after the loop has had the one before', () => {
  const read = new Map<string, string>();
  for (const id of undoChain('a', (last) => read.get(last) ?? null))
    if (id !== 'c') read.set(id, id === 'a' ? 'b' : 'c');
  assert.deepEqual(
    [...read],
    [
      ['a', 'b'],
      ['b', 'c'],
    ],
  );
});
