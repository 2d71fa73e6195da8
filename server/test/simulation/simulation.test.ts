import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate } from './simulate.ts';

const STEPS = 150;

test('a seed gives the same trace in each process, and another seed another one', async () => {
  const seeds = [7, 7, 8];
  const outputs = await Promise.all(seeds.map((first) => simulate({ first, count: 1, steps: STEPS })));
  const [first, second, other] = outputs.map((output) => /^trace (\w+)/m.exec(output)?.[1]);
  assert.ok(first, outputs.join());
  assert.equal(first, second);
  assert.notEqual(first, other);
});

test('commands, faults and restarts leave a shop as its model', async (t) => {
  const first = 1_000 + Math.floor(Math.random() * 1_000_000_000);
  const output = await simulate({ first, count: 15, steps: STEPS });
  t.diagnostic(output);
  assert.match(output, /no violation/);
});
