import { setTimeout as elapsed } from 'node:timers/promises';

/** Resolves after a time, or when the signal aborts. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

export const systemWait: Wait = (ms, signal) => elapsed(ms, undefined, { signal }).catch(() => {});

/** Runs a task again and again. Two runs never overlap. */
export class PeriodicTask {
  readonly #intervalMs: number;
  readonly #run: () => Promise<boolean>;
  readonly #wait: Wait;
  readonly #stopping = new AbortController();
  #waiting = new AbortController();
  #isWoken = false;
  #running: Promise<void> = Promise.resolve();

  /** @param run Returns whether it must run again without a pause. It does not reject. */
  constructor(intervalMs: number, run: () => Promise<boolean>, wait: Wait) {
    this.#intervalMs = intervalMs;
    this.#run = run;
    this.#wait = wait;
  }

  start(): void {
    this.#running = this.#loop();
  }

  /** Ends the pause; during a run, there will be no pause after it. */
  wake(): void {
    this.#isWoken = true;
    this.#waiting.abort();
  }

  /** Resolves when the current run has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#running;
  }

  async #loop(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#isWoken = false;
      this.#waiting = new AbortController();
      const isMore = await this.#run();
      // Other tasks have a turn of the event loop in between.
      if (isMore) await new Promise((resolve) => setImmediate(resolve));
      else if (!this.#isWoken) await this.#wait(this.#intervalMs, this.#waiting.signal);
    }
  }
}
