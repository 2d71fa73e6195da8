import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { fuzzApi } from './fuzz.ts';

for (let i = 0; i < 10; i += 1) {
  const seed = randomInt(2 ** 31);
  test(`20,000 requests of seed ${seed}, generated from the document, get the documented answers`, async (t) => {
    await fuzzApi(t, { cases: 20_000, seed });
  });
}
