import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toImportRow } from '../../src/store/imports/import-row.ts';
import type { PlannedRow } from '../../src/store/imports/plan-sql.ts';

const NOTHING = { name: null, category: null, status: null, sku: null, barcodes: null, supplier: null };
const ROW = {
  ...NOTHING,
  ...{ petId: '9223372036854775807', line: 2, element: null, effect: 'changed', quantity: 8 },
  ...{ hasThresholds: 0, lowStockAt: null, restockAt: null },
  ...{ foundName: 'Rex', foundCategory: 'Dogs', foundQuantity: 5, foundStatus: 'pending' },
  ...{ foundLowStockAt: 2, foundRestockAt: 4, foundSku: 'A', foundBarcodes: '["x"]', foundSupplier: 'Zoo' },
} as PlannedRow;
const FOUND = {
  ...{ name: 'Rex', category: 'Dogs', quantity: 5, status: 'pending', lowStockAt: 2, restockAt: 4 },
  ...{ sku: 'A', barcodes: ['x'], supplier: 'Zoo' },
};

test('the preview of a row shows what stays where the file has no value', () => {
  const { petId, before, after } = toImportRow(ROW);
  assert.equal(petId, 2n ** 63n - 1n);
  assert.deepEqual(before, FOUND);
  assert.deepEqual(after, { ...FOUND, quantity: 8 });
});

test('the preview of a row shows what it sets, and what an empty text removes', () => {
  const row = {
    ...ROW,
    name: '',
    category: 'Cats',
    status: 'sold',
    hasThresholds: 1,
    lowStockAt: 7,
  } as const;
  const { after } = toImportRow({ ...row, sku: '', barcodes: '[]', supplier: '' });
  assert.deepEqual(after, {
    ...{ name: null, category: 'Cats', quantity: 8, status: 'sold', lowStockAt: 7, restockAt: null },
    ...{ sku: null, barcodes: [], supplier: null },
  });
});

test('the preview of a new pet has nothing before, and one that stays as it is has no values', () => {
  const made = toImportRow({ ...ROW, effect: 'new' });
  assert.deepEqual([made.before, made.after?.status, made.after?.name], [null, 'available', null]);
  const same = toImportRow({ ...ROW, effect: 'unchanged' });
  assert.deepEqual([same.before, same.after], [null, null]);
});
