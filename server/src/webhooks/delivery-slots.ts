import { Semaphore } from './semaphore.ts';

/** Attempts at the same time: each has a connection, which takes memory. */
const MAX_ATTEMPTS = 256;
/** Of them, attempts of endpoints whose last attempt failed: they do not delay the others. */
const MAX_SUSPECT_ATTEMPTS = 128;

/** Bounds the attempts at the same time. */
export class DeliverySlots {
  readonly #all = new Semaphore(MAX_ATTEMPTS);
  readonly #suspect = new Semaphore(MAX_SUSPECT_ATTEMPTS);

  run<T>(isSuspect: boolean, attempt: () => Promise<T>): Promise<T> {
    const run = () => this.#all.run(attempt);
    return isSuspect ? this.#suspect.run(run) : run();
  }
}
