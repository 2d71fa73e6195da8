import assert from 'node:assert/strict';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fitMemoryToLoad } from '../src/domain/fit-memory-to-load.ts';
import { until } from './support/until.ts';

const LOOK_MS = 20;
/** V8 counts new objects in large steps, which a short look would take for a heavy load. */
const LONG_LOOK_MS = 150;
/** More than the quiet looks that a thread waits for after a heavy load. */
const BUSY_LOOKS = 30;

/** Keeps this thread busy for some looks: without new objects, so that its load is not heavy, or with many. */
async function beBusy(t: TestContext, makeObjects = () => {}): Promise<void> {
  let looks = 0;
  const others = setInterval(() => (looks += 1), LOOK_MS);
  t.after(() => clearInterval(others));
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (looks < BUSY_LOOKS) {
    Atomics.wait(never, 0, 0, LOOK_MS / 2);
    makeObjects();
    await nextTurn();
  }
}

let made: unknown[] = [];

function manyObjects(thousands = 100): void {
  for (let i = 0; i < thousands; i += 1) made = Array.from({ length: 1_000 }, () => [made.length]);
}

test('a thread collects all garbage when it is quiet after its start and after a heavy load, and never under load', async (t) => {
  const collected: number[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { flags } = (entry as PerformanceEntry & { readonly detail: { readonly flags: number } }).detail;
      if ((flags & constants.NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE) !== 0) collected.push(flags);
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  t.after(() => observer.disconnect());

  let isQuiet = false;
  const collections: boolean[] = [];
  const onCollect = (hasCollected: boolean) => collections.push(hasCollected && isQuiet);
  t.after(fitMemoryToLoad({ onCollect, lookMs: LOOK_MS }));
  for (const [objects, expected] of [
    [undefined, [true]],
    [manyObjects, [true, true]],
  ] as const) {
    await beBusy(t, objects);
    isQuiet = true;
    await until(() => collections.length === expected.length, 'the collection');
    assert.deepEqual(collections, expected);
    isQuiet = false;
  }
  await until(() => collected.length > 0, 'the observed collection');
});

test('the room for new objects may grow under a heavy load, and not afterwards', async (t) => {
  const options: string[] = [];
  const setOption = (option: string) => options.push(option);
  t.after(fitMemoryToLoad({ decidesGrowth: true, setOption, lookMs: LOOK_MS }));
  await beBusy(t, manyObjects);
  await until(() => options.length >= 2, 'the end of the load');
  assert.deepEqual(options.slice(0, 2), ['--semi-space-growth-factor=2', '--semi-space-growth-factor=1']);
});

test('one burst of new objects is no heavy load', async (t) => {
  const options: string[] = [];
  const collections: boolean[] = [];
  const onCollect = (hasCollected: boolean) => collections.push(hasCollected);
  const setOption = (option: string) => options.push(option);
  t.after(fitMemoryToLoad({ decidesGrowth: true, setOption, onCollect, lookMs: LONG_LOOK_MS }));
  await until(() => collections.length === 1, 'the collection after the start');
  // In a single turn, so that only one look sees it: 5 MB, 35 MB per second.
  manyObjects(60);
  await beBusy(t);
  assert.deepEqual(options, []);
});

test('a large heap is left alone', async (t) => {
  const kept = Array.from({ length: 5_000_000 }, (_none, i) => ({ i }));
  const others = setInterval(() => kept.length, LOOK_MS);
  t.after(() => clearInterval(others));
  const hasCollected = await new Promise<boolean>((onCollect) =>
    t.after(fitMemoryToLoad({ onCollect, lookMs: LOOK_MS })),
  );
  assert.equal(hasCollected, false);
});
