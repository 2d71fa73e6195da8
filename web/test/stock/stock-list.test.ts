import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ListClock, StockList } from '../../src/stock/stock-list.ts';
import { rowOfLine, type StockRow } from '../../src/stock/stock-row.ts';
import { StockStore } from '../../src/stock/stock-store.ts';
import type { StockQuery } from '../../src/stock/stock-view.ts';

const { compare } = new Intl.Collator('de', { numeric: true, sensitivity: 'base' });
const rowOf = (petId: number, name: string | null, quantity = petId, version = 1): StockRow =>
  rowOfLine([
    String(petId),
    name,
    null,
    quantity,
    0,
    'available',
    null,
    null,
    null,
    version,
    version,
    0,
    null,
  ]);

/** Works until the time is over, which passes with each look at the clock, and goes on when a test says so. */
function slowClock(stepMs: number): ListClock & { goOnNow(): boolean } {
  let nowMs = 0;
  let next: (() => void) | undefined;
  return {
    drawSoon: () => () => {},
    goOn: (work) => {
      next = work;
      return () => {
        next = undefined;
      };
    },
    nowMs: () => (nowMs += stepMs),
    goOnNow: () => {
      const work = next;
      next = undefined;
      work?.();
      return work !== undefined;
    },
  };
}

function openList(rows: readonly StockRow[], clock: ListClock) {
  const store = new StockStore();
  store.append(rows);
  store.complete();
  const list = new StockList(store, clock);
  const set = (query: Partial<StockQuery>) => list.setQuery({ ...list.query, ...query }, compare);
  const names = () => list.snapshot.shown.map((index) => store.at(index).name);
  return { store, list, set, names };
}

test('names are sorted as people count, those without a name last', () => {
  const named = ['Betta 10028', null, 'betta 1003', 'Äffchen', 'Zebra', 'Betta 1003', 'Affe'];
  const { set, names } = openList(
    named.map((name, i) => rowOf(i, name)),
    slowClock(0),
  );
  set({ sort: 'name' });
  assert.deepEqual(names(), ['Äffchen', 'Affe', 'betta 1003', 'Betta 1003', 'Betta 10028', 'Zebra', null]);
  set({ isDescending: true });
  assert.deepEqual(names().at(0), null);
  set({ sort: 'quantity', isDescending: false });
  assert.deepEqual(names(), named);
});

test('a long list is sorted with pauses, and shows its old order meanwhile', () => {
  const count = 5_000;
  const rows = Array.from({ length: count }, (_, i) => rowOf(i, `Pet ${(i * 7_919) % count}`));
  const clock = slowClock(100);
  const { store, list, set } = openList(rows, clock);
  const numbers = () => list.snapshot.shown.map((index) => Number(store.at(index).name?.slice(4)));
  const before = numbers();
  set({ sort: 'name' });
  let pauses = 0;
  while (clock.goOnNow()) {
    pauses += 1;
    if (pauses < 5) assert.deepEqual(numbers(), before);
  }
  assert.ok(pauses > 15, `${pauses} pauses`);
  assert.deepEqual(
    numbers(),
    Array.from({ length: count }, (_, i) => i),
  );
  // Another order replaces the work that is under way.
  set({ isDescending: true });
  set({ isDescending: false, sort: 'quantity' });
  while (clock.goOnNow());
  assert.deepEqual(numbers(), before);
});

test('rows that are read again stay in their order until the new one is ready', async () => {
  const clock = slowClock(100);
  const rows = Array.from({ length: 3_000 }, (_, i) => rowOf(2 * i, `Pet ${3_000 - i}`));
  const { store, list, set, names } = openList(rows, clock);
  set({ sort: 'name' });
  while (clock.goOnNow());
  const sorted = names();
  await store.replaceBy(async (onRows) =>
    onRows([...rows.slice(1, 10), rowOf(19, 'Pet 0'), ...rows.slice(10)]),
  );
  assert.deepEqual(names(), [...sorted.slice(0, -1), 'Pet 0']);
  while (clock.goOnNow());
  assert.deepEqual(names(), ['Pet 0', ...sorted.slice(0, -1)]);
  // The query of now moves nothing.
  const { revision } = list.snapshot;
  set({});
  assert.equal(list.snapshot.revision, revision);
});
