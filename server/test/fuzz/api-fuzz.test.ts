import { test } from 'node:test';
import { testEngine } from '../support/test-database.ts';
import { fuzzApi } from './fuzz.ts';

const CASES = 2_000 * testEngine().share;

test(`${CASES} requests generated from the document get the documented answers`, async (t) => {
  await fuzzApi(t, { cases: CASES, seed: 1 });
});
