import type pg from 'pg';

/** The moment by the database's clock, in milliseconds. */
export const DATABASE_NOW_MS = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** Reads the database's clock, for a command of the operator: that of the machine it runs on is not the instances'. */
export async function readClock(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ nowMs: number }>(`SELECT ${DATABASE_NOW_MS} AS "nowMs"`);
  return (rows[0] as { nowMs: number }).nowMs;
}

/**
 * The database's clock as this process can know it: an answer was given some time between its question and its
 * arrival, so the time is known within those bounds. What is refused from memory is refused by the later one, and
 * what a client is told to wait is counted from the earlier one, so that neither is ever wrong.
 */
export class DatabaseClock {
  readonly #fixed: (() => number) | undefined;
  #earliestAheadMs = 0;
  #latestAheadMs = 0;

  /** @param fixed A test's clock, in place of the database's. */
  constructor(fixed?: () => number) {
    this.#fixed = fixed;
  }

  /** What a statement is given in place of the database's clock: nothing, but in a test. */
  get override(): number | null {
    return this.#fixed ? this.#fixed() : null;
  }

  /** Notes what time an answer told whose question was sent at `sentAtMs` by `performance.now()`. */
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
