import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { PetstoreError } from '../src/errors.ts';
import { Gate } from '../src/limits/gate.ts';
import { gateOf } from '../src/limits/gates.ts';
import { readRetryAfter, readWindows } from '../src/limits/rate-limits.ts';
import { readSettings } from '../src/settings.ts';
import { isSkippedDaily } from '../../server/test/support/long-test.ts';

const REFUSED = new PetstoreError('Wait.', {
  code: 'rate_limit_exceeded',
  status: 429,
  retryAfterSeconds: 60,
});

/** A gate on a clock that stands still, and its timers. */
function standingGate(random = 0) {
  const time = { nowMs: 0 };
  const timers = new Set<() => void>();
  const gate = new Gate({
    now: () => time.nowMs,
    after: (_ms, callback) => {
      timers.add(callback);
      return () => timers.delete(callback);
    },
    random: () => random,
  });
  const probes = { count: 0 };
  const entered: string[] = [];
  const enter = (
    name: string,
    fields: { deadlineMs?: number; signal?: AbortSignal; probe?: () => Promise<void> } = {},
  ) =>
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

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new Error('enough')) };
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
  time.nowMs = 59_999;
  for (const wake of [...timers]) wake();
  await turn();
  assert.deepEqual([entered, timers.size], [[], 1]);
  time.nowMs = 60_000;
  for (const wake of [...timers]) wake();
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

test('calls with one signal are all aborted, also after one of them was sent', async () => {
  const { gate, time, timers, entered, enter } = standingGate();
  gate.observe(new Headers(), 0, REFUSED);
  const { signal, abort } = abortable();
  const calls = ['a', 'b', 'c'].map((name) => enter(name, { signal }));
  time.nowMs = 60_000;
  for (const wake of [...timers]) wake();
  await Promise.all(calls.slice(0, 2));
  assert.deepEqual(entered, ['a', 'b']);
  const last = (calls[2] as Promise<unknown>).catch((error: Error) => error.message);
  abort();
  assert.equal(await Promise.race([last, turn('it still waits')]), 'enough');
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

test('sends no more requests than the limit has left, until it resets', async () => {
  const { gate, time, entered, enter } = standingGate();
  gate.observe(reported(1), 0, undefined);
  const calls = [enter('a'), enter('b')];
  await turn();
  assert.deepEqual(entered, ['a']);
  time.nowMs = 42_000;
  calls.push(enter('c'));
  await turn();
  assert.deepEqual(entered, ['a', 'b']);
  gate.leave();
  await Promise.all(calls);
});

test('asks for the limit once for all that wait, and trusts an answer that did not come', async () => {
  const { entered, enter } = standingGate();
  let asked = 0;
  let finish = () => {};
  const probe = () => {
    asked += 1;
    return new Promise<void>((resolve) => {
      finish = resolve;
    });
  };
  const calls = [enter('a', { probe }), enter('b', { probe })];
  await turn();
  assert.deepEqual([asked, entered], [1, []]);
  finish();
  await turn();
  assert.deepEqual([asked, entered], [1, ['a', 'b']]);
  await Promise.all(calls);
});

test('a shorter refusal ends no longer one, and refusals without a time wait longer each', () => {
  const { gate, time } = standingGate();
  gate.observe(new Headers(), 0, REFUSED);
  time.nowMs = 1_000;
  const unknown = new PetstoreError('Wait.', { code: 'rate_limit_exceeded', status: 429 });
  gate.observe(new Headers(), time.nowMs, unknown);
  assert.equal(gate.rateLimits.blockedSeconds, 59);
  const other = standingGate();
  const refuse = () => {
    other.gate.observe(new Headers(), other.time.nowMs, unknown);
    const { blockedSeconds } = other.gate.rateLimits;
    other.time.nowMs += blockedSeconds * 1_000;
    return blockedSeconds;
  };
  assert.deepEqual(Array.from({ length: 8 }, refuse), [1, 2, 4, 8, 16, 32, 60, 60]);
  other.gate.observe(new Headers(), other.time.nowMs, undefined);
  assert.equal(refuse(), 1);
});

test('clients that wait for the same moment return over a second', () => {
  const { gate } = standingGate(1);
  gate.observe(new Headers(), 0, REFUSED);
  assert.equal(gate.rateLimits.blockedSeconds, 61);
});

test('of reports in another order the smaller rest counts', () => {
  const { gate, time } = standingGate();
  time.nowMs = 100;
  gate.observe(reported(5), 90, undefined);
  gate.observe(reported(9), 80, undefined);
  assert.equal(gate.rateLimits.minute?.remaining, 5);
  gate.observe(reported(9), 100, undefined);
  assert.equal(gate.rateLimits.minute?.remaining, 9);
});

test('a used up day is another error than a used up minute', async () => {
  const { gate, enter } = standingGate();
  const headers = reported(5);
  headers.set('RateLimit', '"minute";r=5;t=42, "day";r=0;t=3000');
  gate.observe(headers, 0, undefined);
  await assert.rejects(enter('call', { deadlineMs: 60_000 }), {
    code: 'daily_quota_exceeded',
    retryAfterSeconds: 3_000,
  });
});

test('the gate of a refused key is kept among those of a thousand others, and idle ones go', () => {
  const clock = { now: () => 0, after: () => () => {}, random: () => 0 };
  const fetch = async () => new Response();
  const gateOfKey = (key: number) =>
    gateOf(readSettings({ apiKey: `psk_${key}`, baseUrl: 'http://localhost', fetch, clock }));
  const [refused, idle] = [gateOfKey(0), gateOfKey(1)];
  refused.observe(new Headers(), 0, REFUSED);
  for (let key = 2; key <= 1_000; key += 1) gateOfKey(key);
  assert.equal(gateOfKey(0), refused);
  assert.notEqual(gateOfKey(1), idle);
});

test('a time to wait needs no right clock here, and no window resets after its length', () => {
  const at = Date.UTC(2020, 0, 1);
  const date = (seconds: number) => new Date(at + seconds * 1_000).toUTCString();
  assert.equal(readRetryAfter(new Headers({ 'Retry-After': date(30), Date: date(0) })), 30);
  const windows = readWindows(
    new Headers({
      RateLimit: '"minute";r=0;t=999999, "day";r=0;t=999999',
      'RateLimit-Policy': '"minute";q=300;w=60, "day";q=10000;w=86400',
    }),
  );
  assert.deepEqual(
    windows.map(({ resetMs }) => resetMs),
    [60_000, 86_400_000],
  );
});

test('a call that could wait for one moment fails when that becomes a later one', async () => {
  const { gate, time, timers, enter } = standingGate();
  const refuseAt = (nowMs: number) => {
    time.nowMs = nowMs;
    gate.observe(new Headers(), nowMs, REFUSED);
    for (const wake of [...timers]) wake();
  };
  refuseAt(0);
  const [hasty, patient] = [enter('hasty', { deadlineMs: 61_000 }), enter('patient', { deadlineMs: 95_000 })];
  refuseAt(30_000);
  await assert.rejects(hasty, { status: 429 });
  refuseAt(40_000);
  assert.equal(timers.size, 0, 'none waits any more');
  await assert.rejects(patient, { status: 429, retryAfterSeconds: 60 });
});
