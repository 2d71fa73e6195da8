import assert from 'node:assert/strict';
import { test } from 'node:test';
import { de } from '../src/texts/de.ts';
import { en } from '../src/texts/en.ts';
import { isolateTexts } from '../src/texts/isolate.ts';

test('a name that changes the text direction does not change the next number', () => {
  const { stock } = isolateTexts(en);
  assert.equal(stock.saved('\u202Eeman', '7', '6'), en.stock.saved('\u2068\u202Eeman\u2069', '7', '6'));
  assert.equal(stock.saved('ببغاء', '7', '6'), en.stock.saved('\u2068ببغاء\u2069', '7', '6'));
  assert.equal(stock.saved('Neon tetra', '7', '6'), en.stock.saved('Neon tetra', '7', '6'));
});

test('texts keep their shape', () => {
  const shapeOf = (value: unknown): unknown =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([name, member]) => [name, shapeOf(member)])
      : typeof value;
  for (const texts of [en, de]) assert.deepEqual(shapeOf(isolateTexts(texts)), shapeOf(texts));
});
