import { HOUR_MS } from '@petstore-inventory/shared/durations';
import { MAX_FAILING_MS } from '../../domain/webhooks/webhook-endpoint.ts';
import type { EndpointPause, EndpointProgress } from '../../domain/webhooks/webhook-store.ts';
import type { Clocks } from '../delivery/attempt.ts';

const GONE = 410;

type Failing = Pick<EndpointProgress, 'failingSinceMs' | 'failures' | 'retryAtMs'>;
const NOT_FAILING: Failing = { failingSinceMs: null, failures: 0, retryAtMs: null };

export interface FailureOptions {
  readonly clocks: Clocks;
  /** From 0 up to 1. */
  readonly random: () => number;
}

/** Counts the failures of a receiver in a row, and decides when the next attempt is made, or whether none is. */
export class ReceiverFailures {
  readonly #options: FailureOptions;
  #failing: Failing;
  #pause: Pick<EndpointPause, 'reason' | 'atMs'> | undefined;

  constructor({ failingSinceMs, failures, retryAtMs }: Failing, options: FailureOptions) {
    this.#failing = { failingSinceMs, failures, retryAtMs };
    this.#options = options;
  }

  /** Failures since the last success. */
  get count(): number {
    return this.#failing.failures;
  }

  /** Set when no further attempt may be made. */
  get pause(): Pick<EndpointPause, 'reason' | 'atMs'> | undefined {
    return this.#pause;
  }

  /** For a report. */
  get progress(): Failing {
    return this.#failing;
  }

  succeed(): void {
    this.#failing = NOT_FAILING;
  }

  fail(statusCode: number | null, retryAfter: string | undefined): void {
    const nowMs = this.#options.clocks.wallMs();
    const failures = this.#failing.failures + 1;
    const failingSinceMs = this.#failing.failingSinceMs ?? nowMs;
    const delayMs = retryDelayMs(failures, retryAfterMs(retryAfter, nowMs), this.#options.random());
    this.#failing = { failures, failingSinceMs, retryAtMs: nowMs + delayMs };
    if (statusCode === GONE) this.#pause = { reason: 'gone', atMs: nowMs };
    else if (mustPause(failingSinceMs, failures, nowMs)) this.#pause = { reason: 'failing', atMs: nowMs };
  }

  /** Milliseconds until the next attempt; `undefined`: it need not wait. */
  delayMs(): number | undefined {
    const { retryAtMs, failures } = this.#failing;
    if (retryAtMs === null) return undefined;
    // A wall clock that was set must not delay an endpoint for longer than the schedule.
    const longestMs = retryDelayMs(Math.max(failures, 1), Number.POSITIVE_INFINITY, 1);
    return Math.min(Math.max(0, retryAtMs - this.#options.clocks.wallMs()), longestMs);
  }
}

/** A failure that is over soon, such as one of a hundred responses, delays the events behind it only shortly. */
const FIRST_DELAYS_MS = [200, 1_000];
const DOUBLED_DELAY_MS = 5_000;
const MAX_DELAY_MS = HOUR_MS;
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
function mustPause(failingSinceMs: number, failures: number, nowMs: number): boolean {
  return failures >= MIN_FAILURES_TO_PAUSE && nowMs - failingSinceMs >= MAX_FAILING_MS;
}
