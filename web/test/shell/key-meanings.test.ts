import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meaningsOf } from '../../src/components/hotkeys/key-meanings.ts';

/** The keys of a page come before those of the whole dashboard. */
const HOTKEYS = ['a', 'e', 'g a', 'g s'].map((keys) => ({ keys }));
const meanings = (key: string, before?: string) => meaningsOf(HOTKEYS, key, before).map(({ keys }) => keys);

test('the second of two keys means both before it means the key of the page', () => {
  assert.deepEqual(meanings('a', 'g'), ['g a', 'a']);
  assert.deepEqual(meanings('s', 'g'), ['g s']);
});

test('a key alone, or after another one that it does not follow, has its own meaning', () => {
  assert.deepEqual(meanings('a'), ['a']);
  assert.deepEqual(meanings('e', 'g'), ['e']);
  assert.deepEqual(meanings('a', 'x'), ['a']);
  assert.deepEqual(meanings('g'), []);
});
