import type { ErrorCode } from '../../src/domain/errors.ts';

/** A stream of numbers in [0, 1), the same for the same seed. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** The algorithm is Mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.integer(0, values.length - 1)] as T;
  }
}

/** The content of an answer that a client uses. */
export interface ClientReply {
  readonly code: ErrorCode | undefined;
  /** Of a refusal. */
  readonly retryAfterSeconds: number;
}

/** A request that a client sends. */
export interface Sending {
  readonly atMs: number;
  /** Whether it was on its way before the client could hear of its last refusal. */
  readonly isInFlight: boolean;
}

/** A client yields its next request, and receives the outcome of the previous one. */
export type Client = Generator<Sending, never, ClientReply>;

const GRACE_MS = 1_000;

/**
 * Waits for exactly the reported time. Requests that it sent before it received a 429 still arrive; then the latest
 * reported time applies.
 */
export function* obedientClient(random: SeededRandom, startMs: number, thinkMs: number): Client {
  let atMs = startMs;
  for (;;) {
    let reply = yield { atMs, isInFlight: false };
    if (reply.code === undefined) {
      atMs += random.integer(0, 2 * thinkMs);
      continue;
    }
    const refusedAtMs = atMs;
    let waitUntilMs = atMs + reply.retryAfterSeconds * 1_000;
    const inFlight = random.chance(0.5) ? random.integer(1, 30) : 0;
    const delays = Array.from({ length: inFlight }, () => random.integer(0, GRACE_MS)).toSorted(
      (a, b) => a - b,
    );
    for (const delayMs of delays) {
      atMs = refusedAtMs + delayMs;
      reply = yield { atMs, isInFlight: true };
      if (reply.code !== undefined)
        waitUntilMs = Math.max(waitUntilMs, atMs + reply.retryAfterSeconds * 1_000);
    }
    atMs = Math.max(atMs, waitUntilMs) + (random.chance(0.8) ? 0 : random.integer(0, 5_000));
  }
}

/** Ignores Retry-After: waits 1 s after a 429, and twice as long after each further one, up to 64 s. */
export function* backingOffClient(random: SeededRandom, startMs: number, thinkMs: number): Client {
  const hasJitter = random.chance(0.5);
  let atMs = startMs;
  let waitMs = 1_000;
  for (;;) {
    const { code } = yield { atMs, isInFlight: false };
    if (code === undefined) {
      waitMs = 1_000;
      atMs += random.integer(0, 2 * thinkMs);
    } else {
      atMs += hasJitter ? Math.ceil(waitMs * (0.5 + random.next())) : waitMs;
      waitMs = Math.min(2 * waitMs, 64_000);
    }
  }
}

/** Sends requests without a pause, ignoring every refusal. */
export function* hammeringClient(random: SeededRandom, startMs: number): Client {
  const everyMs = random.pick([20, 100, 250, 1_000, 2_500, 3_500]);
  for (let atMs = startMs; ; atMs += everyMs) yield { atMs, isInFlight: false };
}
