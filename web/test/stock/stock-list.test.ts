import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Movement } from '../../src/api/schemas.ts';
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
    null,
    [],
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

test('the pets of a supplier show as soon as they are known, and none of another supplier', () => {
  const { list, set, names } = openList(
    ['a', 'b', 'c', 'd'].map((name, i) => rowOf(i, name)),
    slowClock(0),
  );
  const ofZoo = new Set(['1', '3']);
  set({ supplier: 'Zoo' });
  assert.deepEqual(names(), []);
  list.setOfSupplier(ofZoo);
  assert.deepEqual(names(), ['b', 'd']);
  set({ sort: 'name', isDescending: true });
  assert.deepEqual(names(), ['d', 'b']);
  set({ words: 'd' });
  assert.deepEqual(names(), ['d']);
  set({ words: '', supplier: 'Reef' });
  assert.deepEqual(names(), [], 'those of the earlier supplier do not show meanwhile');
  list.setOfSupplier(new Set());
  set({ supplier: undefined });
  assert.deepEqual(names(), ['d', 'c', 'b', 'a']);
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

test('a pet that is deleted leaves the rows, and a reading that began before does not bring it back', async () => {
  const store = new StockStore();
  const list = new StockList(store, slowClock(0));
  store.append([rowOf(1, 'Rex'), { ...rowOf(2, 'Typo'), sku: 'T', version: 1 }, rowOf(3, 'Lou')]);
  store.complete();
  const shown = () => list.snapshot.shown.map((index) => store.at(index).petId);
  const deletion = {
    petId: '2',
    kind: 'import',
    quantityAfter: 0,
    revertedSequence: 2,
    version: 2,
  } as Movement;
  await store.replaceBy(async (onRows) => {
    onRows([rowOf(1, 'Rex'), { ...rowOf(2, 'Typo'), version: 1 }, rowOf(3, 'Lou')]);
    assert.equal(
      store.apply(deletion, () => false),
      true,
    );
  });
  assert.deepEqual(shown(), ['1', '3']);
  assert.deepEqual([store.find('2'), store.findCode('T')], [undefined, undefined]);
  assert.equal(store.find('3')?.name, 'Lou');
  store.append([{ ...rowOf(2, 'Typo'), version: 1 }]);
  assert.deepEqual(shown(), ['1', '3']);
  // The pet that has this petId later has greater versions.
  store.append([{ ...rowOf(2, 'New'), version: 3 }]);
  store.apply(deletion, () => false);
  assert.equal(store.find('2')?.name, 'New');
});

test('a list that was read before a pet got another name does not give the old one back', async () => {
  const store = new StockStore();
  store.append([rowOf(1, 'Rex', 5, 1), rowOf(2, 'Lou', 5, 1)]);
  store.complete();
  const shown = () => store.rows.map(({ name, quantity, version }) => [name, quantity, version]);
  const movement = (petId: string, quantityAfter: number, version: number) =>
    store.apply({ petId, kind: 'adjust', quantityAfter, version } as Movement, () => false);
  const readAgain = (rows: readonly StockRow[], meanwhile: () => void) =>
    store.replaceBy(async (onRows) => {
      onRows([...rows]);
      meanwhile();
    });
  await readAgain([rowOf(1, 'Rex', 5, 1), rowOf(2, 'Luna', 5, 1)], () => {
    store.put(rowOf(1, 'Max', 5, 2));
    movement('1', 4, 3);
    movement('2', 3, 2);
  });
  assert.deepEqual(shown(), [
    ['Max', 4, 3],
    ['Luna', 3, 2],
  ]);
  // The details of the list are newer than the name that was put.
  await readAgain([rowOf(1, 'Moe', 4, 3), rowOf(2, 'Luna', 3, 2)], () => void movement('1', 2, 4));
  assert.deepEqual(shown()[0], ['Moe', 2, 4]);
});

test('rows of an earlier visit give way to those of a restored backup, which have lower versions', async () => {
  const store = new StockStore();
  store.append([rowOf(1, 'Rex', 60, 9), rowOf(2, 'Lou', 50, 9), rowOf(4, 'Typo', 1, 9)]);
  store.complete(1_000);
  const shown = () => store.rows.map(({ petId, quantity, version }) => [petId, quantity, version]);
  const movement = (petId: string, quantityAfter: number, version: number) =>
    store.apply({ petId, kind: 'adjust', quantityAfter, version } as Movement, () => false);
  movement('2', 8, 2);
  assert.deepEqual(shown()[1], ['2', 8, 2]);
  // The service was too slow, so the browser gives the list of the earlier visit again.
  await store.replaceBy(async (onRows) => onRows([rowOf(1, 'Rex', 60, 9), rowOf(2, 'Lou', 50, 9)]));
  store.complete(1_000);
  assert.deepEqual(shown()[0], ['1', 60, 9]);
  await store.replaceBy(async (onRows) => {
    onRows([rowOf(1, 'Rex', 4, 1), rowOf(2, 'Lou', 8, 2), rowOf(3, 'Mia', 7, 3)]);
    movement('2', 9, 3);
  });
  store.complete();
  assert.deepEqual(shown(), [
    ['1', 4, 1],
    ['2', 9, 3],
    ['3', 7, 3],
  ]);
  // Rows that the service has sent stay where a reading is older.
  await store.replaceBy(async (onRows) =>
    onRows([rowOf(1, 'Rex', 4, 1), rowOf(2, 'Lou', 5, 1), rowOf(3, 'Mia', 7, 3)]),
  );
  movement('3', 6, 2);
  assert.deepEqual(shown()[1], ['2', 9, 3]);
  assert.deepEqual(shown()[2], ['3', 7, 3]);
});

test('a code is found first, in any form, whatever the words and the order are', () => {
  const store = new StockStore();
  const list = new StockList(store, slowClock(0));
  store.append([
    rowOf(1, '36000291452 in its name'),
    { ...rowOf(2, 'Rex'), sku: 'DOG-1', barcodes: ['036000291452', 'box 7'] },
    { ...rowOf(3, 'Lou'), sku: '2', barcodes: [] },
    { ...rowOf(4, 'Old'), sku: 'OLD', archivedAtMs: 1 },
  ]);
  store.complete();
  const found = (words: string, others: Partial<StockQuery> = {}) => {
    list.setQuery({ ...list.query, ...others, words });
    return list.snapshot.shown.map((index) => store.at(index).petId);
  };
  for (const form of ['036000291452', ' 0036000291452', '00036000291452', ']E00036000291452']) {
    assert.deepEqual(found(form), ['2'], form);
  }
  assert.deepEqual(found('box 7'), ['2']);
  assert.deepEqual(found('2', { sort: 'petId' }), ['3', '1', '2'], 'the SKU 2 before the id 2');
  assert.deepEqual(found('OLD'), []);
  assert.deepEqual(found('OLD', { isArchived: true }), ['4']);
  assert.equal(store.findScanned('0004')?.petId, '4', 'a petId');
  assert.equal(store.findScanned('2')?.petId, '3', 'a code before a petId');
  store.put({ ...store.at(1), barcodes: [] });
  assert.equal(store.findCode('036000291452'), undefined, 'a removed code');
  store.append([{ ...rowOf(5, 'New'), barcodes: ['036000291452'] }]);
  assert.equal(store.findCode('036000291452')?.petId, '5');
  assert.equal(store.findCode(''), undefined);
});

test('rows that arrive in parts are added to the result of a search, and drawn when all are there', () => {
  const store = new StockStore();
  const list = new StockList(store, slowClock(0));
  const names = () => list.snapshot.shown.map((index) => store.at(index).name);
  list.setQuery({ ...list.query, words: 'b' });
  store.append([rowOf(1, 'Budgie'), rowOf(2, 'Canary')]);
  assert.deepEqual(names(), ['Budgie']);
  store.append([rowOf(3, 'Beagle'), rowOf(4, 'Cat')]);
  list.setQuery({ ...list.query, words: 'be' });
  assert.deepEqual(names(), ['Beagle']);
  store.append([rowOf(5, 'Bearded dragon'), rowOf(6, 'Betta')]);
  store.complete();
  assert.deepEqual(names(), ['Beagle', 'Bearded dragon', 'Betta']);
  list.setQuery({ ...list.query, words: '', isDescending: true });
  assert.equal(names().length, 6);
  assert.equal(names()[0], 'Betta');
});

test('more letters of a word find a row that was changed meanwhile', () => {
  const { store, set, names } = openList(
    [rowOf(1, 'Rex'), rowOf(2, 'Rabbit'), rowOf(3, 'Cat')],
    slowClock(0),
  );
  set({ words: 'r' });
  store.put(rowOf(3, 'Rabbi', 3, 2));
  set({ words: 'rab' });
  assert.deepEqual(names(), ['Rabbit', 'Rabbi']);
  set({ words: 'rabbit' });
  assert.deepEqual(names(), ['Rabbit']);
  set({ words: 'ra' });
  assert.deepEqual(names(), ['Rabbit', 'Rabbi']);
  set({ words: 'ra', status: 'sold' });
  assert.deepEqual(names(), []);
});
