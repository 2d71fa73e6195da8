import type { Clock } from '../clock.ts';
import { PetstoreError } from '../errors.ts';
import { onAbort } from '../on-abort.ts';
import { type RateLimits, type ReportedWindow, readWindows, type WindowName } from './rate-limits.ts';
import { WaitingLine } from './waiting-line.ts';

/** A call that wants to send a request. */
export interface Entry {
  /** The call fails if it would have to wait beyond this moment. */
  readonly deadlineMs: number;
  readonly maxConcurrent: number;
  readonly signal: AbortSignal | undefined;
  /** Asks for the state of the limits with a request that takes nothing from them. Never rejects. */
  readonly probe: () => Promise<void>;
}

interface Waiter extends Entry {
  readonly enter: () => void;
  readonly fail: (reason: unknown) => void;
}

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
type Held = Pick<Block, 'code' | 'untilMs'>;

/** A request within this time after a report still arrives within the second that the service forgives after a 429. */
const FRESH_MS = 300;
const CAREFUL_MS = 3_600_000;
/** On plans this small a few clients are enough for a ban, if each of them runs into one 429. */
const SMALL_LIMIT = 100;
/** Clients that wait for the same moment return over this time. */
const SPREAD_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

/**
 * Admits the requests of one API key, so that none is sent before `Retry-After` has passed, or when the limit is known to
 * be used up. While others may use it up, it asks the service first: that is free, and a 429 would be a strike.
 */
export class Gate {
  readonly #clock: Clock;
  readonly #line = new WaitingLine<Waiter>();
  /** No call in the line has an earlier deadline. */
  #earliestDeadlineMs = Number.POSITIVE_INFINITY;
  readonly #windows = new Map<WindowName, Window>();
  #inFlight = 0;
  #refusals = 0;
  #block: Block | undefined;
  #knownAtMs = Number.NEGATIVE_INFINITY;
  #carefulUntilMs = Number.POSITIVE_INFINITY;
  #isProbing = false;
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when a request may be sent; the caller calls `leave` after it. @throws PetstoreError or the signal's reason */
  enter(entry: Entry): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        settle();
        reject(entry.signal?.reason);
        // Without this call, the timer may have nobody to wait for, and would keep the process running.
        this.#admit();
      };
      let remove = () => {};
      let ignoreAbort = () => {};
      const settle = () => {
        remove();
        ignoreAbort();
      };
      const waiter: Waiter = {
        ...entry,
        enter: () => {
          settle();
          resolve();
        },
        fail: (reason) => {
          settle();
          reject(reason);
        },
      };
      if (entry.signal?.aborted) return reject(entry.signal.reason);
      const nowMs = this.#clock.now();
      const held = this.#heldUntil(nowMs);
      if (held.untilMs > nowMs && held.untilMs > entry.deadlineMs) return reject(tooLate(held, nowMs));
      ignoreAbort = onAbort(entry.signal, abort);
      remove = this.#line.add(waiter);
      this.#earliestDeadlineMs = Math.min(this.#earliestDeadlineMs, entry.deadlineMs);
      this.#admit();
    });
  }

  /** Frees the place of a request. */
  leave(): void {
    this.#inFlight -= 1;
    this.#admit();
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

  /** What is known about the limits. */
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
    const blockedMs = Math.max(0, this.#heldUntil(nowMs).untilMs - nowMs);
    return { minute: state('minute'), day: state('day'), blockedSeconds: Math.ceil(blockedMs / 1_000) };
  }

  get isIdle(): boolean {
    return this.#line.first === undefined && this.#inFlight === 0 && this.rateLimits.blockedSeconds === 0;
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

  #admit(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    for (let first = this.#line.first; first; first = this.#line.first) {
      const nowMs = this.#clock.now();
      const held = this.#heldUntil(nowMs);
      if (held.untilMs > nowMs) {
        this.#failLate(held, nowMs);
        if (this.#line.first) {
          this.#cancelTimer = this.#clock.after(held.untilMs - nowMs, () => this.#admit());
        }
        return;
      }
      if (this.#inFlight >= first.maxConcurrent || this.#isProbing) return;
      if (this.#rest(nowMs) <= this.#inFlight) return;
      if (nowMs - this.#knownAtMs > FRESH_MS && nowMs < this.#carefulUntilMs) {
        this.#probe(first);
        return;
      }
      this.#inFlight += 1;
      first.enter();
    }
  }

  /** Fails the calls that cannot wait so long. */
  #failLate(held: Held, nowMs: number): void {
    if (held.untilMs <= this.#earliestDeadlineMs) return;
    this.#earliestDeadlineMs = Number.POSITIVE_INFINITY;
    for (const waiter of this.#line) {
      if (held.untilMs > waiter.deadlineMs) waiter.fail(tooLate(held, nowMs));
      else this.#earliestDeadlineMs = Math.min(this.#earliestDeadlineMs, waiter.deadlineMs);
    }
  }

  /** Until when nothing may be sent, and why. */
  #heldUntil(nowMs: number): Held {
    let held: Held = this.#block ?? {
      code: 'rate_limit_exceeded',
      untilMs: nowMs,
    };
    for (const { name, remaining, resetAtMs } of this.#windows.values()) {
      if (remaining > 0 || resetAtMs <= Math.max(nowMs, held.untilMs)) continue;
      held = { code: name === 'day' ? 'daily_quota_exceeded' : 'rate_limit_exceeded', untilMs: resetAtMs };
    }
    return held;
  }

  /** The requests that all running windows admit. */
  #rest(nowMs: number): number {
    const running = [...this.#windows.values()].filter(({ resetAtMs }) => resetAtMs > nowMs);
    return Math.min(...running.map(({ remaining }) => remaining), Number.POSITIVE_INFINITY);
  }

  #probe({ probe }: Waiter): void {
    this.#isProbing = true;
    void probe().then(() => {
      this.#isProbing = false;
      // Without an answer, the request itself shows what is wrong.
      this.#knownAtMs = this.#clock.now();
      this.#admit();
    });
  }
}

function tooLate({ code, untilMs }: Held, nowMs: number): PetstoreError {
  const retryAfterSeconds = Math.ceil((untilMs - nowMs) / 1_000);
  const message = `The service accepts no request of this API key for ${retryAfterSeconds} seconds (${code}).`;
  return new PetstoreError(message, { code, status: 429, retryAfterSeconds });
}
