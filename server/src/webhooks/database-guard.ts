import { OperatorError } from '../domain/errors.ts';
import type { Clocks } from './delivery/attempt.ts';
import type { Wait } from './periodic-task.ts';
import { EventsReplaced } from './queues/event-source.ts';

const RETRY_MS = 250;
const NEVER = new AbortController().signal;
/** After failing for this long, the database needs a new connection; not where it is only locked, as by an import. */
const MAX_FAILING_MS = 5_000;

export interface GuardOptions {
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
