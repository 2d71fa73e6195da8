import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../server/test/support/until.ts';
import type { BatchChange, InventoryBatchResult, Movement } from '../../src/api/schemas.ts';
import { MovementStream } from '../../src/live/movement-stream.ts';
import { Pauses, ROWS_PER_TASK } from '../../src/live/pauses.ts';
import { BulkChange } from '../../src/pages/stock/adjust/bulk-change.ts';
import { BulkUndo, showResult } from '../../src/pages/stock/adjust/changes.ts';
import { ChosenUnits, StockFacts } from '../../src/stock/stock-facts.ts';
import { StockList } from '../../src/stock/stock-list.ts';
import { rowOfLine, type StockRow } from '../../src/stock/stock-row.ts';
import { StockStore } from '../../src/stock/stock-store.ts';

const BATCH = 1_000;

const rowOf = (petId: number, category: string | null = `Category ${petId % 3}`): StockRow =>
  rowOfLine([
    String(petId),
    `Pet ${petId}`,
    category,
    4,
    0,
    'available',
    null,
    null,
    null,
    1,
    petId,
    0,
    null,
    null,
    [],
  ]);

/**
 * A store whose tasks are counted: the rows that changed in each.
 * @param onTask Called at the beginning of each task but the first.
 */
function openStore(count: number, onTask = () => {}) {
  const tasks = [0];
  const pause = async () => {
    await sleep(0);
    tasks.push(0);
    onTask();
  };
  const note = () => {
    tasks[tasks.length - 1] = (tasks.at(-1) ?? 0) + 1;
  };
  const store = new StockStore(pause);
  store.append(Array.from({ length: count }, (_, i) => rowOf(i + 1)));
  store.complete();
  store.subscribe({ onAppended() {}, onReplaced() {}, onState() {}, onPut: note });
  return { store, tasks, pauses: new Pauses(pause) };
}

const resultOf = (first: number, count = BATCH, quantity = 7) =>
  ({
    planId: 'plan',
    rows: Array.from({ length: count }, (_, i) => ({
      petId: String(first + i),
      code: 'done',
      before: { quantity: 4, reserved: 0, status: 'available' },
      after: { quantity, reserved: 0, status: 'available', etag: `"2-${BATCH + first + i}-1"` },
      sequence: BATCH + first + i,
    })),
  }) as unknown as InventoryBatchResult;

test('no task shows more rows of a result than a frame has time for', async () => {
  const { store, tasks, pauses } = openStore(3 * BATCH);
  for (const first of [1, BATCH + 1, 2 * BATCH + 1]) await showResult(store, resultOf(first), pauses);
  assert.equal(
    tasks.reduce((sum, rows) => sum + rows, 0),
    3 * BATCH,
  );
  assert.ok(Math.max(...tasks) <= ROWS_PER_TASK, `${Math.max(...tasks)} rows in a task`);
  assert.equal(store.find('2500')?.quantity, 7);
});

test('results are neither sorted nor counted as a whole, and are drawn together', async () => {
  const { store, pauses } = openStore(BATCH);
  let drawings = 0;
  let sorted = 0;
  const list = new StockList(store, {
    drawSoon: () => {
      drawings += 1;
      return () => {};
    },
    goOn: (work) => {
      work();
      return () => {};
    },
    nowMs: () => 0,
  });
  list.setQuery({ ...list.query, sort: 'quantity' }, (a, b) => {
    sorted += 1;
    return a < b ? -1 : 1;
  });
  const facts = new StockFacts(store);
  const units = new ChosenUnits(store);
  const chosen = new Set(['1', '2', String(BATCH)]);
  assert.equal(units.of(chosen), 12);
  const { categories } = facts;
  const { shown } = list.snapshot;
  sorted = 0;
  const { rows } = store;
  let reads = 0;
  const counted = new Proxy(rows, {
    get: (target, key) => {
      reads += 1;
      return Reflect.get(target, key);
    },
  });
  Object.defineProperty(store, 'rows', { get: () => counted });
  await showResult(store, resultOf(1, BATCH), pauses);
  assert.deepEqual([drawings, sorted, reads], [1, 0, 0]);
  assert.equal(list.snapshot.shown, shown, 'rows stay in their places');
  assert.equal(units.of(chosen), 21);
  assert.deepEqual([facts.pets, facts.alerts], [BATCH, 0]);
  assert.equal(facts.categories, categories, 'the same categories are not sorted again');
});

