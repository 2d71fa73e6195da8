/** How many texts are kept. */
const KEPT = 8;
const keptMs = new Float64Array(KEPT).fill(Number.NaN);
const keptTexts: string[] = new Array<string>(KEPT).fill('');
let oldest = 0;

/**
 * Formats Unix milliseconds as RFC 3339 in UTC, to the millisecond. The last texts are kept: one response has the same time
 * more than once, and so have the responses of one commit. They have no places by their times, because the two times of
 * an order, whole minutes apart, would often have the same one.
 */
export function timestamp(atMs: number): string {
  // A loop, because `indexOf` takes four times as long.
  for (let place = 0; place < KEPT; place += 1) {
    if (keptMs[place] === atMs) return keptTexts[place] as string;
  }
  const text = new Date(atMs).toISOString();
  keptMs[oldest] = atMs;
  keptTexts[oldest] = text;
  oldest = (oldest + 1) % KEPT;
  return text;
}

/** As `timestamp`; `null` for a time that is missing. */
export function timestampOrNull(atMs: number | null): string | null {
  return atMs === null ? null : timestamp(atMs);
}

/**
 * Unix milliseconds by the clock of this machine. It must not stamp or decide what a shared database stores or another
 * instance reads: on PostgreSQL, `Store.now` and `AdminStore.now` give the time of the database, which all instances
 * share, and this machine may be hours off. Only these need it: the store of a SQLite file, which is on this machine; the
 * leases of webhooks, which must notice that the machine was suspended; and the `Date` header of HTTP.
 */
export const machineTimeMs: () => number = () => Date.now();

/** Where the time of a database is read. */
interface TimeSource {
  now(): Promise<number>;
}

/** The time of a database where it is needed without a query: counted on from the last time that was read. */
export class CountedClock {
  readonly #source: TimeSource;
  #aheadMs = 0;
  #reading: Promise<void> | undefined;

  /** @throws Error of the database. */
  static async read(source: TimeSource): Promise<CountedClock> {
    const clock = new CountedClock(source);
    await clock.correct();
    return clock;
  }

  private constructor(source: TimeSource) {
    this.#source = source;
  }

  /** Reads the time again, for it may have been set. @throws Error of the database. */
  correct(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Unix milliseconds, never ahead of the database. */
  readonly now = (): number => Math.floor(this.#aheadMs + performance.now());

  async #read(): Promise<void> {
    const nowMs = await this.#source.now();
    this.#aheadMs = nowMs - performance.now();
  }
}
