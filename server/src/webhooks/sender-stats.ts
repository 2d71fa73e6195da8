import { DELIVERY_RESULTS, type DeliveryResult } from './delivery/delivery-error.ts';

/** Upper bounds of the histogram of durations, in milliseconds. */
const DURATION_BOUNDS_MS = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];

/** The numbers of a sender since its start, as plain data for another thread. */
export interface SenderNumbers {
  readonly results: Readonly<Record<DeliveryResult, number>>;
  readonly boundsMs: readonly number[];
  /** Attempts by the first bound that they did not exceed; the last place is for those beyond all. */
  readonly durations: readonly number[];
  readonly totalMs: number;
  /** Endpoints to which this process sends. */
  readonly endpoints: { readonly healthy: number; readonly failing: number; readonly unopened: number };
  /** Movements after the last one that is done, summed over the endpoints. */
  readonly behind: number;
  /** The age of the oldest event that waits. */
  readonly lagMs: number;
}

/** State of a queue, for the current numbers. */
interface CountedQueue {
  readonly isFailing: boolean;
  readonly behind: number;
  readonly oldestAtMs: number | undefined;
}

/** Counts attempts. */
export class SenderStats {
  readonly #results = Object.fromEntries(DELIVERY_RESULTS.map((result) => [result, 0])) as Record<
    DeliveryResult,
    number
  >;
  readonly #durations = new Array<number>(DURATION_BOUNDS_MS.length + 1).fill(0);
  #totalMs = 0;

  observe(result: DeliveryResult, durationMs: number): void {
    this.#results[result] += 1;
    this.#totalMs += durationMs;
    const place = DURATION_BOUNDS_MS.findIndex((boundMs) => durationMs <= boundMs);
    const last = DURATION_BOUNDS_MS.length;
    this.#durations[place < 0 ? last : place] = (this.#durations[place < 0 ? last : place] as number) + 1;
  }

  /** @param unopened Endpoints without a queue, because their secrets do not open. */
  numbers(queues: Iterable<CountedQueue>, unopened: number, nowMs: number): SenderNumbers {
    const endpoints = { healthy: 0, failing: 0, unopened };
    let behind = 0;
    let oldestAtMs = nowMs;
    for (const queue of queues) {
      endpoints[queue.isFailing ? 'failing' : 'healthy'] += 1;
      behind += queue.behind;
      oldestAtMs = Math.min(oldestAtMs, queue.oldestAtMs ?? nowMs);
    }
    const durations = [...this.#durations];
    const lagMs = nowMs - oldestAtMs;
    const counts = { results: { ...this.#results }, durations, totalMs: this.#totalMs };
    return { ...counts, boundsMs: DURATION_BOUNDS_MS, endpoints, behind, lagMs };
  }
}
