import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseNumeral } from '@petstore-inventory/shared/numeral';
import fc from 'fast-check';
import { parseJson, parseJsonExactly } from '../../../src/http/request/parse-json.ts';
import { assertLinear } from './cpu-time.ts';
import { readPetFile } from '../../support/read-pet-file.ts';

const SHAPES: Readonly<Record<string, (digits: number) => string>> = {
  'zeros before a last digit': (digits) => `1.${'0'.repeat(digits)}1`,
  'zeros at the end': (digits) => `1${'0'.repeat(digits)}`,
  'zeros at the start of a fraction': (digits) => `0.${'0'.repeat(digits)}1`,
  'zeros and other digits in turn': (digits) => `1.${'01'.repeat(digits / 2)}`,
  'zeros in the exponent': (digits) => `1e-${'0'.repeat(digits)}1`,
};

for (const [shape, numberOf] of Object.entries(SHAPES)) {
  test(`a number of ${shape} is read in time linear in its length`, async () => {
    await assertLinear('a body', 25_000, (size) => parseJson(`{"quantity":${numberOf(size)}}`));
    await assertLinear('a batch', 25_000, (size) =>
      parseJsonExactly(`{"lines":[{"petId":${numberOf(size)}}]}`, 'lines'),
    );
  });

  test(`a number of ${shape} in a file of pets is read in time linear in its length`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'numerals-'));
    t.after(() => rmSync(folder, { recursive: true }));
    // 8 times as many digits are still within the bytes that a row may have.
    await assertLinear('a file', 7_500, (size) => {
      const path = join(folder, `${size}.json`);
      const row = `{"petId":1,"quantity":${numberOf(size)}}`;
      writeFileSync(path, `[${Array<string>(30).fill(row).join()}]`);
      assert.throws(() => readPetFile(path), /30 rows are wrong; nothing was imported/);
    });
  });
}

test('a numeral is exactly the number that was written, in one form for all its spellings', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 40n }),
      fc.nat(60),
      fc.integer({ min: -30, max: 30 }),
      spelled,
    ),
  );
  assert.deepEqual(parseNumeral('-0.0e5'), { sign: '-', digits: '', exponent: 0 });
  for (const text of ['', '-', '.5', '1.', '1e', '+1', '0x1', '1 ', 'NaN'])
    assert.equal(parseNumeral(text), undefined);
});

/** Writes a number with a moved point and a matching exponent, and compares the parsed value with the number. */
function spelled(value: bigint, places: number, power: number): void {
  const text = String(value).padStart(places + 1, '0');
  const point = text.length - places;
  const fraction = text.slice(point) === '' ? '' : `.${text.slice(point)}`;
  const numeral = parseNumeral(`${text.slice(0, point)}${fraction}E${power}`);
  assert.ok(numeral);
  const { digits, exponent } = numeral;
  assert.doesNotMatch(digits, /^0|0$/);
  const shift = exponent + places - power;
  assert.ok(value === 0n ? digits === '' : shift >= 0);
  if (value !== 0n) assert.equal(BigInt(digits) * 10n ** BigInt(shift), value);
}
