import type { Registry } from 'prom-client';
import Gauge from 'prom-client/lib/gauge.js';
import { backupAgeSeconds, type NewestBackup } from '../../domain/newest-backup.ts';
import { within } from '../../process/within.ts';

/** A scrape reads the database again only after this time, however many programs scrape. */
const READ_INTERVAL_MS = 60_000;

/** Far below the time-out of a scrape, which is 10 s in Prometheus: other metrics do not wait for a slow database. */
const READ_TIMEOUT_MS = 1_000;

/** What the gauges read of the database. */
export interface DatabaseReader {
  readonly read: () => Promise<GaugeFacts>;
  /** The time that decides, in Unix milliseconds. */
  readonly now: () => number;
  /** Rejects while no request can be served. */
  readonly checkHealth: () => Promise<void>;
  /** Whether changes are refused because the disk is full. */
  readonly isDiskFull: () => boolean;
}

/** What the gauges show, besides health. */
export interface GaugeFacts {
  readonly pets: number;
  readonly bytes: number;
  /** `undefined`: the disk is that of another machine, and its capacity is not configured. */
  readonly freeBytes: number | undefined;
  readonly newestBackup: NewestBackup | undefined;
}

/** Gauges of the database, read at most once per minute. While the database does not respond they keep the last values. */
export class DatabaseGauges {
  readonly #read: () => Promise<GaugeFacts>;
  readonly #elapsedMs: () => number;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #known: GaugeFacts | undefined;
  #reading: Promise<void> = Promise.resolve();

  /** @param elapsedMs Milliseconds of a clock that is never set. */
  constructor(
    registry: Registry,
    { read, now, checkHealth, isDiskFull }: DatabaseReader,
    elapsedMs: () => number = () => performance.now(),
  ) {
    this.#read = read;
    this.#elapsedMs = elapsedMs;
    new Gauge({
      name: 'petstore_ready',
      help: 'Whether the database responds: 1 or 0.',
      registers: [registry],
      async collect() {
        const health = checkHealth().then(
          () => 1,
          () => 0,
        );
        this.set((await within(READ_TIMEOUT_MS, health)) ?? 0);
      },
    });
    new Gauge({
      name: 'petstore_disk_full',
      help: 'Whether changes are refused because the disk of the database is full: 1 or 0.',
      registers: [registry],
      collect() {
        this.set(isDiskFull() ? 1 : 0);
      },
    });
    new Gauge({
      name: 'petstore_clock_seconds',
      help: 'The clock that decides, in seconds since 1970 (UTC): that of PostgreSQL, or of the machine on SQLite.',
      registers: [registry],
      collect() {
        this.set(now() / 1_000);
      },
    });
    const gauge = (name: string, help: string, select: (facts: GaugeFacts) => number | undefined) => {
      const facts = () => this.#latest();
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          const known = await facts();
          const value = known && select(known);
          if (value === undefined) this.remove();
          else this.set(value);
        },
      });
    };
    gauge('petstore_pets', 'Pets in the database; at most one minute old.', ({ pets }) => pets);
    gauge(
      'petstore_database_size_bytes',
      'Size of the database on disk, with its write-ahead log on SQLite; at most one minute old.',
      ({ bytes }) => bytes,
    );
    gauge(
      'petstore_disk_free_bytes',
      'Space that is left on the disk of a SQLite database, or of PETSTORE_DATABASE_CAPACITY; at most one minute old.',
      ({ freeBytes }) => freeBytes,
    );
    gauge(
      'petstore_newest_backup_age_seconds',
      'Age of the newest backup whose restore was verified, as of backup --to; +Inf before the first one.',
      ({ newestBackup }) => (newestBackup ? backupAgeSeconds(newestBackup, now()) : Number.POSITIVE_INFINITY),
    );
  }

  async #latest(): Promise<GaugeFacts | undefined> {
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
