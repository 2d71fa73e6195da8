import { setImmediate as nextTurn, setTimeout as elapsed } from 'node:timers/promises';
import { OperatorError } from '../domain/errors.ts';
import type { Clocks } from './delivery/attempt.ts';
import { EventsReplaced } from './queues/event-source.ts';

/** Resolves after a time, or when the signal aborts; after 0 ms, when other tasks have had a turn. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

export const systemWait: Wait = (ms, signal) =>
  ms === 0 ? nextTurn() : elapsed(ms, undefined, { signal }).catch(() => {});

const NEVER = new AbortController().signal;

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
      if (this.#waiting.signal.aborted) this.#waiting = new AbortController();
      const isMore = await this.#run();
      if (isMore) await this.#wait(0, NEVER);
      else if (!this.#isWoken) await this.#wait(this.#intervalMs, this.#waiting.signal);
    }
  }
}

const RETRY_MS = 250;
/** After failing for this long, the database needs a new connection; not where it is only locked, as by an import. */
const MAX_FAILING_MS = 5_000;

interface GuardOptions {
  readonly clocks: Clocks;
  readonly wait: Wait;
  readonly onFatal: (error: unknown) => void;
}

/**
 * Runs one task on the database, and soon again after an error. Errors are fatal only if they last. Each task has its own
 * guard: reads succeed while the connection that writes is lost.
 */
export class DatabaseGuard {
  readonly #options: GuardOptions;
  #failingSinceMs: number | undefined;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  async run(task: () => Promise<boolean>): Promise<boolean> {
    const { clocks, wait, onFatal } = this.#options;
    try {
      const isMore = await task();
      this.#failingSinceMs = undefined;
      return isMore;
    } catch (error) {
      const nowMs = clocks.elapsedMs();
      if (isLocked(error)) this.#failingSinceMs = undefined;
      else this.#failingSinceMs ??= nowMs;
      const isLasting = nowMs - (this.#failingSinceMs ?? nowMs) >= MAX_FAILING_MS;
      if (isLasting || error instanceof EventsReplaced) onFatal(error);
      await wait(RETRY_MS, NEVER);
      return true;
    }
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof OperatorError && error.code === 'service_unavailable';
}
