import { test } from 'node:test';
import { fuzzApi } from './api-fuzz.ts';
import { testEngine } from './test-database.ts';

const CASES = 10_000 * testEngine().share;

test(`${CASES} requests made from the document are answered as it says`, async (t) => {
  await fuzzApi(t, { cases: CASES, seed: 1 });
});
