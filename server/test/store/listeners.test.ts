import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Listeners } from '../../src/store/listeners.ts';

test('a function that listens twice is called twice, and each time ends on its own', () => {
  const listeners = new Listeners();
  let calls = 0;
  const listener = () => void (calls += 1);
  const [endFirst, endSecond] = [listeners.add(listener), listeners.add(listener)];
  listeners.wake();
  assert.equal(calls, 2);
  endFirst();
  endFirst();
  listeners.wake();
  assert.deepEqual([calls, listeners.hasAny], [3, true]);
  endSecond();
  listeners.wake();
  assert.deepEqual([calls, listeners.hasAny], [3, false]);
});
