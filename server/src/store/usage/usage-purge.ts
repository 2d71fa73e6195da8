import { USAGE_RETENTION_MS, USAGE_UNIT_MS } from '../../domain/management/usage.ts';

/** Accounts per portion. */
export const PURGED_ACCOUNTS = 200;
/** Rows per portion: others wait for the database some hundredths of a second at most. */
export const PURGED_PERIODS = 2_000;
/** A new pass over all accounts begins at most this often. */
const PASS_INTERVAL_MS = 60_000;

/** The accounts of a portion in SQL of both engines: those after `$1`. */
export const PORTION = `SELECT id FROM accounts WHERE id > $1 ORDER BY id LIMIT ${PURGED_ACCOUNTS}`;

/** Begins of periods and days; everything before is old. The members are in the order of the statements' parameters. */
export interface PurgeBounds {
  readonly after: string;
  readonly minute: number;
  readonly hour: number;
  readonly day: number;
  readonly dayLabel: number;
}

/** Result of a portion. */
export interface PurgedPortion {
  /** The last account; `null` where there are no more. */
  readonly last: string | null;
  readonly deleted: number;
}

/** The position of the purge of the usage history, which passes over all accounts again and again. */
export class UsagePurge {
  readonly #elapsedMs: () => number;
  #after = '';
  #isPassing = false;
  #nextPassMs = 0;

  /** @param elapsedMs A monotonic clock. */
  constructor(elapsedMs = () => performance.now()) {
    this.#elapsedMs = elapsedMs;
  }

  /** The next portion; `undefined` while there is nothing to do. */
  next(nowMs: number): PurgeBounds | undefined {
    if (!this.#isPassing) {
      if (this.#elapsedMs() < this.#nextPassMs) return undefined;
      this.#nextPassMs = this.#elapsedMs() + PASS_INTERVAL_MS;
      this.#isPassing = true;
    }
    const { minute, hour, day } = USAGE_RETENTION_MS;
    const dayLabel = Math.floor((nowMs - minute) / USAGE_UNIT_MS.day);
    return { after: this.#after, minute: nowMs - minute, hour: nowMs - hour, day: nowMs - day, dayLabel };
  }

  note({ last, deleted }: PurgedPortion): void {
    // A portion with more old rows is repeated.
    if (deleted >= PURGED_PERIODS) return;
    this.#after = last ?? '';
    this.#isPassing = last !== null;
  }
}
