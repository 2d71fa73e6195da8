import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SIMULATION } from '../mutate/mutations/simulation.ts';
import { Mutants } from './mutants.ts';

/** As `seeds.long.ts`. */
const SEEDS = { first: 1, count: 400, steps: 150 };

test(`each mutation of ordering is found within ${SEEDS.count} seeds`, async (t) => {
  const mutants = await Mutants.make();
  t.after(() => mutants.remove());
  const missed: string[] = [];
  for (const mutation of SIMULATION) {
    const output = await mutants.simulate(mutation, SEEDS);
    const [found] = /^seed \d+, step \w+: .{1,100}/m.exec(output) ?? [];
    t.diagnostic(`${mutation.name} | ${found ?? 'not found'}`);
    if (found === undefined) missed.push(`${mutation.name}: ${output.slice(0, 200)}`);
  }
  assert.deepEqual(missed, []);
});
