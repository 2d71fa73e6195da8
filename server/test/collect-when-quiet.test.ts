import assert from 'node:assert/strict';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { collectWhenQuiet } from '../src/domain/collect-when-quiet.ts';
import { until } from './support/until.ts';

const LOOK_MS = 20;
const BUSY_LOOKS = 10;

test('a thread collects all garbage once it is quiet, and never while it is busy', async (t) => {
  const collected: number[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { flags } = (entry as PerformanceEntry & { readonly detail: { readonly flags: number } }).detail;
      if ((flags & constants.NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE) !== 0) collected.push(flags);
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  t.after(() => observer.disconnect());

  let looks = 0;
  let isQuiet = false;
  const others = setInterval(() => (looks += 1), LOOK_MS);
  t.after(() => clearInterval(others));
  let collectedQuiet: boolean | undefined;
  const onEnd = (hasCollected: boolean) => (collectedQuiet = hasCollected && isQuiet);
  collectWhenQuiet(onEnd, LOOK_MS);
  while (looks < BUSY_LOOKS) await nextTurn();
  isQuiet = true;
  await until(() => collectedQuiet !== undefined, 'the end of the looks');
  assert.equal(collectedQuiet, true);
  await until(() => collected.length > 0, 'the observed collection');
});

test('a large heap is left alone', async (t) => {
  const kept = Array.from({ length: 5_000_000 }, (_none, i) => ({ i }));
  const others = setInterval(() => kept.length, LOOK_MS);
  t.after(() => clearInterval(others));
  assert.equal(await new Promise<boolean>((resolve) => collectWhenQuiet(resolve, LOOK_MS)), false);
});