test('facts follow each row', () => {
  const { store } = openStore(4);
  const facts = new StockFacts(store);
  const units = new ChosenUnits(store);
  const chosen = new Set(['1', '9']);
  assert.equal(units.of(chosen), 4);
  store.append([{ ...rowOf(9), alertLevel: 'low' }]);
  assert.deepEqual([facts.pets, facts.alerts, units.of(chosen)], [5, 1, 8]);
  store.put({ ...rowOf(9), archivedAtMs: 1, category: 'Birds' });
  assert.deepEqual([facts.pets, facts.alerts], [4, 0]);
  assert.deepEqual(facts.categories.toSorted(), ['Birds', 'Category 0', 'Category 1', 'Category 2']);
  store.put({ ...rowOf(9, null), alertLevel: 'out' });
  assert.deepEqual([facts.pets, facts.alerts], [5, 1]);
  assert.deepEqual(facts.categories.toSorted(), ['Category 0', 'Category 1', 'Category 2']);
});

test('the changes of a batch are made when it is sent', async () => {
  let made = 0;
  const calls = {
    preview: async (changes: readonly BatchChange[]) => resultOf(1, changes.length),
    apply: async (changes: readonly BatchChange[]) => resultOf(1, changes.length),
    newKey: () => 'key',
  };
  const petIds = Array.from({ length: 100_000 }, (_, i) => String(i + 1));
  const changesOf = (part: readonly string[]) => {
    made += part.length;
    return part.map((petId): BatchChange => ({ petId, delta: 1, reason: 'received' }));
  };
  const bulk = new BulkChange(petIds, changesOf, calls);
  assert.equal(made, 0);
  const stop = new AbortController();
  const progress: number[] = [];
  await bulk.plan(stop.signal, () => {
    progress.push(made);
    if (progress.length === 3) stop.abort();
  });
  assert.deepEqual(progress.slice(0, 3), [BATCH, 2 * BATCH, 3 * BATCH]);
});

test('the next batch waits until a result is shown, also when it is set back', async () => {
  const { store, tasks, pauses } = openStore(2 * BATCH);
  const shown: number[] = [];
  const calls = {
    preview: async (changes: readonly BatchChange[]) => resultOf(Number(changes[0]?.petId), changes.length),
    apply: async (changes: readonly BatchChange[]) => {
      shown.push(store.rows.filter(({ quantity }) => quantity === 7).length);
      return resultOf(Number(changes[0]?.petId), changes.length);
    },
    newKey: () => 'key',
  };
  const petIds = store.rows.map(({ petId }) => petId);
  const bulk = new BulkChange(
    petIds,
    (part) => part.map((petId) => ({ petId, delta: 3, reason: 'received' })),
    calls,
  );
  await bulk.plan(new AbortController().signal, () => {});
  const undo = new BulkUndo(
    store,
    async (changes) => resultOf(Number(changes[0]?.petId), changes.length, 4),
    pauses,
  );
  await bulk.apply(async (result) => {
    undo.add(result);
    await showResult(store, result, pauses);
  });
  assert.deepEqual(shown, [0, BATCH]);
  await undo.run();
  assert.equal(store.find('1')?.quantity, 4);
  assert.ok(Math.max(...tasks) <= ROWS_PER_TASK);
});

const eventOf = (petId: number) =>
  `id: ${BATCH + petId}\nevent: movement\ndata: ${JSON.stringify({ petId, version: 2, kind: 'adjust' })}\n\n`;

