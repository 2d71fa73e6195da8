import type { Registry } from 'prom-client';
import Counter from 'prom-client/lib/counter.js';
import { DurationHistogram } from './duration-histogram.ts';

/** Upper bounds of the latency histogram, in milliseconds. */
const BOUNDS_MS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000];

/** The counts of one operation with one status. */
class Tally {
  readonly operation: string;
  readonly status: number;
  count = 0;
  totalMs = 0;
  /** Requests by the first bound that they did not exceed; the last place is for those beyond all. */
  readonly within = new Float64Array(BOUNDS_MS.length + 1);

  constructor(operation: string, status: number) {
    this.operation = operation;
    this.status = status;
  }
}

/**
 * Counts requests by operation and status as plain numbers, and converts them to metrics only at a scrape. Counting in
 * the metrics library took a tenth of a whole request (DECISIONS.md).
 */
export class RequestCounts {
  readonly #tallies = new Map<string, Tally[]>();

  constructor(registry: Registry) {
    const tallies = () => [...this.#tallies.values()].flat();
    new Counter({
      name: 'petstore_requests_total',
      help: 'Requests answered, by operation and HTTP status.',
      labelNames: ['operation', 'status'],
      registers: [registry],
      collect() {
        this.reset();
        for (const { operation, status, count } of tallies()) this.inc({ operation, status }, count);
      },
    });
    new DurationHistogram(
      {
        name: 'petstore_request_duration_seconds',
        help: 'Time from a parsed request to its answer, by operation and HTTP status.',
        labelNames: ['operation', 'status'],
      },
      registry,
      () =>
        tallies().map(({ operation, status, within, totalMs }) => ({
          labels: { operation, status },
          boundsMs: BOUNDS_MS,
          within,
          totalMs,
        })),
    );
  }

  observe(operation: string, status: number, durationMs: number): void {
    const tally = this.#tallyOf(operation, status);
    tally.count += 1;
    tally.totalMs += durationMs;
    let place = 0;
    while (place < BOUNDS_MS.length && durationMs > (BOUNDS_MS[place] as number)) place += 1;
    tally.within[place] = (tally.within[place] as number) + 1;
  }

  #tallyOf(operation: string, status: number): Tally {
    let ofOperation = this.#tallies.get(operation);
    if (!ofOperation) {
      ofOperation = [];
      this.#tallies.set(operation, ofOperation);
    }
    let tally = ofOperation.find((one) => one.status === status);
    if (!tally) {
      tally = new Tally(operation, status);
      ofOperation.push(tally);
    }
    return tally;
  }
}
