import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisTicks, roomFor } from '../../src/components/chart/scale.ts';

test('an axis has round whole numbers from zero, and reaches the largest and the smallest value', () => {
  assert.deepEqual(axisTicks([]), [0, 1]);
  assert.deepEqual(axisTicks([3, 1]), [0, 1, 2, 3]);
  assert.deepEqual(axisTicks([410, 100]), [0, 200, 400, 600]);
  assert.deepEqual(axisTicks([100]), [0, 50, 100]);
  assert.deepEqual(axisTicks([12, -7]), [-10, -5, 0, 5, 10, 15]);
  assert.deepEqual(axisTicks([Number.MAX_SAFE_INTEGER]).at(-1), 10_000_000_000_000_000);
  for (const most of [1, 7, 99, 1_001, 123_456]) {
    const ticks = axisTicks([most]);
    assert.ok((ticks.at(-1) ?? 0) >= most && ticks.length <= 6, `${most}: ${ticks}`);
  }
});

test('labels without room are left out', () => {
  const labels = [0, 20, 40, 100];
  assert.deepEqual(
    roomFor(
      labels,
      (at) => at,
      () => 20,
    ),
    [0, 40, 100],
  );
});
