import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  readTyped,
  type TypedChange,
  UNTOUCHED,
  valuesOf,
} from '../../src/pages/stock/change/typed-change.ts';

const sent = (typed: Partial<TypedChange>, isArchived = false) =>
  valuesOf({ ...UNTOUCHED, ...typed }, isArchived);

test('a form sends only what its choice names', () => {
  const typed = { category: ' cats ', low: ' 3 ', restock: '10', status: 'sold' } as const;
  assert.deepEqual(sent({ ...typed, what: 'category' }), { category: 'cats' });
  assert.deepEqual(sent({ ...typed, what: 'status' }), { status: 'sold' });
  assert.deepEqual(sent({ ...typed, what: 'thresholds' }), { lowStockAt: 3, restockAt: 10 });
  assert.deepEqual(sent({ ...typed, what: 'supplier', supplier: ' Zoo ' }), { supplier: 'Zoo' });
  assert.deepEqual(sent({ ...typed, what: 'archived' }), { archived: true });
  assert.deepEqual(sent({ ...typed, what: 'archived' }, true), { archived: false });
});

test('an empty field removes nothing; a choice does', () => {
  assert.equal(sent({ what: 'category', category: '  ' }), undefined);
  assert.equal(sent({ what: 'thresholds' }), undefined);
  assert.equal(sent({ what: 'thresholds', restock: '10' }), undefined);
  assert.equal(sent({ what: 'supplier', supplier: ' ' }), undefined);
  assert.deepEqual(sent({ what: 'category', category: 'cats', clears: true }), { category: null });
  assert.deepEqual(sent({ what: 'supplier', supplier: 'Zoo', clears: true }), { supplier: null });
  assert.deepEqual(sent({ what: 'thresholds', low: '3', clears: true }), {
    lowStockAt: null,
    restockAt: null,
  });
});

test('thresholds that no pet can have are not sent', () => {
  assert.deepEqual(sent({ what: 'thresholds', low: '0' }), { lowStockAt: 0, restockAt: null });
  for (const [low, restock] of [
    ['-1', ''],
    ['1.5', ''],
    ['1e3', ''],
    ['1234567890123456', ''],
    ['3', '3'],
    ['3', '2'],
    ['3', 'x'],
  ] as const)
    assert.equal(sent({ what: 'thresholds', low, restock }), undefined, `${low} ${restock}`);
});

test('an SKU is sent with the place of the petId, and without other braces', () => {
  assert.deepEqual(sent({ what: 'codes', template: ' A-{petId} ' }), { sku: 'A-{petId}' });
  for (const template of ['', 'A-1', 'A-{petId', 'A-{petId}-{name}'])
    assert.equal(sent({ what: 'codes', template }), undefined, template);
  assert.deepEqual(sent({ what: 'codes', codes: 'clearSkus' }), { sku: null });
  assert.deepEqual(sent({ what: 'codes', codes: 'clearBarcodes' }), { barcodes: [] });
  assert.deepEqual(sent({ what: 'codes', codes: 'addBarcodes', prefix: '21' }), { inStorePrefix: '21' });
});

test('a draft of another build is not loaded', () => {
  assert.deepEqual(readTyped(UNTOUCHED), UNTOUCHED);
  const { supplier: _, ...earlier } = { ...UNTOUCHED, category: 'cats' };
  assert.equal(readTyped(earlier)?.category, 'cats', 'what was typed before an upgrade is kept');
  for (const value of [
    null,
    'x',
    {},
    { ...UNTOUCHED, what: 'price' },
    { ...UNTOUCHED, low: 3 },
    { ...UNTOUCHED, prefix: '99' },
  ])
    assert.equal(readTyped(value), undefined);
});
