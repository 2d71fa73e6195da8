import { test } from 'node:test';
import { testEngine } from '../support/test-database.ts';
import { fuzzContract } from './contract-fuzz.ts';
import { fuzzApi } from './fuzz.ts';

/** Fewer would not reach each operation of the model. */
const MODEL_CASES = 2_000;
const CASES = (MODEL_CASES / 2) * testEngine().share;

test(`${MODEL_CASES} requests generated from the document get the documented answers`, async (t) => {
  await fuzzApi(t, { cases: MODEL_CASES, seed: 1 });
});

test(`${CASES} requests for webhooks and management keep to the documents`, async (t) => {
  await fuzzContract(t, { cases: CASES, seed: 1 });
});
