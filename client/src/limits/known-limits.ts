import type { Clock } from '../clock.ts';
import type { PetstoreError } from '../errors.ts';
import { type RateLimits, type ReportedWindow, readWindows, type WindowName } from './rate-limits.ts';

interface Window extends ReportedWindow {
  readonly resetAtMs: number;
  readonly reportedAtMs: number;
}

interface Block {
  readonly code: PetstoreError['code'];
  readonly untilMs: number;
  readonly sinceMs: number;
}

/** Until when nothing may be sent, and why. */
export type Held = Pick<Block, 'code' | 'untilMs'>;

/** A request within this time after a report still arrives within the second that the service forgives after a 429. */
const FRESH_MS = 300;
const CAREFUL_MS = 3_600_000;
/** On plans this small a few clients are enough for a ban, if each of them runs into one 429. */
const SMALL_LIMIT = 100;
/** Clients that wait for the same moment return over this time. */
const SPREAD_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

/** The limits of one API key, as its responses describe them. */
export class KnownLimits {
  readonly #clock: Clock;
  readonly #windows = new Map<WindowName, Window>();
  #refusals = 0;
  #block: Block | undefined;
  #knownAtMs = Number.NEGATIVE_INFINITY;
  #carefulUntilMs = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Learns from the headers of any response, and of a 429 also until when to wait. */
  observe(headers: Headers, sentAtMs: number, error: PetstoreError | undefined): void {
    const nowMs = this.#clock.now();
    const windows = readWindows(headers);
    for (const window of windows) this.#learn(window, sentAtMs, nowMs);
    if (windows.length > 0) {
      const isScarce = windows.some(({ limit, remaining }) => remaining < limit / 2 || limit <= SMALL_LIMIT);
      if (isScarce) this.#carefulUntilMs = nowMs + CAREFUL_MS;
      else if (this.#carefulUntilMs === Number.POSITIVE_INFINITY) this.#carefulUntilMs = nowMs;
      this.#knownAtMs = nowMs;
    }
    if (error?.status === 429) {
      this.#refuse(error, nowMs);
      return;
    }
    this.#refusals = 0;
    const hasRest = windows.length > 0 && windows.every(({ remaining }) => remaining > 0);
    // The operator may raise a limit or lift a ban before Retry-After has passed.
    if (hasRest && this.#block && sentAtMs > this.#block.sinceMs) this.#block = undefined;
  }

  get rateLimits(): RateLimits {
    const nowMs = this.#clock.now();
    const state = (name: WindowName) => {
      const window = this.#windows.get(name);
      if (!window) return undefined;
      const { limit, remaining, resetAtMs } = window;
      const isOver = resetAtMs <= nowMs;
      const resetSeconds = isOver ? 0 : Math.ceil((resetAtMs - nowMs) / 1_000);
      return { limit, remaining: isOver ? limit : remaining, resetSeconds };
    };
    const blockedMs = Math.max(0, this.heldUntil(nowMs).untilMs - nowMs);
    return { minute: state('minute'), day: state('day'), blockedSeconds: Math.ceil(blockedMs / 1_000) };
  }

  /** Until when nothing may be sent, and why. */
  heldUntil(nowMs: number): Held {
    let held: Held = this.#block ?? { code: 'rate_limit_exceeded', untilMs: nowMs };
    for (const { name, remaining, resetAtMs } of this.#windows.values()) {
      if (remaining > 0 || resetAtMs <= Math.max(nowMs, held.untilMs)) continue;
      held = { code: name === 'day' ? 'daily_quota_exceeded' : 'rate_limit_exceeded', untilMs: resetAtMs };
    }
    return held;
  }

  /** The requests that all running windows admit. */
  remaining(nowMs: number): number {
    const running = [...this.#windows.values()].filter(({ resetAtMs }) => resetAtMs > nowMs);
    return Math.min(...running.map(({ remaining }) => remaining), Number.POSITIVE_INFINITY);
  }

  /** Whether others may have used up the limit since the newest report. */
  isDoubtful(nowMs: number): boolean {
    return nowMs - this.#knownAtMs > FRESH_MS && nowMs < this.#carefulUntilMs;
  }

  /** Ends the doubt for a moment: after a probe without a response, the next request itself shows the failure. */
  trust(): void {
    this.#knownAtMs = this.#clock.now();
  }

  #refuse({ code, retryAfterSeconds }: PetstoreError, nowMs: number): void {
    // Without a usable Retry-After the waits grow, so that a broken proxy causes no strikes either.
    const backoffMs = Math.min(MAX_BACKOFF_MS, 1_000 * 2 ** this.#refusals);
    const waitMs = retryAfterSeconds ? retryAfterSeconds * 1_000 : backoffMs;
    this.#refusals += 1;
    const untilMs = nowMs + waitMs + this.#clock.random() * SPREAD_MS;
    const isLater = untilMs > (this.#block?.untilMs ?? 0);
    this.#block = { code, untilMs: isLater ? untilMs : (this.#block as Block).untilMs, sinceMs: nowMs };
    this.#carefulUntilMs = nowMs + CAREFUL_MS;
  }

  #learn(window: ReportedWindow, sentAtMs: number, nowMs: number): void {
    const known = this.#windows.get(window.name);
    const resetAtMs = nowMs + window.resetMs;
    // Reports can arrive in another order than the service made them: then the smaller rest counts.
    const isOlder =
      known !== undefined && sentAtMs < known.reportedAtMs && resetAtMs < known.resetAtMs + 2_000;
    const remaining = isOlder ? Math.min(known.remaining, window.remaining) : window.remaining;
    this.#windows.set(window.name, { ...window, remaining, resetAtMs, reportedAtMs: nowMs });
  }
}
