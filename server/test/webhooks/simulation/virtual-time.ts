import type { Clocks } from '../../../src/webhooks/delivery/attempt.ts';
import type { Wait } from '../../../src/webhooks/periodic-task.ts';

interface Timer {
  readonly atMs: number;
  readonly fire: () => void;
}

/** Turns of the event loop without an operation after which nothing happens by itself. */
const QUIET_TURNS = 3;

/** Time that passes only while no operation on the database runs, and then immediately. */
export class VirtualTime {
  readonly clocks: Clocks = { wallMs: () => this.#nowMs, elapsedMs: () => this.#nowMs };
  readonly #timers = new Set<Timer>();
  #nowMs = Date.now();
  #operations = 0;

  readonly wait: Wait = (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const end = () => {
        this.#timers.delete(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = { atMs: this.#nowMs + ms, fire: end };
      this.#timers.add(timer);
      signal.addEventListener('abort', end);
    });

  /** Lets no time pass before the operation has ended. */
  async during<T>(operation: () => Promise<T>): Promise<T> {
    this.#operations += 1;
    try {
      return await operation();
    } finally {
      this.#operations -= 1;
    }
  }

  /** Waits until nothing happens without time. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS;) {
      await new Promise((resolve) => setImmediate(resolve));
      quiet = this.#operations > 0 ? 0 : quiet + 1;
    }
  }

  /** Lets a time pass. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      await this.settle();
      const nextMs = Math.min(...[...this.#timers].map(({ atMs }) => atMs));
      if (nextMs > untilMs) break;
      this.#nowMs = nextMs;
      for (const timer of [...this.#timers]) if (timer.atMs <= nextMs) timer.fire();
    }
    this.#nowMs = untilMs;
  }

  /** Lets time pass until the work has ended. */
  async until<T>(work: Promise<T>): Promise<T> {
    let isRunning = true;
    const end = () => {
      isRunning = false;
    };
    work.then(end, end);
    while (isRunning) await this.pass(10);
    return work;
  }
}
