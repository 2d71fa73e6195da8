import { Semaphore } from './queues/semaphore.ts';

/** Attempts at the same time whose receivers respond soon: each takes memory. */
const MAX_PROMPT_ATTEMPTS = 256;
/**
 * After this time the next attempt begins, whether the receiver has responded or not. So a thousand receivers that hang
 * for the first time delay another one by `1,000 / MAX_PROMPT_ATTEMPTS` times as long.
 */
const PROMPT_MS = 100;
/** Attempts at the same time: each has a connection. */
const MAX_ATTEMPTS = 1_280;
/** Attempts of endpoints whose last attempt failed. They have their own places, and delay only each other. */
const MAX_SUSPECT_ATTEMPTS = 128;

/** Bounds the attempts at the same time. Receivers that hang hardly delay the others. */
export class DeliverySlots {
  readonly #prompt = new Semaphore(MAX_PROMPT_ATTEMPTS);
  readonly #all = new Semaphore(MAX_ATTEMPTS);
  readonly #suspect = new Semaphore(MAX_SUSPECT_ATTEMPTS);

  run<T>(isSuspect: boolean, attempt: () => Promise<T>): Promise<T> {
    return isSuspect ? this.#suspect.run(attempt) : this.#all.run(() => this.#runPromptly(attempt));
  }

  /** Gives its place among the prompt attempts back when it is not prompt. */
  async #runPromptly<T>(attempt: () => Promise<T>): Promise<T> {
    const release = await this.#prompt.acquire();
    const timer = setTimeout(release, PROMPT_MS);
    try {
      return await attempt();
    } finally {
      clearTimeout(timer);
      release();
    }
  }
}
