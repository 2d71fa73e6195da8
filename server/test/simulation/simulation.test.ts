import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Simulation } from './simulation.ts';

/** The same each day: the mutations of `mutate/mutations/simulation.ts` are found with them. */
const FIXED_SEEDS = 12;
const NEW_SEEDS = 3;
const STEPS = 150;

test('a seed gives the same trace each time, and another seed another one', async () => {
  const [first, second, other] = [
    await Simulation.run(1, STEPS),
    await Simulation.run(1, STEPS),
    await Simulation.run(2, STEPS),
  ];
  assert.deepEqual(first, second);
  assert.notEqual(first.traceHash, other.traceHash);
  assert.ok(first.movements > 0);
});

test('commands, faults and restarts leave a shop as its model', async (t) => {
  const base = 1_000 + Math.floor(Math.random() * 1_000_000);
  t.diagnostic(`seeds 1 to ${FIXED_SEEDS}, and ${NEW_SEEDS} from ${base}`);
  for (let seed = 1; seed <= FIXED_SEEDS; seed += 1) await Simulation.run(seed, STEPS);
  for (let seed = base; seed < base + NEW_SEEDS; seed += 1) await Simulation.run(seed, STEPS);
});
