import type { MetricValueWithName, Registry } from 'prom-client';
import Histogram from 'prom-client/lib/histogram.js';

/** Durations that were counted as plain numbers. */
interface CountedDurations {
  readonly labels: Readonly<Record<string, string | number>>;
  /** Upper bounds, in milliseconds. */
  readonly boundsMs: readonly number[];
  /** Durations by the first bound that they did not exceed; the last place is for those beyond all. */
  readonly within: ArrayLike<number>;
  readonly totalMs: number;
}

interface HistogramFacts {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: string[];
}

/** A histogram of durations that something else has counted, which it reads at each scrape. */
export class DurationHistogram extends Histogram {
  readonly #facts: HistogramFacts;
  readonly #read: () => readonly CountedDurations[];

  constructor(facts: HistogramFacts, registry: Registry, read: () => readonly CountedDurations[]) {
    super({ ...facts, registers: [registry] });
    this.#facts = facts;
    this.#read = read;
  }

  /** The registry calls this for the text format; `get` uses it too. */
  async getForPromString() {
    const { name, help } = this.#facts;
    // `get` joins shared labels with each value's own, and fails without shared labels.
    const values = this.#read()
      .flatMap((counted) => valuesOf(name, counted))
      .map((value) => ({ ...value, sharedLabels: {} }));
    return { name, help, type: 'histogram', aggregator: 'sum', values };
  }
}

function valuesOf(
  name: string,
  { labels, boundsMs, within, totalMs }: CountedDurations,
): MetricValueWithName<string>[] {
  let count = 0;
  const buckets = Array.from(within, (more, place) => {
    count += more;
    const boundMs = boundsMs[place];
    const le = boundMs === undefined ? '+Inf' : boundMs / 1_000;
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: totalMs / 1_000 },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
