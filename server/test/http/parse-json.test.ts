import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJsonExactly } from '../../src/http/request/parse-json.ts';

const json = fc.constantFrom('0', '-0', '7', '-7', '999999999999999', 'true', 'null', '"7"', '[]');
const row = fc.oneof(
  json,
  fc
    .array(fc.tuple(fc.constantFrom('petId', 'quantity', '__proto__'), json), { maxLength: 3 })
    .map((members) => `{${members.map(([name, value]) => `"${name}":${value}`).join()}}`),
);
const body = fc.oneof(
  json,
  fc.array(row, { maxLength: 4 }).map((rows) => `{"lines":[${rows.join()}],"other":[${rows.join()}]}`),
);

test('the petIds of rows are the same with and without a reviver', () => {
  fc.assert(
    fc.property(body, (text) => {
      const found = rowsOf(parseJsonExactly(text, 'lines'));
      // Sixteen digits in a row need the reviver.
      const revived = parseJsonExactly(text.replace(/\}$/, ',"x":"1234567890123456"}'), 'lines');
      assert.deepEqual(found, rowsOf(revived));
    }),
    { numRuns: 1_000 },
  );
});

function rowsOf(value: unknown): unknown {
  const lines = (value as { lines?: unknown } | null)?.lines;
  // Only members of the rows themselves are read.
  return Array.isArray(lines) ? lines.map((line) => (line as { petId?: unknown } | null)?.petId) : undefined;
}

test('a petId keeps all digits, and one that is no integer as written is none', () => {
  const petIds: readonly (readonly [string, bigint | number])[] = [
    ['12', 12n],
    ['999999999999999', 999_999_999_999_999n],
    ['9007199254740993', 9_007_199_254_740_993n],
    ['-9223372036854775808', -9_223_372_036_854_775_808n],
    ['1e3', 1_000n],
    ['5.0', 5n],
    ['0.99999999999999999999', Number.NaN],
  ];
  for (const [text, petId] of petIds) {
    const { lines } = parseJsonExactly(`{"lines":[{"petId":${text}}]}`, 'lines') as { lines: unknown };
    assert.deepEqual(lines, [{ petId }]);
  }
});
