import { uptime } from 'node:os';
import { DAY_MS, MINUTE_MS } from '@petstore-inventory/shared/durations';
import type { StoreOptions } from '../store-options.ts';

/** No clock is set forward further than this within one process, except by mistake. */
const MAX_AHEAD_MS = DAY_MS;
/** A ledger may be this far ahead of a corrected clock. */
const FUTURE_MS = 5 * MINUTE_MS;
/** A shop is seldom closed for longer; a clock that was set wrongly is often further ahead. */
const MAX_IDLE_DAYS = 366;

/**
 * Milliseconds of monotonic clocks. The first one is cheap; the second one also counts while the machine is
 * suspended.
 */
const ELAPSED: readonly (() => number)[] = [() => performance.now(), () => uptime() * 1_000];

/**
 * Checks times before they are recorded. Times in the ledger never decrease, so one wrong reading of a clock would be
 * the time of every later movement. A restart confirms a correct time.
 */
export class ClockGuard {
  readonly #beginMs: number;
  readonly #elapsed: ReadonlyArray<{ readonly read: () => number; readonly beginMs: number }>;

  /** @param nowMs The time now; from here on it may only advance as fast as time passes. */
  constructor(nowMs: number, elapsed = ELAPSED) {
    this.#beginMs = nowMs;
    this.#elapsed = elapsed.map((read) => ({ read, beginMs: read() }));
  }

  /** A sentence for the operator when a time cannot be correct. */
  findFault(atMs: number): string | undefined {
    const passedMs = atMs - this.#beginMs;
    const isPlausible = this.#elapsed.some(
      ({ read, beginMs }) => passedMs - (read() - beginMs) <= MAX_AHEAD_MS,
    );
    if (isPlausible) return undefined;
    return `The clock shows ${iso(atMs)}, more than 24 hours ahead of the time that has passed since the service started at ${iso(this.#beginMs)}; set the clock right, or restart the service if the time is right.`;
  }
}

/** The guard of a store that opens at this time. */
export function newClockGuard(
  nowMs: number,
  { clock, elapsed }: Pick<StoreOptions, 'clock' | 'elapsed'>,
): ClockGuard {
  return new ClockGuard(nowMs, elapsed ?? (clock && [clock]));
}

/** A sentence for the operator when a ledger's newest movement is later than now. */
function findFutureLedger(recordedAtMs: number, nowMs: number): string | undefined {
  if (recordedAtMs <= nowMs + FUTURE_MS) return undefined;
  return `The newest movement was recorded at ${iso(recordedAtMs)}, and now it is ${iso(nowMs)}: until then every movement gets that time. If the clock is wrong now, set it right and restart the service; if it was wrong then, see "A wrong clock" in docs/ledger.md.`;
}

/** A sentence for the operator when a ledger's newest movement is so old that the clock may be wrong. */
export function findIdleLedger(recordedAtMs: number, nowMs: number): string | undefined {
  const isEmpty = recordedAtMs === 0;
  if (isEmpty || nowMs - recordedAtMs <= MAX_IDLE_DAYS * DAY_MS) return undefined;
  return `The newest movement was recorded at ${iso(recordedAtMs)}, and now it is ${iso(nowMs)}, more than ${MAX_IDLE_DAYS} days later: is the clock right?`;
}

/** A sentence about a clock to check before a service records movements. */
export function findWrongStart(recordedAtMs: number, nowMs: number): string | undefined {
  const idle = findIdleLedger(recordedAtMs, nowMs);
  return (
    findFutureLedger(recordedAtMs, nowMs) ??
    (idle &&
      `${idle} If not, stop the service before it records changes with that time, and set the clock right; see "A wrong clock" in docs/ledger.md.`)
  );
}

/** Formats a time, also one outside the calendar. */
function iso(atMs: number): string {
  const date = new Date(atMs);
  return Number.isNaN(date.getTime()) ? `${atMs} ms` : date.toISOString();
}
