import type { Connection } from './connection.ts';
import { READ } from './statements.ts';

const HEALTHY_TIMEOUT_MS = 2_000;
/** The result of a check is reused for this time: /readyz needs no key, and must not cost a query per request. */
const REUSED_FOR_MS = 500;

/**
 * Checks whether the database can be written to. One check at a time, whose result is shared and reused for a moment.
 */
export class HealthCheck {
  readonly #connection: Connection;
  #latest: Promise<void> | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Resolves when the database can be written to, rejects with the reason when not. */
  check(): Promise<void> {
    this.#latest ??= this.#ask().finally(() => {
      setTimeout(() => {
        this.#latest = undefined;
      }, REUSED_FOR_MS).unref();
    });
    return this.#latest;
  }

  async #ask(): Promise<void> {
    const tooLate = new Promise<never>((_, reject) => {
      const fail = () => reject(new Error(`The database did not answer within ${HEALTHY_TIMEOUT_MS} ms.`));
      setTimeout(fail, HEALTHY_TIMEOUT_MS).unref();
    });
    const [health] = await Promise.race([
      this.#connection.read<{ isWritable: boolean }>(READ.health),
      tooLate,
    ]);
    if (!health?.isWritable) throw new Error('The database can only be read: it may be a replica now.');
  }
}
