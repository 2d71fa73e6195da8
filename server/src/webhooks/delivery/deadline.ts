import { DeliveryError } from './delivery-error.ts';

/**
 * Ends an attempt when its time is over, or when a signal of the caller aborts. It has no signal of its own, because
 * that one with its listeners would take a part of the memory of each attempt.
 */
export class Deadline {
  readonly #timer: NodeJS.Timeout;
  readonly #signals: readonly AbortSignal[];
  #interrupt: (error: DeliveryError) => void = () => {};
  #reject: (error: DeliveryError) => void = () => {};
  #error: DeliveryError | undefined;
  hasPassed = false;

  constructor(ms: number, signals: readonly AbortSignal[]) {
    this.#signals = signals;
    this.#timer = setTimeout(() => {
      this.hasPassed = true;
      this.#end();
    }, ms);
    for (const signal of signals) signal.addEventListener('abort', this.#end);
    if (signals.some(({ aborted }) => aborted)) this.#end();
  }

  /** Calls this at the end, immediately where the end has come; it replaces the previous one. */
  onEnd(interrupt: (error: DeliveryError) => void): void {
    this.#interrupt = interrupt;
    if (this.#error) interrupt(this.#error);
  }

  throwIfEnded(): void {
    if (this.#error) throw this.#error;
  }

  /** Rejects at the end, even if the work does not react to it. */
  race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (this.#error) reject(this.#error);
      work.then(resolve, reject);
    });
  }

  clear(): void {
    clearTimeout(this.#timer);
    for (const signal of this.#signals) signal.removeEventListener('abort', this.#end);
  }

  readonly #end = (): void => {
    this.#error = new DeliveryError('aborted', 'The attempt was aborted.');
    this.#interrupt(this.#error);
    this.#reject(this.#error);
  };
}
