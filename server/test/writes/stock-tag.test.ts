import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Stock, sequenceOfTag, stockTag } from '../../src/domain/ledger/stock.ts';
import { listTag } from '../../src/store/list/list-cache.ts';
import { stockOf } from './stock-fixtures.ts';

const STOCK = stockOf(5, { lastSequence: 17, updatedAtMs: 1_000 });

test('stock that got the same numbers after a backup was restored has another tag', () => {
  const others: Stock[] = [
    { ...STOCK, version: 4 },
    { ...STOCK, lastSequence: 18 },
    { ...STOCK, updatedAtMs: 1_001 },
  ];
  for (const other of others) assert.notEqual(stockTag(other), stockTag(STOCK));
  assert.equal(sequenceOfTag(stockTag(STOCK)), 17);
});

test('a list at the same sequence of another history has another tag', () => {
  const head = { sequence: 17, recordedAtMs: 1_000 };
  assert.notEqual(listTag({ ...head, sequence: 18 }), listTag(head));
  assert.notEqual(listTag({ ...head, recordedAtMs: 1_001 }), listTag(head));
});