/** A stream that received all its events at once. */
function openStream(pause: () => Promise<void>) {
  const encoder = new TextEncoder();
  const events = Array.from({ length: BATCH }, (_, i) => eventOf(i + 1)).join('');
  const opened: (string | undefined)[] = [];
  const source = {
    open: async (_method: string, path: string, { query }: { query?: { after?: string } } = {}) => {
      if (path !== '/movements/stream') return Response.json({});
      opened.push(query?.after);
      const body = new ReadableStream({ start: (controller) => controller.enqueue(encoder.encode(events)) });
      return new Response(body);
    },
    isReached: async () => true,
    onLost: () => {},
  } as unknown as ConstructorParameters<typeof MovementStream>[0];
  return { stream: new MovementStream(source, new Pauses(pause)), opened };
}

test('movements that arrive together are read and handed over in several tasks', async (t) => {
  let task = 0;
  const { stream } = openStream(async () => {
    await sleep(0);
    task += 1;
  });
  t.after(() => stream.stop());
  const parts: { readonly task: number; readonly rows: number }[] = [];
  const seen: Movement[] = [];
  stream.subscribe({
    onMovements: (movements) => {
      parts.push({ task, rows: movements.length });
      seen.push(...movements);
    },
  });
  stream.start();
  await until(() => seen.length === BATCH, 'all movements are there');
  assert.deepEqual(
    seen.map(({ petId }) => petId),
    Array.from({ length: BATCH }, (_, i) => String(i + 1)),
  );
  assert.deepEqual(
    parts,
    Array.from({ length: BATCH / ROWS_PER_TASK }, (_, i) => ({ task: i, rows: ROWS_PER_TASK })),
  );
});

test('a stream that pauses between two tasks resumes after the last movement that was handed over', async (t) => {
  const { stream, opened } = openStream(async () => {
    stream.pause();
    await sleep(0);
  });
  t.after(() => stream.stop());
  let received = 0;
  stream.subscribe({
    onMovements: (movements) => {
      received += movements.length;
    },
  });
  stream.start();
  await until(() => received > 0, 'the first part is there');
  await sleep(5);
  assert.deepEqual([received, stream.lastId], [ROWS_PER_TASK, String(BATCH + ROWS_PER_TASK)]);
  stream.start();
  await until(() => opened.length === 2, 'the stream is opened again');
  assert.deepEqual(opened, [undefined, String(BATCH + ROWS_PER_TASK)]);
});

test('rows that are read again are compared in several tasks, and keep what changed meanwhile', async () => {
  let change = () => {};
  const { store, tasks } = openStore(BATCH, () => change());
  let nowMs = 0;
  const nothing = () => () => {};
  const list = new StockList(store, { drawSoon: nothing, goOn: nothing, nowMs: () => (nowMs += 100) });
  list.setQuery({ ...list.query, isDescending: true });
  // The new order is never ready.
  list.setQuery({ ...list.query, sort: 'name' });
  const find = store.find.bind(store);
  let inTask = 0;
  let most = 0;
  let task = tasks.length;
  store.find = (petId) => {
    if (tasks.length !== task) inTask = 0;
    task = tasks.length;
    inTask += 1;
    most = Math.max(most, inTask);
    return find(petId);
  };
  // A row that was compared already changes, and so does one that was not.
  change = () => {
    for (const petId of [2, BATCH]) store.put({ ...rowOf(petId), version: 3, quantity: 9 });
    change = () => {};
  };
  await store.replaceBy(async (onRows) =>
    onRows(Array.from({ length: BATCH + 1 }, (_, i) => rowOf(i + 2)).map((row) => ({ ...row, version: 2 }))),
  );
  assert.ok(most <= ROWS_PER_TASK, `${most} rows in a task`);
  assert.deepEqual(
    ['1', '2', '3', String(BATCH), String(BATCH + 2)].map((petId) => find(petId)?.quantity),
    [undefined, 9, 4, 9, 4],
  );
  assert.deepEqual(
    [0, 1, -2, -1].map((at) => store.at(list.snapshot.shown.at(at) as number).petId),
    [String(BATCH), String(BATCH - 1), String(BATCH + 1), String(BATCH + 2)],
  );
});
