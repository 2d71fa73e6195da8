import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate } from './simulate.ts';

const PROCESSES = 2;
const STEPS = 1_000;
const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 2_000);

test(`${SEEDS} new seeds of ${STEPS} steps leave a shop as its model`, async (t) => {
  const base = 1_000_000 + Math.floor(Math.random() * 1_000_000_000);
  const count = Math.ceil(SEEDS / PROCESSES);
  const firsts = Array.from({ length: PROCESSES }, (_, i) => base + i * count);
  const outputs = await Promise.all(firsts.map((first) => simulate({ first, count, steps: STEPS })));
  for (const output of outputs) {
    t.diagnostic(output);
    assert.match(output, /no violation/);
  }
});
