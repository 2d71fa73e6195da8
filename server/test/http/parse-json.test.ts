import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJsonExactly } from '../../src/http/request/parse-json.ts';

const NAMES = ['petId', 'quantity', '__proto__', 'lines', 'a'];
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    fc.constantFrom('0', '-0', '7', '-7', '999999999999999', '-999999999999999', 'true', 'null', '"7"'),
    fc.array(tie('value'), { maxLength: 4 }).map((parts) => `[${parts.join()}]`),
    fc
      .array(fc.tuple(fc.constantFrom(...NAMES), tie('value')), { maxLength: 4 })
      .map((members) => `{${members.map(([name, member]) => `"${name}":${String(member)}`).join()}}`),
  ),
})).value as fc.Arbitrary<string>;

test('short integers are read as with a reviver, which reads the source of every number', () => {
  fc.assert(
    fc.property(value, (text) => {
      // A number of sixteen digits needs the reviver.
      const [expected] = parseJsonExactly(`[${text},1234567890123456]`) as [unknown];
      assert.deepEqual(parseJsonExactly(text), expected);
    }),
    { numRuns: 1_000 },
  );
});

test('a body may be nested as deeply as it is long', () => {
  const depth = 20_000;
  let inner = parseJsonExactly(`${'[{"a":'.repeat(depth)}{"petId":7}${'}]'.repeat(depth)}`) as unknown;
  for (let level = 0; level < depth; level++) inner = (inner as [{ a: unknown }])[0].a;
  assert.deepEqual(inner, { petId: 7n });
});
