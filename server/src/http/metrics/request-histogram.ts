import type { MetricValueWithName, Registry } from 'prom-client';
import Counter from 'prom-client/lib/counter.js';
import Histogram from 'prom-client/lib/histogram.js';

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
    new DurationHistogram(tallies, registry);
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

type DurationLabel = 'operation' | 'status' | 'le';
type DurationValue = MetricValueWithName<DurationLabel>;

const DURATION = 'petstore_request_duration_seconds';
const DURATION_HELP = 'Time from a parsed request to its answer, by operation and HTTP status.';

/** A histogram with the values of the tallies. */
class DurationHistogram extends Histogram<DurationLabel> {
  readonly #tallies: () => readonly Tally[];

  constructor(tallies: () => readonly Tally[], registry: Registry) {
    super({
      name: DURATION,
      help: DURATION_HELP,
      labelNames: ['operation', 'status'],
      registers: [registry],
    });
    this.#tallies = tallies;
  }

  /** The registry calls this for the text format; `get` uses it too. */
  async getForPromString() {
    // `get` joins shared labels with each value's own, and fails without shared labels.
    const values = this.#tallies()
      .flatMap(valuesOf)
      .map((value) => ({ ...value, sharedLabels: {} }));
    return { name: DURATION, help: DURATION_HELP, type: 'histogram', aggregator: 'sum', values };
  }
}

function valuesOf({ operation, status, count, totalMs, within }: Tally): DurationValue[] {
  const labels = { operation, status };
  let cumulative = 0;
  const buckets = BOUNDS_MS.map((boundMs, place) => {
    cumulative += within[place] as number;
    return {
      metricName: `${DURATION}_bucket`,
      labels: { le: boundMs / 1_000, ...labels },
      value: cumulative,
    };
  });
  return [
    ...buckets,
    { metricName: `${DURATION}_bucket`, labels: { le: '+Inf', ...labels }, value: count },
    { metricName: `${DURATION}_sum`, labels, value: totalMs / 1_000 },
    { metricName: `${DURATION}_count`, labels, value: count },
  ];
}
