import type pg from 'pg';

/** The time of the database's clock, in milliseconds. */
export const DATABASE_NOW_MS = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** Reads the database's clock for a command of the operator. Its own machine's clock is not the instances'. */
export async function readClock(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ nowMs: number }>(`SELECT ${DATABASE_NOW_MS} AS "nowMs"`);
  return (rows[0] as { nowMs: number }).nowMs;
}

/**
 * The database's clock with its uncertainty in this process: the time is between the moments of a query and of its
 * response. Refusals from memory use the later bound, and waits sent to clients use the earlier one, so that neither
 * is ever wrong.
 */
export class DatabaseClock {
  readonly #fixed: (() => number) | undefined;
  #earliestAheadMs = 0;
  #latestAheadMs = 0;

  /** @param fixed A test's clock, in place of the database's. */
  constructor(fixed?: () => number) {
    this.#fixed = fixed;
  }

  /** The time for statements in place of the database's clock: null, except in a test. */
  get override(): number | null {
    return this.#fixed ? this.#fixed() : null;
  }

  /** Records the time in a response whose query was sent at `sentAtMs` by `performance.now()`. */
  note(nowMs: number, sentAtMs: number): void {
    this.#earliestAheadMs = nowMs - performance.now();
    this.#latestAheadMs = nowMs + 1 - sentAtMs;
  }

  earliestMs(): number {
    return this.#fixed ? this.#fixed() : Math.floor(this.#earliestAheadMs + performance.now());
  }

  latestMs(): number {
    return this.#fixed ? this.#fixed() : Math.ceil(this.#latestAheadMs + performance.now());
  }
}
