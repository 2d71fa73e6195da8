import { DeliveryError } from './delivery-error.ts';

/** Aborts when the time is over, or when the caller's signal aborts. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #outer: AbortSignal;
  hasPassed = false;

  constructor(ms: number, outer: AbortSignal) {
    this.#outer = outer;
    this.#timer = setTimeout(() => {
      this.hasPassed = true;
      this.#abort();
    }, ms);
    outer.addEventListener('abort', this.#abort);
    if (outer.aborted) this.#abort();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  readonly #abort = (): void => this.#controller.abort();

  /** Rejects when the time is over, even if the work does not react to the signal. */
  race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.signal.addEventListener('abort', () =>
        reject(new DeliveryError('network', 'The attempt was aborted.')),
      );
      if (this.signal.aborted) reject(new DeliveryError('network', 'The attempt was aborted.'));
      work.then(resolve, reject);
    });
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener('abort', this.#abort);
  }
}
