import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stockTag } from '../../../server/src/domain/ledger/stock.ts';
import { PET_ROW_COLUMNS } from '../../../server/src/domain/management/pet-rows.ts';
import { parseQuantity } from '../../src/components/parse-quantity.ts';
import { folded, ROW_MEMBERS, stateOfTag, tagOf } from '../../src/stock/stock-row.ts';

test('the dashboard reads rows and tags as the service writes them', () => {
  assert.equal(ROW_MEMBERS, JSON.stringify(PET_ROW_COLUMNS));
  const state = { version: 3, lastSequence: 4_711, updatedAtMs: Date.UTC(2026, 6, 1) };
  const stock = { ...state, quantity: 1, reserved: 0, status: 'available', alertLevel: null } as const;
  const tag = `"${stockTag({ ...stock, lowStockAt: null, restockAt: null })}"`;
  assert.equal(tagOf(state), tag);
  assert.deepEqual(stateOfTag(tag), state);
  // The tag of an item with days of stock, and another kind of tag.
  assert.deepEqual(stateOfTag(tag.replace(/"$/, '.2d"')), state);
  assert.equal(stateOfTag('"x"'), undefined);
});

test('a quantity is a count, or a change with its sign', () => {
  assert.deepEqual(parseQuantity('15', 12), { kind: 'set', quantity: 15, delta: 3 });
  assert.deepEqual(parseQuantity(' +3 ', 12), { kind: 'add', quantity: 15, delta: 3 });
  assert.deepEqual(parseQuantity('-2', 12), { kind: 'add', quantity: 10, delta: -2 });
  assert.deepEqual(parseQuantity('−12', 12), { kind: 'add', quantity: 0, delta: -12 });
  assert.equal(parseQuantity('9007199254740991', 0)?.quantity, Number.MAX_SAFE_INTEGER);
  assert.equal(parseQuantity('+1,200', 12)?.quantity, 1_212);
  assert.equal(parseQuantity('1\u202F200', 12)?.quantity, 1_200);
  for (const text of ['1.5', '1,2', '', '-', '+', '-13', '9007199254740992', '1e3', '0x1', 'a', '--1', '١']) {
    assert.equal(parseQuantity(text, 12), undefined, text);
  }
});

test('search ignores case and accents', () => {
  assert.equal(folded('Émeraude ÄÖÜ'), 'emeraude aou');
});
