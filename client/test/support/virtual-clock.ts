import { setImmediate as turn } from 'node:timers/promises';
import { SeededRandom } from '../../../server/test/support/limit-clients.ts';
import type { Clock } from '../../src/index.ts';

interface Timer {
  readonly atMs: number;
  readonly callback: () => void;
}

/** The clock of clients and of their service, which jumps to the next timer when nothing else is going on. */
export class VirtualClock {
  /** Shared with the service, whose time is in milliseconds since 1970. */
  readonly #service: { nowMs: number };
  readonly #timers = new Set<Timer>();
  readonly #random: SeededRandom;
  /** Requests that wait for the service. */
  #running = 0;

  constructor(service: { nowMs: number }, seed: number) {
    this.#service = service;
    this.#random = new SeededRandom(seed);
  }

  get nowMs(): number {
    return this.#service.nowMs;
  }

  /** The clock of a client. Clients started at other times have other origins. */
  clock(originMs = 0): Clock {
    return {
      now: () => this.nowMs - originMs,
      after: (ms, callback) => this.after(ms, callback),
      random: () => this.#random.next(),
    };
  }

  after(ms: number, callback: () => void): () => void {
    // The service stores whole milliseconds.
    const timer = { atMs: Math.ceil(this.nowMs + Math.max(0, ms)), callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Time stands still while the service answers. */
  async still<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
    }
  }

  /** Lets time pass until a promise is settled. */
  async run<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const settle = () => {
      isSettled = true;
    };
    promise.then(settle, settle);
    while (!isSettled) {
      // Callbacks of the last timer come first, and may start requests.
      await turn();
      if (this.#running === 0) this.#jump();
    }
    return promise;
  }

  #jump(): void {
    let next: Timer | undefined;
    for (const timer of this.#timers) if (!next || timer.atMs < next.atMs) next = timer;
    if (!next) return;
    this.#timers.delete(next);
    this.#service.nowMs = Math.max(this.nowMs, next.atMs);
    next.callback();
  }
}
