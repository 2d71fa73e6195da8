import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Limits } from '../../src/domain/access/plans.ts';
import { WINDOW_MS, type WindowName } from '../../src/domain/access/rate-limit.ts';
import { MemoryLimits } from '../../src/store/sqlite/memory-limits.ts';
import { SeededRandom } from '../support/limit-clients.ts';
import { principalOf } from '../support/principals.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const SECOND = 1_000;
const MINUTE = WINDOW_MS.minute;
const HOUR = 60 * MINUTE;
const DAY = WINDOW_MS.day;
const SEEDS = 300;
const MIDNIGHT = Date.UTC(2026, 6, 1);
const STEPS_MS = [SECOND, -SECOND, MINUTE, -MINUTE, HOUR, -HOUR, DAY, -DAY] as const;
const WINDOWS: readonly WindowName[] = ['minute', 'day'];

/** A wall clock that can be set, next to a monotonic one. */
class SteppedClock {
  trueMs = 0;
  #offsetMs: number;

  constructor(random: SeededRandom) {
    // Half of them begin shortly before midnight, where both windows turn.
    this.#offsetMs =
      MIDNIGHT + (random.chance(0.5) ? -random.integer(1, 90) * SECOND : random.integer(0, DAY));
  }

  step(byMs: number): void {
    this.#offsetMs += byMs;
  }

  get nowMs(): number {
    return this.trueMs + this.#offsetMs;
  }
}

interface Visit {
  readonly label: number;
  admitted: number;
}

/** The visits to the labels of one window: each lasts while the clock stays within the label. */
function noteVisit(visits: Visit[], label: number, isAdmitted: boolean): void {
  let visit = visits.at(-1);
  if (visit?.label !== label) {
    visit = { label, admitted: 0 };
    visits.push(visit);
  }
  if (isAdmitted) visit.admitted += 1;
}

const NOTHING_SAVED = { counts: [], finished: 0 };

test(`a clock that jumps never opens more than one allowance at a time (${SEEDS} seeds)`, () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const random = new SeededRandom(seed);
    const limits: Limits = { perMinute: random.integer(1, 20), perDay: random.integer(1, 60) };
    const visits: Record<WindowName, Visit[]> = { minute: [], day: [] };
    const memory = new MemoryLimits(NOTHING_SAVED, () => undefined);
    const clock = new SteppedClock(random);
    for (let request = 0; request < 500; request += 1) {
      clock.trueMs += random.integer(0, 4 * SECOND);
      if (random.chance(0.05)) clock.step(random.pick(STEPS_MS));
      // Each request has its own key: the account has the quota, and no ban interferes.
      const { refusal } = memory.admit(principalOf(`key ${request}`, 'acc', limits), clock.nowMs);
      for (const window of WINDOWS) {
        noteVisit(visits[window], Math.floor(clock.nowMs / WINDOW_MS[window]), refusal === undefined);
      }
    }
    assertOneAllowance(visits.minute, limits.perMinute, `seed ${seed}, minute`);
    assertOneAllowance(visits.day, limits.perDay, `seed ${seed}, day`);
  }
});

/**
 * Each visit admits the limit at most. Two visits to a label between which the clock was elsewhere once admit no
 * more together, and neither does a visit together with the one from which the clock stepped back to it.
 */
function assertOneAllowance(visits: readonly Visit[], limit: number, what: string): void {
  for (const [i, visit] of visits.entries()) {
    const [beforeLast, last] = [visits[i - 2], visits[i - 1]];
    const isReturn = beforeLast?.label === visit.label;
    const isStepBack = last !== undefined && last.label > visit.label;
    let together = visit.admitted;
    if (isReturn) together += beforeLast.admitted;
    else if (isStepBack) together += last.admitted;
    assert.ok(together <= limit, `${what}, visit ${i}: ${together} of ${limit}`);
  }
}

for (const { window, limits, pollMs, quietMs } of [
  { window: 'minute', limits: { perMinute: 3, perDay: 1_000_000 }, pollMs: 5 * SECOND, quietMs: 3 * MINUTE },
  { window: 'day', limits: { perMinute: 1_000_000, perDay: 20 }, pollMs: HOUR / 6, quietMs: 3 * DAY },
] as const) {
  test(`a jump of the clock locks no account out for longer than a ${window} plus the jump (${SEEDS} seeds)`, (t) => {
    if (isSkippedDaily(t)) return;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const random = new SeededRandom(seed);
      const memory = new MemoryLimits(NOTHING_SAVED, () => assert.fail(`seed ${seed}: banned`));
      const clock = new SteppedClock(random);
      let waitingSinceMs = 0;
      let longestMs: number = WINDOW_MS[window];
      for (let step = 0; step < 12; step += 1) {
        const quietUntilMs = clock.trueMs + quietMs + random.integer(0, quietMs);
        while (clock.trueMs < quietUntilMs) {
          const { refusal } = memory.admit(principalOf('key', 'acc', limits), clock.nowMs);
          if (refusal === undefined) waitingSinceMs = clock.trueMs;
          const waitedMs = clock.trueMs - waitingSinceMs;
          assert.ok(waitedMs < longestMs + pollMs, `seed ${seed}, step ${step}: ${waitedMs} ms`);
          clock.trueMs += pollMs;
        }
        const stepMs = random.pick(STEPS_MS);
        clock.step(stepMs);
        waitingSinceMs = clock.trueMs;
        // An exhausted window is still exhausted when the clock returns to it.
        longestMs = WINDOW_MS[window] + Math.min(WINDOW_MS[window], Math.max(0, -stepMs));
      }
    }
  });
}

test('after a jump of the clock Retry-After is at most one window', () => {
  const memory = new MemoryLimits(NOTHING_SAVED, () => undefined);
  const principal = principalOf('key', 'acc', { perMinute: 1, perDay: 1_000 });
  memory.admit(principal, MIDNIGHT);
  for (const stepMs of STEPS_MS) {
    const nowMs = MIDNIGHT + stepMs;
    const { refusal } = memory.admit(principal, nowMs);
    if (refusal) assert.ok(refusal.retryAtMs > nowMs && refusal.retryAtMs <= nowMs + MINUTE, `${stepMs}`);
  }
});

test('a ban never lasts longer than imposed, for a jump of the clock in either direction', () => {
  for (const stepMs of STEPS_MS) {
    const ban = { keyId: 'key', level: 1, bannedAtMs: MIDNIGHT, endsAtMs: MIDNIGHT + 5 * MINUTE };
    const memory = new MemoryLimits(NOTHING_SAVED, () => undefined);
    memory.setBans([ban]);
    const principal = principalOf('key', 'acc', { perMinute: 1_000, perDay: 1_000_000 });
    let bannedForMs = 0;
    for (let trueMs = 0; trueMs <= 2 * DAY; trueMs += MINUTE) {
      const { refusal } = memory.admit(principal, MIDNIGHT + trueMs + (trueMs >= 2 * MINUTE ? stepMs : 0));
      if (refusal?.code === 'api_key_banned') bannedForMs += MINUTE;
    }
    assert.ok(bannedForMs <= 7 * MINUTE, `after a step of ${stepMs} ms: banned for ${bannedForMs} ms`);
  }
});
