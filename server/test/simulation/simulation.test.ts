import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate } from './simulate.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const STEPS = 150;

test('a seed gives the same trace in each process and after each other seed, and another seed another one', async (t) => {
  if (isSkippedDaily(t)) return;
  const runs = [
    { first: 7, count: 1 },
    { first: 7, count: 2 },
    { first: 6, count: 2 },
  ];
  const outputs = await Promise.all(runs.map((run) => simulate({ ...run, steps: STEPS, traces: true })));
  const [[alone], [first, next], [, last]] = outputs.map((output) =>
    [...output.matchAll(/^trace (\w+)/gm)].map(([, hash]) => hash),
  ) as [string[], string[], string[]];
  assert.ok(alone, outputs.join());
  assert.equal(first, alone);
  assert.equal(last, alone);
  assert.notEqual(next, alone);
});

test('commands, faults and restarts leave a shop as its model', async (t) => {
  const first = 1_000 + Math.floor(Math.random() * 1_000_000_000);
  const output = await simulate({ first, count: 15, steps: STEPS });
  t.diagnostic(output);
  assert.match(output, /no violation/);
});
