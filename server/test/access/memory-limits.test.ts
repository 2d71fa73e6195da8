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

test('minutes and levels of the day that are reached while others are written are written next', () => {
  const limits = new MemoryLimits({ counts: [], finished: 0 }, () => undefined);
  const plan = { perMinute: 100, perDay: 10 };
  const request = (minute: number, times: number) => {
    for (let i = 0; i < times; i += 1) limits.admit(principalOf('key', 'acc', plan), minute * 60_000);
  };
  request(0, 8);
  request(1, 1);
  const first = limits.takeChanges();
  assert.deepEqual(
    [first.minutes.map(({ number }) => number), first.quotas.map(({ percent }) => percent)],
    [[1], [80]],
  );
  request(1, 1);
  limits.limitStatus(principalOf('key', 'acc', plan), 2 * 60_000);
  limits.noteSaved(first);
  const second = limits.takeChanges();
  assert.deepEqual(
    [second.minutes.map(({ number }) => number), second.quotas.map(({ percent }) => percent)],
    [[2], [100]],
  );
  limits.noteSaved(second);
  const { minutes, quotas } = limits.takeChanges();
  assert.deepEqual([minutes, quotas], [[], []]);
});
