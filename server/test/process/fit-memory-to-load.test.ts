import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fitMemoryToLoad } from '../../src/process/fit-memory-to-load.ts';
import { countFullCollections } from '../support/full-collections.ts';
import { until } from '../support/until.ts';
import { isSkippedOnBun } from '../support/long-test.ts';

const LOOK_MS = 20;
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

function manyObjects(): void {
  for (let i = 0; i < 100; i += 1) made = Array.from({ length: 1_000 }, () => [made.length]);
}

test('a thread collects all garbage when it is quiet after its start and after a heavy load, and never under load', async (t) => {
  if (isSkippedOnBun(t, 'options of V8')) return;
  const fullCollections = countFullCollections(t);
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
  await until(() => fullCollections() > 0, 'the observed collection');
});

test('the room for new objects may grow under a heavy load, and not afterwards', async (t) => {
  if (isSkippedOnBun(t, 'options of V8')) return;
  const options: string[] = [];
  const setOption = (option: string) => options.push(option);
  t.after(fitMemoryToLoad({ decidesGrowth: true, setOption, lookMs: LOOK_MS }));
  await beBusy(t, manyObjects);
  await until(() => options.at(-1) === '--semi-space-growth-factor=1', 'the end of the load');
  assert.deepEqual([...new Set(options)], ['--semi-space-growth-factor=2', '--semi-space-growth-factor=1']);
});

for (const [name, rates, expected] of [
  ['one burst of new objects is no heavy load', [0, 35e6, 0, 35e6, 0], []],
  [
    'two looks in a row are',
    [0, 35e6, 35e6, 0],
    ['--semi-space-growth-factor=2', '--semi-space-growth-factor=1'],
  ],
  [
    'each look at a heavy load sets the option again, because another thread may have reset it',
    [0, 35e6, 35e6, 35e6, 0],
    ['--semi-space-growth-factor=2', '--semi-space-growth-factor=2', '--semi-space-growth-factor=1'],
  ],
  [
    'one look at a very heavy load is enough',
    [0, 65e6, 0],
    ['--semi-space-growth-factor=2', '--semi-space-growth-factor=1'],
  ],
] as const) {
  test(name, async (t) => {
    if (isSkippedOnBun(t, 'options of V8')) return;
    const options: string[] = [];
    const left: number[] = [...rates];
    let looks = 0;
    const newBytesPerSecond = () => {
      looks += 1;
      return left.shift() ?? 0;
    };
    const setOption = (option: string) => options.push(option);
    t.after(fitMemoryToLoad({ decidesGrowth: true, setOption, newBytesPerSecond, lookMs: 1 }));
    const others = setInterval(() => {}, LOOK_MS);
    t.after(() => clearInterval(others));
    await until(() => looks > rates.length, 'all looks');
    assert.deepEqual(options, expected);
  });
}

test('a large heap is left alone', async (t) => {
  if (isSkippedOnBun(t, 'options of V8')) return;
  const kept = Array.from({ length: 5_000_000 }, (_none, i) => ({ i }));
  const others = setInterval(() => kept.length, LOOK_MS);
  t.after(() => clearInterval(others));
  const hasCollected = await new Promise<boolean>((onCollect) =>
    t.after(fitMemoryToLoad({ onCollect, lookMs: LOOK_MS })),
  );
  assert.equal(hasCollected, false);
});
