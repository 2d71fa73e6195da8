import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate } from './simulate.ts';

/** Enough for each mutation of `mutate/mutations/simulation.ts`. */
const SEEDS = { first: 1, count: 400, steps: 150 };

test('the seeds that find each mutation leave a shop as its model', async () => {
  assert.match(await simulate(SEEDS), /no violation/);
});
