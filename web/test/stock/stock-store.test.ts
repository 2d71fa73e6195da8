import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AlertLevel, Movement } from '../../src/api/schemas.ts';
import { rowOfLine, type StockRow, tagOf } from '../../src/stock/stock-row.ts';
import { StockStore } from '../../src/stock/stock-store.ts';
import { matcher, sorting, type StockQuery } from '../../src/stock/stock-view.ts';

const ROW = rowOfLine([
  '1',
  'Rex',
  'dogs',
  5,
  0,
  'available',
  null,
  null,
  null,
  1,
  41,
  0,
  null,
  'SKU-1',
  ['4006381333931'],
]);
const rowOf = (fields: Partial<StockRow> = {}): StockRow => ({ ...ROW, ...fields });
const MOVEMENT = {
  petId: '1',
  kind: 'adjust',
  version: 2,
  sequence: 43,
  quantityAfter: 4,
  reservedAfter: 1,
  statusAfter: 'pending',
  alertAfter: 'low',
  recordedAt: '2026-06-01T12:00:00.000Z',
} as Movement;
const DELETION = { ...MOVEMENT, kind: 'import', quantityAfter: 0, revertedSequence: 43 } as Movement;
const isOwn = () => true;
const isOfOthers = () => false;

const storeOf = (...rows: readonly StockRow[]): StockStore => {
  const store = new StockStore();
  store.append(rows);
  store.complete();
  return store;
};

test('a movement gives its row all of its state, with the tag for the next change', () => {
  const store = storeOf(ROW);
  store.apply(MOVEMENT, isOfOthers);
  const row = store.at(0);
  const { quantity, reserved, status, alertLevel } = row;
  assert.deepEqual([quantity, reserved, status, alertLevel], [4, 1, 'pending', 'low']);
  const updatedAtMs = Date.parse(MOVEMENT.recordedAt);
  assert.equal(tagOf(row), tagOf({ version: 2, lastSequence: 43, updatedAtMs }));
});

test('a row shows the news of others only, and each of them once', () => {
  const store = storeOf(ROW);
  store.apply(MOVEMENT, isOwn);
  assert.equal(store.at(0).flashedAtMs, 0);
  store.apply(MOVEMENT, isOfOthers);
  assert.equal(store.at(0).flashedAtMs, 0, 'the page has it already');
  store.apply({ ...MOVEMENT, version: 3 }, isOfOthers);
  assert.ok(store.at(0).flashedAtMs > 0);
});

test('what is read later has the stock and the codes that are newer, and no error of before', async () => {
  const store = storeOf(ROW);
  assert.equal(store.findCode('SKU-1')?.petId, '1');
  store.fail(new Error('no answer'));
  await store.replaceBy(async (onRows) =>
    onRows([rowOf({ quantity: 9, version: 2, sku: 'SKU-2' }), rowOf({ petId: '2', sku: 'SKU-3' })]),
  );
  store.complete();
  assert.equal(store.error, undefined);
  assert.equal(store.find('1')?.quantity, 9);
  assert.deepEqual(
    ['SKU-1', 'SKU-2', 'SKU-3'].map((code) => store.findCode(code)?.petId),
    [undefined, '1', '2'],
  );
});

test('a pet that was deleted comes back by no part of a list that was read before', async () => {
  const store = new StockStore();
  store.apply(DELETION, isOfOthers);
  store.append([ROW, rowOf({ petId: '2' })]);
  assert.deepEqual(
    store.rows.map(({ petId }) => petId),
    ['2'],
  );
  // Here it is deleted while the rows of the list are compared.
  const pausing = Promise.withResolvers<void>();
  const compared = new StockStore(() => {
    compared.apply({ ...DELETION, petId: '1' }, isOfOthers);
    return pausing.promise;
  });
  const many = Array.from({ length: 300 }, (_, index) => rowOf({ petId: String(index + 1) }));
  compared.append(many);
  const reading = compared.replaceBy(async (onRows) => onRows([...many]));
  pausing.resolve();
  await reading;
  assert.deepEqual([compared.rows.length, compared.find('1')], [299, undefined]);
});

test('a filter leaves out what it does not name, and the worst alert is at an end', () => {
  const row = rowOf({ alertLevel: 'low' });
  const query: StockQuery = {
    words: '',
    status: undefined,
    category: undefined,
    alert: undefined,
    isArchived: false,
    sort: 'alert',
    isDescending: false,
  };
  const isIn = (given: Partial<StockQuery>) => matcher({ ...query, ...given }, undefined)(row);
  assert.deepEqual(
    [isIn({ category: 'dogs' }), isIn({ category: 'cats' }), isIn({ status: 'sold' })],
    [true, false, false],
  );
  assert.deepEqual(
    [isIn({ alert: 'any' }), isIn({ alert: 'low' }), isIn({ alert: 'out' })],
    [true, true, false],
  );
  assert.equal(matcher({ ...query, alert: 'any' }, undefined)(ROW), false);
  const levels: readonly (AlertLevel | null)[] = ['oversold', null, 'low', 'out'];
  const rows = levels.map((alertLevel) => rowOf({ alertLevel }));
  const steps = sorting(rows, query, () => 0);
  let step = steps.next();
  while (!step.done) step = steps.next();
  assert.deepEqual(
    Array.from(step.value, (index) => levels[index]),
    [null, 'low', 'out', 'oversold'],
  );
});
