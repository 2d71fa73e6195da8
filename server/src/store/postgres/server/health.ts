import { NotReady } from '../../../domain/errors.ts';

const HEALTHY_TIMEOUT_MS = 2_000;
/** The result of a check is reused for this time: /readyz needs no key, and must not cost a query per request. */
const REUSED_FOR_MS = 500;

/** Runs one check at a time, whose result is shared and reused for a moment. */
export class HealthCheck {
  readonly #ask: () => Promise<unknown>;
  #latest: Promise<void> | undefined;

  /** @param ask Rejects with the reason when the database cannot be used. */
  constructor(ask: () => Promise<unknown>) {
    this.#ask = ask;
  }

  /** Resolves when the database can be used, rejects with the reason when not. */
  check(): Promise<void> {
    this.#latest ??= this.#askInTime().finally(() => {
      setTimeout(() => {
        this.#latest = undefined;
      }, REUSED_FOR_MS).unref();
    });
    return this.#latest;
  }

  async #askInTime(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      const fail = () => reject(new NotReady(`The database did not answer within ${HEALTHY_TIMEOUT_MS} ms.`));
      timer = setTimeout(fail, HEALTHY_TIMEOUT_MS);
      timer.unref();
    });
    try {
      await Promise.race([this.#ask(), tooLate]);
    } catch (error) {
      // No connection is opened to a server that must not be used.
      throw error instanceof Error && error.cause instanceof NotReady ? error.cause : error;
    } finally {
      clearTimeout(timer);
    }
  }
}
