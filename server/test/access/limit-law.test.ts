import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorCode } from '../../src/domain/errors.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { type Answer, startApp, type TestApp } from '../support/harness.ts';
import { testEngine } from '../support/test-database.ts';
import { type ReportedLimits, simulate, type Tally, Totals } from './limit-simulation.ts';
import { isSkippedDaily } from '../support/long-test.ts';

/** Not the seeds of the test of the limits alone. The first two together have each kind of refusal. */
const FIRST_SEED = 1_004;
const SEEDS = Math.ceil(12 * testEngine().share);

test(`a client that obeys Retry-After is never refused twice per window by the service, nor banned (${SEEDS} seeds)`, async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startApp(t, { config: { PETSTORE_LOG_LEVEL: 'silent' } });
  const totals = new Totals();
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) totals.add(await judgedByApp(app, seed));
  totals.assertLively(4 * SEEDS);
  t.diagnostic(String(totals));
});

async function judgedByApp(
  { admin, clock, request, makeAccount, makeKey }: TestApp,
  seed: number,
): Promise<Tally> {
  const simulation = simulate(seed, { maxRequests: 600, maxKeys: 4 });
  let step = simulation.next();
  if (step.done) throw new Error('A simulation has requests.');
  let { limits } = step.value;
  const accountId = await makeAccount(limits);
  const keys = await Promise.all([0, 1, 2, 3].map(() => makeKey({ accountId })));
  while (!step.done) {
    const { keyIndex, nowMs, limits: planLimits } = step.value;
    if (planLimits !== limits) {
      await admin.accounts.update(accountId, { plan: 'enterprise', ...planLimits }, CLI_AUTHOR);
      // Every answer of the database reports the change to the service.
      await request('GET', '/v1/inventory');
    }
    limits = planLimits;
    clock.nowMs = nowMs;
    const answer = await request('GET', '/v1/inventory', { key: keys[keyIndex]?.key ?? null });
    step = simulation.next(reportedBy(answer, nowMs));
  }
  return step.value;
}

/** Reads an answer as a client does, and asserts that its headers and body agree. */
function reportedBy({ status, headers, code }: Answer, nowMs: number): ReportedLimits {
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
