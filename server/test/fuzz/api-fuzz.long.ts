import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { fuzzContract } from './contract-fuzz.ts';
import { fuzzApi } from './fuzz.ts';

for (let i = 0; i < 10; i += 1) {
  const seed = randomInt(2 ** 31);
  test(`20,000 requests of seed ${seed}, generated from the document, get the documented answers`, async (t) => {
    await fuzzApi(t, { cases: 20_000, seed });
  });
  test(`20,000 requests of seed ${seed} for webhooks and management keep to the documents`, async (t) => {
    await fuzzContract(t, { cases: 20_000, seed });
  });
}
