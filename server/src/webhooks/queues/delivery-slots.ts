import { Semaphore } from './semaphore.ts';

/** Attempts at the same time: each has a connection, which takes 25 kB, and with TLS more. */
const MAX_PROMPT_ATTEMPTS = 256;
const MAX_SLOW_ATTEMPTS = 64;
const MAX_FAILED_ATTEMPTS = 64;
/** An attempt is aborted after this time if others wait for its place. */
export const PROMPT_MS = 200;
/** The time is counted in turns of a timer, so that it is longer where the thread is busy. */
const TURN_MS = 50;
const NEVER = new AbortController().signal;

/** Endpoints whose last attempt was aborted or failed have their own places, and delay only each other. */
type Place = 'prompt' | 'slow' | 'failed';

/** An attempt that others may wait for. */
interface PromptAttempt {
  turns: number;
  readonly breakOff: () => void;
}

/**
 * Bounds the attempts at the same time, and thereby the memory. A thousand receivers that hang for the first time delay
 * another one by less than a second, because each takes a place of the prompt ones for `PROMPT_MS` at most.
 */
export class DeliverySlots {
  readonly #prompt = new Semaphore(MAX_PROMPT_ATTEMPTS);
  readonly #slow = new Semaphore(MAX_SLOW_ATTEMPTS);
  readonly #failed = new Semaphore(MAX_FAILED_ATTEMPTS);
  readonly #attempts = new Set<PromptAttempt>();
  #timer: NodeJS.Timeout | undefined;

  /** @param attempt The signal aborts where it must make room; then it is repeated in a place of the slow ones. */
  run<T>(place: Place, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (place === 'prompt') return this.#runPromptly(attempt);
    return (place === 'slow' ? this.#slow : this.#failed).run(() => attempt(NEVER));
  }

  async #runPromptly<T>(attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const acquired = this.#prompt.acquire();
    if (this.#prompt.hasWaiting) this.#timer ??= setInterval(() => this.#makeRoom(), TURN_MS);
    const release = await acquired;
    const controller = new AbortController();
    const running: PromptAttempt = {
      turns: 0,
      breakOff: () => {
        this.#attempts.delete(running);
        controller.abort();
        release();
      },
    };
    this.#attempts.add(running);
    try {
      return await attempt(controller.signal);
    } finally {
      this.#attempts.delete(running);
      release();
    }
  }

  /** Breaks off as many attempts as others wait for, the oldest first. */
  #makeRoom(): void {
    for (const attempt of this.#attempts) {
      if (!this.#prompt.hasWaiting) break;
      attempt.turns += 1;
      if (attempt.turns * TURN_MS >= PROMPT_MS) attempt.breakOff();
    }
    if (this.#prompt.hasWaiting) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
