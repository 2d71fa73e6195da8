import { DAY_MS, MINUTE_MS } from '@petstore-inventory/shared/durations';
import type { Limits } from './plans.ts';

/** The fixed UTC windows. Only with fixed windows is there one moment at which the limit resets. */
export const WINDOW_MS = { minute: MINUTE_MS, day: DAY_MS } as const;
export type WindowName = keyof typeof WINDOW_MS;

/** One window as a client sees it. */
export interface WindowUsage {
  readonly name: WindowName;
  readonly limit: number;
  readonly remaining: number;
  readonly resetAtMs: number;
}

/**
 * The number of requests that a window has admitted. A window is named by its label, the number of such windows since
 * 1970. The last two labels visited are kept: a clock that steps forward and back again finds the count it had left.
 * A step back to an older label keeps the count of the newest one. So no step of the clock gives a second allowance,
 * and none refuses a caller for longer than two windows.
 */
export class WindowCount {
  readonly name: WindowName;
  label: number;
  used: number;
  #otherLabel = -1;
  #otherUsed = 0;

  constructor(name: WindowName, label = -1, used = 0) {
    this.name = name;
    this.label = label;
    this.used = used;
  }

  /** Turns to the window that holds this moment. */
  turnTo(nowMs: number): void {
    const label = Math.floor(nowMs / WINDOW_MS[this.name]);
    if (label === this.label) return;
    const { label: leftLabel, used: leftUsed } = this;
    if (label === this.#otherLabel) this.used = this.#otherUsed;
    else if (label > leftLabel) this.used = 0;
    this.label = label;
    this.#otherLabel = leftLabel;
    this.#otherUsed = leftUsed;
  }

  /** Whether this moment is in the window that was visited last. */
  isAt(nowMs: number): boolean {
    return Math.floor(nowMs / WINDOW_MS[this.name]) === this.label;
  }

  get resetAtMs(): number {
    return (this.label + 1) * WINDOW_MS[this.name];
  }

  usage(limit: number): WindowUsage {
    return { name: this.name, limit, remaining: Math.max(0, limit - this.used), resetAtMs: this.resetAtMs };
  }
}

/** The use of a caller's windows. An account has both; an address without a valid key only has the minute. */
export class RateLimitCounters {
  readonly minute: WindowCount;
  readonly day: WindowCount;

  constructor(minute = new WindowCount('minute'), day = new WindowCount('day')) {
    this.minute = minute;
    this.day = day;
  }

  /**
   * Takes one request from both windows, or nothing from either.
   * Returns the window that refused: of two, the one that resets last.
   */
  charge(limits: Limits, nowMs: number): WindowName | undefined {
    this.turnTo(nowMs);
    if (this.day.used >= limits.perDay) return 'day';
    if (this.minute.used >= limits.perMinute) return 'minute';
    this.minute.used += 1;
    this.day.used += 1;
    return undefined;
  }

  turnTo(nowMs: number): void {
    this.minute.turnTo(nowMs);
    this.day.turnTo(nowMs);
  }

  usage(limits: Limits): readonly [WindowUsage, WindowUsage] {
    return [this.minute.usage(limits.perMinute), this.day.usage(limits.perDay)];
  }
}

/**
 * The window that the `X-RateLimit-*` headers describe: of a refused request the exhausted window that resets
 * last, else the one with the least remaining; of two alike, the later reset.
 */
export function bindingWindow(windows: readonly WindowUsage[]): WindowUsage {
  let binding = windows[0] as WindowUsage;
  for (const window of windows) {
    const isAlike = window.remaining === binding.remaining;
    if (isAlike ? window.resetAtMs > binding.resetAtMs : window.remaining < binding.remaining)
      binding = window;
  }
  return binding;
}

/** Whole seconds to wait until a moment: at least one, and never so few that the wait ends early. */
export function retryAfterSeconds(retryAtMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((retryAtMs - nowMs) / 1_000));
}
