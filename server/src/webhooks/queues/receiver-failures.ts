import type { EndpointPause, EndpointProgress } from '../../domain/webhooks/webhook-store.ts';
import type { Clocks } from '../delivery/attempt.ts';
import { mustPause, retryAfterMs, retryDelayMs } from './retry-schedule.ts';

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
