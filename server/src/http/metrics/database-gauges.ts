import { Gauge, type Registry } from 'prom-client';
import { within } from '../../domain/within.ts';

/** A scrape reads the database again only after this time, however many programs scrape. */
const READ_INTERVAL_MS = 60_000;

/** Far below the time-out of a scrape, which is 10 s in Prometheus: other metrics do not wait for a slow database. */
const READ_TIMEOUT_MS = 1_000;

export interface DatabaseFacts {
  readonly pets: number;
  readonly bytes: number;
}

/** Gauges of the database, read at most once per minute. While the database does not respond they keep the last values. */
export class DatabaseGauges {
  readonly #read: () => Promise<DatabaseFacts>;
  readonly #elapsedMs: () => number;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #known: DatabaseFacts | undefined;
  #reading: Promise<void> = Promise.resolve();

  /** @param elapsedMs Milliseconds of a clock that is never set. */
  constructor(
    registry: Registry,
    read: () => Promise<DatabaseFacts>,
    elapsedMs: () => number = () => performance.now(),
  ) {
    this.#read = read;
    this.#elapsedMs = elapsedMs;
    const gauge = (name: string, help: string, select: (facts: DatabaseFacts) => number) => {
      const facts = () => this.#latest();
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          const known = await facts();
          if (known) this.set(select(known));
          else this.remove();
        },
      });
    };
    gauge('petstore_pets', 'Pets in the database; at most one minute old.', ({ pets }) => pets);
    gauge(
      'petstore_database_size_bytes',
      'Size of the database on disk, with its write-ahead log on SQLite; at most one minute old.',
      ({ bytes }) => bytes,
    );
  }

  async #latest(): Promise<DatabaseFacts | undefined> {
    const nowMs = this.#elapsedMs();
    if (nowMs - this.#readAtMs >= READ_INTERVAL_MS) {
      this.#readAtMs = nowMs;
      this.#reading = this.#read().then(
        (facts) => {
          this.#known = facts;
        },
        () => {},
      );
    }
    await within(READ_TIMEOUT_MS, this.#reading);
    return this.#known;
  }
}
