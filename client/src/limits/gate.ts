import type { Clock } from '../clock.ts';
import { PetstoreError } from '../errors.ts';
import { onAbort } from '../on-abort.ts';
import { type Held, KnownLimits } from './known-limits.ts';
import type { RateLimits } from './rate-limits.ts';
import { WaitingLine } from './waiting-line.ts';

/** A call that wants to send a request. */
interface Entry {
  /** The call fails if it would have to wait beyond this moment. */
  readonly deadlineMs: number;
  readonly maxConcurrent: number;
  readonly signal: AbortSignal | undefined;
  /** Reads the limits with a request that takes nothing from them. Never rejects. */
  readonly probe: () => Promise<void>;
}

interface Waiter extends Entry {
  readonly enter: () => void;
  readonly fail: (reason: unknown) => void;
}

/**
 * Admits the requests of one API key, so that none is sent before `Retry-After` has passed, or when the limit is known to
 * be used up. While others may use it up, it reads the limit first: that is free, and a 429 would be a strike.
 */
export class Gate {
  readonly #clock: Clock;
  readonly #limits: KnownLimits;
  readonly #line = new WaitingLine<Waiter>();
  /** No call in the line has an earlier deadline. */
  #earliestDeadlineMs = Number.POSITIVE_INFINITY;
  #inFlight = 0;
  #isProbing = false;
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#limits = new KnownLimits(clock);
  }

  /** Resolves when a request may be sent; the caller calls `leave` after it. @throws PetstoreError or the signal's reason */
  enter(entry: Entry): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        settle();
        reject(entry.signal?.reason);
        // Without this call, the timer may remain without a waiting call, and would keep the process running.
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
      const held = this.#limits.heldUntil(nowMs);
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
    this.#limits.observe(headers, sentAtMs, error);
  }

  /** What is known about the limits. */
  get rateLimits(): RateLimits {
    return this.#limits.rateLimits;
  }

  get isIdle(): boolean {
    return this.#line.first === undefined && this.#inFlight === 0 && this.rateLimits.blockedSeconds === 0;
  }

  #admit(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    for (let first = this.#line.first; first; first = this.#line.first) {
      const nowMs = this.#clock.now();
      const held = this.#limits.heldUntil(nowMs);
      if (held.untilMs > nowMs) {
        this.#failLate(held, nowMs);
        if (this.#line.first) {
          this.#cancelTimer = this.#clock.after(held.untilMs - nowMs, () => this.#admit());
        }
        return;
      }
      if (this.#inFlight >= first.maxConcurrent || this.#isProbing) return;
      if (this.#limits.remaining(nowMs) <= this.#inFlight) return;
      if (this.#limits.isDoubtful(nowMs)) {
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

  #probe({ probe }: Waiter): void {
    this.#isProbing = true;
    void probe().then(() => {
      this.#isProbing = false;
      this.#limits.trust();
      this.#admit();
    });
  }
}

function tooLate({ code, untilMs }: Held, nowMs: number): PetstoreError {
  const retryAfterSeconds = Math.ceil((untilMs - nowMs) / 1_000);
  const message = `The service accepts no request of this API key for ${retryAfterSeconds} seconds (${code}).`;
  return new PetstoreError(message, { code, status: 429, retryAfterSeconds });
}
