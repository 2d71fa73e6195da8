import type { Registry } from 'prom-client';
import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import { DurationHistogram } from './duration-histogram.ts';

/** The numbers of a sending thread since its start. */
export interface WebhookNumbers {
  /** Attempts by result. */
  readonly results: Readonly<Record<string, number>>;
  /** Upper bounds of durations, in milliseconds. */
  readonly boundsMs: readonly number[];
  /** Attempts by the first bound that they did not exceed; the last place is for those beyond all. */
  readonly durations: readonly number[];
  readonly totalMs: number;
  /** Endpoints to which this process sends, by state. */
  readonly endpoints: Readonly<Record<string, number>>;
  readonly behind: number;
  readonly lagMs: number;
}

/** Metrics of the webhooks that this process sends. A counter begins again with a new sending thread. */
export class WebhookMetrics {
  #numbers: WebhookNumbers | undefined;

  constructor(registry: Registry) {
    const numbers = () => this.#numbers;
    new Counter({
      name: 'petstore_webhook_deliveries_total',
      help: 'Attempts to deliver a webhook, by result.',
      labelNames: ['result'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [result, count] of Object.entries(numbers()?.results ?? {})) this.inc({ result }, count);
      },
    });
    new Gauge({
      name: 'petstore_webhook_endpoints',
      help: 'Webhook endpoints to which this process sends, by state.',
      labelNames: ['state'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [state, count] of Object.entries(numbers()?.endpoints ?? {})) this.set({ state }, count);
      },
    });
    new Gauge({
      name: 'petstore_webhook_movements_behind',
      help: 'Movements after the last delivered event, summed over the webhook endpoints of this process.',
      registers: [registry],
      collect() {
        this.set(numbers()?.behind ?? 0);
      },
    });
    new Gauge({
      name: 'petstore_webhook_lag_seconds',
      help: 'Age of the oldest event that waits for its delivery by this process.',
      registers: [registry],
      collect() {
        this.set((numbers()?.lagMs ?? 0) / 1_000);
      },
    });
    new DurationHistogram(
      {
        name: 'petstore_webhook_delivery_duration_seconds',
        help: 'Time of an attempt to deliver a webhook, from the name of the host to the end of the response.',
      },
      registry,
      () => {
        const known = numbers();
        return known ? [{ ...known, labels: {}, within: known.durations }] : [];
      },
    );
  }

  /** @param numbers `undefined` when the sending thread has ended. */
  observe(numbers: WebhookNumbers | undefined): void {
    this.#numbers = numbers;
  }
}
