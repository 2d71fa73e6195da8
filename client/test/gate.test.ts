import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { PetstoreError } from '../src/errors.ts';
import { Gate } from '../src/limits/gate.ts';
import { isSkippedDaily } from '../../server/test/support/long-test.ts';

const REFUSED = new PetstoreError('Wait.', {
  code: 'rate_limit_exceeded',
  status: 429,
  retryAfterSeconds: 60,
});

/** A gate on a clock that stands still, and its timers. */
function standingGate() {
  const time = { nowMs: 0 };
  const timers = new Set<() => void>();
  const gate = new Gate({
    now: () => time.nowMs,
    after: (_ms, callback) => {
      timers.add(callback);
      return () => timers.delete(callback);
    },
    random: () => 0,
  });
  const probes = { count: 0 };
  const entered: string[] = [];
  const enter = (name: string, fields: { deadlineMs?: number; signal?: AbortSignal } = {}) =>
    gate
      .enter({
        deadlineMs: Number.POSITIVE_INFINITY,
        maxConcurrent: 2,
        signal: undefined,
        probe: async () => {
          probes.count += 1;
        },
        ...fields,
      })
      .then(() => entered.push(name));
  return { gate, time, timers, probes, entered, enter };
}

function reported(remaining: number, limit = 300): Headers {
  return new Headers({
    RateLimit: `"minute";r=${remaining};t=42, "day";r=9000;t=3000`,
    'RateLimit-Policy': `"minute";q=${limit};w=60, "day";q=10000;w=86400`,
  });
}

test('admits calls in their order, so many at a time', async () => {
  const { gate, entered, enter } = standingGate();
  const calls = ['a', 'b', 'c'].map((name) => enter(name));
  await turn();
  assert.deepEqual(entered, ['a', 'b']);
  gate.leave();
  await Promise.all(calls);
  assert.deepEqual(entered, ['a', 'b', 'c']);
});

test('asks once at first, and later only where the limit is scarce', async () => {
  const { gate, time, probes, enter } = standingGate();
  const call = async (remaining: number, limit?: number) => {
    time.nowMs += 1_000;
    await enter('call');
    gate.observe(reported(remaining, limit), time.nowMs, undefined);
    gate.leave();
    return probes.count;
  };
  assert.deepEqual([await call(299), await call(298), await call(149), await call(148)], [1, 1, 1, 2]);
  const small = standingGate();
  small.gate.observe(reported(59, 60), 0, undefined);
  small.time.nowMs += 1_000;
  await small.enter('call');
  assert.equal(small.probes.count, 1);
});

test('holds all calls after a refusal, and fails those that cannot wait', async () => {
  const { gate, time, timers, entered, enter } = standingGate();
  gate.observe(new Headers(), 0, REFUSED);
  await assert.rejects(enter('hasty', { deadlineMs: 59_000 }), { status: 429, retryAfterSeconds: 60 });
  const patient = enter('patient');
  await turn();
  assert.deepEqual([entered, timers.size, gate.rateLimits.blockedSeconds], [[], 1, 60]);
  time.nowMs = 60_000;
  for (const wake of timers) wake();
  await patient;
});

test('a call that is aborted while it waits leaves no timer', async () => {
  const { gate, timers, enter } = standingGate();
  gate.observe(new Headers(), 0, REFUSED);
  const controller = new AbortController();
  const call = enter('call', { signal: controller.signal });
  assert.equal(timers.size, 1);
  controller.abort(new Error('enough'));
  await assert.rejects(call, { message: 'enough' });
  assert.equal(timers.size, 0);
});

test('a limit that was raised ends the wait, but an older response does not', () => {
  const { gate, time } = standingGate();
  gate.observe(reported(0), 0, REFUSED);
  time.nowMs = 10;
  gate.observe(reported(5), 0, undefined);
  assert.ok(gate.rateLimits.blockedSeconds > 0);
  time.nowMs = 1_000;
  gate.observe(reported(900, 1_000), 900, undefined);
  assert.equal(gate.rateLimits.blockedSeconds, 0);
});

test('100,000 calls wait, and are aborted or fail, in linear time', { timeout: 20_000 }, async (t) => {
  if (isSkippedDaily(t)) return;
  const { gate, time, timers, enter } = standingGate();
  gate.observe(new Headers(), 0, REFUSED);
  const controller = new AbortController();
  const wait = (fields: Parameters<typeof enter>[1]) =>
    Promise.allSettled(Array.from({ length: 100_000 }, () => enter('call', fields)));
  const aborted = wait({ signal: controller.signal });
  const late = wait({ deadlineMs: 70_000 });
  assert.equal(getEventListeners(controller.signal, 'abort').length, 1);
  controller.abort(new Error('enough'));
  assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
  time.nowMs = 59_000;
  gate.observe(new Headers(), time.nowMs, REFUSED);
  for (const wake of [...timers]) wake();
  const results = [...(await aborted), ...(await late)];
  assert.ok(results.every(({ status }) => status === 'rejected'));
  assert.equal(gate.isIdle, false);
  time.nowMs = 200_000;
  assert.equal(gate.isIdle, true);
});

test('fails only the calls that cannot wait until a later moment', async () => {
  const { gate, time, timers, entered, enter } = standingGate();
  gate.observe(new Headers(), 0, REFUSED);
  const [first, hasty, last] = [enter('first'), enter('hasty', { deadlineMs: 61_000 }), enter('last')];
  time.nowMs = 30_000;
  gate.observe(new Headers(), time.nowMs, REFUSED);
  for (const wake of [...timers]) wake();
  await assert.rejects(hasty, { status: 429, retryAfterSeconds: 60 });
  time.nowMs = 90_000;
  for (const wake of [...timers]) wake();
  await Promise.all([first, last]);
  assert.deepEqual(entered, ['first', 'last']);
});
