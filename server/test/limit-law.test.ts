import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorCode } from '../src/domain/errors.ts';
import { retryAfterSeconds } from '../src/domain/quota.ts';
import { MemoryLimits } from '../src/store/sqlite/limits.ts';
import { type Answer, startApp, type TestApp } from './harness.ts';
import { holderOf } from './key-holders.ts';
import { type Said, simulate, type Tally } from './limit-simulation.ts';

const SEEDS = 1_000;
const SEEDS_OF_THE_APP = 25;

class Totals {
  admitted = 0;
  bans = 0;
  readonly refusals = new Map<string, number>();

  add({ admitted, bans, refusals }: Tally): void {
    this.admitted += admitted;
    this.bans += bans;
    for (const [code, count] of refusals) this.refusals.set(code, (this.refusals.get(code) ?? 0) + count);
  }

  /** A simulation in which nothing happened would prove nothing. */
  assertLively(atLeast: number): void {
    for (const code of ['rate_limit_exceeded', 'daily_quota_exceeded', 'api_key_banned']) {
      assert.ok((this.refusals.get(code) ?? 0) >= atLeast, `${code}: ${this.refusals.get(code)}`);
    }
    assert.ok(this.admitted >= atLeast);
  }

  toString(): string {
    return `${this.admitted} admitted, ${this.bans} bans, refused: ${JSON.stringify([...this.refusals])}`;
  }
}

test(`whoever waits as told is never refused twice for one window, nor banned (${SEEDS} seeds)`, (t) => {
  const totals = new Totals();
  for (let seed = 1; seed <= SEEDS; seed += 1) totals.add(judgedByMemory(seed));
  totals.assertLively(10_000);
  assert.ok(totals.bans >= 100);
  t.diagnostic(String(totals));
});

function judgedByMemory(seed: number): Tally {
  let bansMade = 0;
  const limits = new MemoryLimits([], () => {
    bansMade += 1;
  });
  const simulation = simulate(seed, { mostRequests: 1_500, mostKeys: 6 });
  let step = simulation.next();
  while (!step.done) {
    const { keyIndex, nowMs, limits: planLimits } = step.value;
    const { windows, refusal } = limits.admit(holderOf(`key ${keyIndex}`, 'acc', planLimits), nowMs);
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

test(`the same holds of the whole service, and its headers agree (${SEEDS_OF_THE_APP} seeds)`, async (t) => {
  const app = await startApp(t, { config: { PETSTORE_LOG_LEVEL: 'silent' } });
  const totals = new Totals();
  for (let seed = 1; seed <= SEEDS_OF_THE_APP; seed += 1) totals.add(await judgedByApp(app, seed));
  totals.assertLively(100);
  t.diagnostic(String(totals));
});

async function judgedByApp(
  { admin, clock, request, makeAccount, makeKey }: TestApp,
  seed: number,
): Promise<Tally> {
  const simulation = simulate(seed + SEEDS, { mostRequests: 600, mostKeys: 4 });
  let step = simulation.next();
  if (step.done) throw new Error('A simulation has requests.');
  let { limits } = step.value;
  const accountId = await makeAccount(limits);
  const keys = await Promise.all([0, 1, 2, 3].map(() => makeKey({ accountId })));
  while (!step.done) {
    const { keyIndex, nowMs, limits: planLimits } = step.value;
    if (planLimits !== limits) await admin.setPlan(accountId, 'enterprise', planLimits);
    limits = planLimits;
    clock.nowMs = nowMs;
    const answer = await request('GET', '/v1/inventory', { key: keys[keyIndex]?.key ?? null });
    step = simulation.next(saidBy(answer, nowMs));
  }
  return step.value;
}

/** Reads an answer as a client does, and asserts that what it says in several places is the same. */
function saidBy({ status, headers, code }: Answer, nowMs: number): Said {
  const number = (name: string) => {
    const text = headers.get(name) ?? 'missing';
    assert.match(text, /^\d+$/, name);
    return Number(text);
  };
  const remainingOf = (window: string) =>
    Number(new RegExp(`"${window}";r=(\\d+);`).exec(headers.get('RateLimit') ?? '')?.[1]);
  const minuteRemaining = remainingOf('minute');
  const dayRemaining = remainingOf('day');
  const nowSeconds = Math.ceil(nowMs / 1_000);
  const reset = number('X-RateLimit-Reset');
  assert.ok(reset >= nowSeconds, 'a window resets in the future');
  if (status === 200) {
    assert.equal(headers.has('Retry-After'), false);
    assert.equal(number('X-RateLimit-Remaining'), Math.min(minuteRemaining, dayRemaining));
    return { code: undefined, retryAfterSeconds: 0, minuteRemaining, dayRemaining };
  }
  assert.equal(status, 429);
  assert.equal(number('X-RateLimit-Remaining'), 0);
  const retryAfter = number('Retry-After');
  const untilReset = reset - nowSeconds;
  assert.ok(Math.abs(retryAfter - untilReset) <= 1, `Retry-After ${retryAfter}, reset in ${untilReset}`);
  return { code: code as ErrorCode, retryAfterSeconds: retryAfter, minuteRemaining, dayRemaining };
}
