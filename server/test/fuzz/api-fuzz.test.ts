import { test } from 'node:test';
import { testEngine } from '../support/test-database.ts';
import { fuzzApi } from './fuzz.ts';

const CASES = 4_000 * testEngine().share;

test(`${CASES} requests made from the document are answered as it says`, async (t) => {
  await fuzzApi(t, { cases: CASES, seed: 1 });
});
