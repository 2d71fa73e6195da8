import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryAfterSeconds } from '../../src/domain/access/rate-limit.ts';
import { MemoryLimits } from '../../src/store/sqlite/memory-limits.ts';
import { principalOf } from '../support/principals.ts';
import { simulate, type Tally, Totals } from './limit-simulation.ts';

const SEEDS = 400;

test(`a client that obeys Retry-After is never refused twice per window, nor banned (${SEEDS} seeds)`, (t) => {
  const totals = new Totals();
  for (let seed = 1; seed <= SEEDS; seed += 1) totals.add(judgedByMemory(seed));
  totals.assertLively(10_000);
  assert.ok(totals.bans >= 100);
  t.diagnostic(String(totals));
});

function judgedByMemory(seed: number): Tally {
  let bansMade = 0;
  const limits = new MemoryLimits({ counts: [], finished: 0 }, () => {
    bansMade += 1;
  });
  const simulation = simulate(seed, { maxRequests: 1_500, maxKeys: 6 });
  let step = simulation.next();
  while (!step.done) {
    const { keyIndex, nowMs, limits: planLimits } = step.value;
    const { windows, refusal } = limits.admit(principalOf(`key ${keyIndex}`, 'acc', planLimits), nowMs);
    const [minute, day] = windows;
    step = simulation.next({
      code: refusal?.code,
      retryAfterSeconds: refusal ? retryAfterSeconds(refusal.retryAtMs, nowMs) : 0,
      minuteRemaining: minute?.remaining ?? -1,
      dayRemaining: day?.remaining ?? -1,
    });
  }
  assert.equal(bansMade, step.value.bans, `seed ${seed}`);
  return step.value;
}
