import { MAX_FAILING_MS } from '../../domain/webhooks/webhook-endpoint.ts';

/** A failure that is over soon, such as one of a hundred responses, delays the events behind it only shortly. */
const FIRST_DELAYS_MS = [200, 1_000];
const DOUBLED_DELAY_MS = 5_000;
const MAX_DELAY_MS = 3_600_000;
const JITTER = 0.2;
/**
 * A receiver that fails for `MAX_FAILING_MS` fails at least this often. It protects an endpoint from a clock that is set
 * forward, and from a service that was stopped in between.
 */
const MIN_FAILURES_TO_PAUSE = 48;

/** All forms of a date begin with the day of the week, short or long. */
const WEEKDAY = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;

/**
 * Milliseconds until the next attempt.
 * @param failures Failed attempts so far, at least 1.
 * @param random From 0 up to 1.
 */
export function retryDelayMs(failures: number, retryAfterMs: number, random: number): number {
  const doubledMs = DOUBLED_DELAY_MS * 2 ** (failures - 1 - FIRST_DELAYS_MS.length);
  const delayMs = FIRST_DELAYS_MS[failures - 1] ?? Math.min(doubledMs, MAX_DELAY_MS);
  const withJitterMs = Math.round(delayMs * (1 + JITTER * (2 * random - 1)));
  return Math.max(withJitterMs, Math.min(retryAfterMs, MAX_DELAY_MS));
}

/**
 * Reads `Retry-After` (RFC 9110 section 10.2.3): seconds, or a date in one of the forms of HTTP (section 5.6.7).
 * @returns Milliseconds, `Infinity` for more than a number holds; 0 for a missing or invalid value, and for a date in the past.
 */
export function retryAfterMs(value: string | undefined, nowMs: number): number {
  if (value === undefined) return 0;
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  // `Date.parse` takes `-1` for a date too, and one of its forms names no zone.
  const atMs = WEEKDAY.test(value) ? Date.parse(value.endsWith('GMT') ? value : `${value} GMT`) : Number.NaN;
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - nowMs);
}

/** Whether an endpoint has failed for too long. */
export function mustPause(failingSinceMs: number, failures: number, nowMs: number): boolean {
  return failures >= MIN_FAILURES_TO_PAUSE && nowMs - failingSinceMs >= MAX_FAILING_MS;
}
