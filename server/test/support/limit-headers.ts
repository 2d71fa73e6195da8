import assert from 'node:assert/strict';
import { bindingWindow, WINDOW_MS, type WindowUsage } from '../../src/domain/access/rate-limit.ts';

const POLICY = /^"(minute|day)";q=(\d+);w=(\d+)$/;
const STATE = /^"(minute|day)";r=(\d+);t=(\d+)$/;

/** The parts of an answer that must agree with the limit headers. */
export interface LimitedAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The code of an error body; `undefined` if there is none. */
  readonly code: string | undefined;
}

/** The whole number that a header holds. */
export function numberOf(headers: Headers, name: string): number {
  const text = headers.get(name);
  assert.match(text ?? '', /^\d+$/, `${name} must be a whole number; it is ${text}`);
  return Number(text);
}

/**
 * Asserts that `X-RateLimit-*`, `RateLimit-Policy`, `RateLimit` and `Retry-After` agree with each other, and that the
 * code of a refusal names the window that they describe.
 */
export function assertLimitHeaders(answer: LimitedAnswer, nowMs: number): void {
  const { status, headers, code } = answer;
  const shown = {
    limit: numberOf(headers, 'X-RateLimit-Limit'),
    remaining: numberOf(headers, 'X-RateLimit-Remaining'),
    reset: numberOf(headers, 'X-RateLimit-Reset'),
  };
  const windows = windowsOf(headers, nowMs);
  const binding = bindingWindow(windows);
  assert.equal(
    headers.has('Retry-After'),
    status === 429 || status === 503 || code === 'idempotency_in_progress',
    'Retry-After goes with 429 and 503, and with a key that is in use',
  );
  if (code === 'api_key_banned') {
    assertBanHeaders(headers, shown, nowMs);
    return;
  }
  const described = {
    limit: binding.limit,
    remaining: binding.remaining,
    reset: binding.resetAtMs / 1_000,
  };
  assert.deepEqual(shown, described, 'X-RateLimit-* and the binding window of RateLimit');
  if (code === undefined || status !== 429) return;
  assert.equal(shown.remaining, 0, 'a refused request has nothing remaining');
  assert.equal(code, binding.name === 'day' ? 'daily_quota_exceeded' : 'rate_limit_exceeded');
  const waitSeconds = Math.max(1, Math.ceil((binding.resetAtMs - nowMs) / 1_000));
  assert.equal(numberOf(headers, 'Retry-After'), waitSeconds, 'Retry-After ends with the window');
}

function assertBanHeaders(
  headers: Headers,
  shown: { readonly remaining: number; readonly reset: number },
  nowMs: number,
): void {
  assert.equal(shown.remaining, 0, 'a banned key has nothing remaining');
  const waitSeconds = numberOf(headers, 'Retry-After');
  assert.ok(waitSeconds >= 1, 'Retry-After is at least a second');
  // Both are the end of the ban, rounded up: one from now on, one since 1970.
  const differenceMs = nowMs + waitSeconds * 1_000 - shown.reset * 1_000;
  assert.ok(Math.abs(differenceMs) < 1_000, `Retry-After and X-RateLimit-Reset differ by ${differenceMs} ms`);
}

/** The windows as the IETF pair has them; both headers must name the same ones in the same order. */
function windowsOf(headers: Headers, nowMs: number): WindowUsage[] {
  const policies = (headers.get('RateLimit-Policy') ?? '').split(', ');
  const states = (headers.get('RateLimit') ?? '').split(', ');
  assert.equal(states.length, policies.length, 'RateLimit and RateLimit-Policy list the same windows');
  const windows = policies.map((policy, i) => windowOf(policy, states[i] as string, nowMs));
  const names = windows.map(({ name }) => name).join();
  assert.ok(names === 'minute' || names === 'minute,day', `the windows are ${names}`);
  return windows;
}

function windowOf(policy: string, state: string, nowMs: number): WindowUsage {
  const [, name, quota, widthSeconds] = POLICY.exec(policy) ?? [];
  const [, stateName, remaining, resetsInSeconds] = STATE.exec(state) ?? [];
  assert.ok(name === 'minute' || name === 'day', `RateLimit-Policy has ${policy}`);
  assert.equal(stateName, name, `RateLimit has ${state} where RateLimit-Policy has ${policy}`);
  assert.equal(Number(widthSeconds) * 1_000, WINDOW_MS[name]);
  assert.ok(Number(remaining) <= Number(quota), `${state} of ${policy}`);
  // Fixed windows: the reset is the next full minute or day.
  const resetAtMs = (Math.floor(nowMs / WINDOW_MS[name]) + 1) * WINDOW_MS[name];
  assert.equal(Number(resetsInSeconds), Math.max(1, Math.ceil((resetAtMs - nowMs) / 1_000)), state);
  return { name, limit: Number(quota), remaining: Number(remaining), resetAtMs };
}
