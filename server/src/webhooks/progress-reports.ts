import type { EndpointProgress, WebhookSenderStore } from '../domain/webhooks/webhook-store.ts';
import { Sequentially } from '../store/sql-client.ts';
import type { EndpointQueue } from './queues/endpoint-queue.ts';

type ReportedQueue = Pick<EndpointQueue, 'id' | 'takeProgress'>;

/**
 * Endpoints and logged attempts per transaction: some milliseconds, so that writes of stock do not wait longer, and a dozen round
 * trips, so that a lease is renewed in time behind it although each of them takes a second.
 */
const MAX_ENDPOINTS_PER_REPORT = 100;
const MAX_ATTEMPTS_PER_REPORT = 500;

interface ReportOptions {
  readonly store: Pick<WebhookSenderStore, 'report'>;
  /** Called for an endpoint of which nothing is written, because its token is not the newest. */
  readonly onLost: (progress: EndpointProgress) => void;
}

/** Collects the progress of many endpoints, and writes it together. */
export class ProgressReports {
  readonly #options: ReportOptions;
  readonly #changed = new Set<ReportedQueue>();
  readonly #writes = new Sequentially();
  #unwritten: readonly EndpointProgress[] = [];

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  add(queue: ReportedQueue): void {
    this.#changed.add(queue);
  }

  /**
   * Writes the reports added before the call. Later ones are left for the next call: with a slow database there is always
   * more. A failed write is repeated by the next call.
   */
  write(): Promise<void> {
    return this.#writes.run(() => this.#write());
  }

  async #write(): Promise<void> {
    let left = this.#changed.size;
    while (this.#unwritten.length > 0 || left > 0) {
      if (this.#unwritten.length === 0) {
        this.#unwritten = this.#take(left);
        left -= this.#unwritten.length;
      }
      const progress = this.#unwritten;
      const lost = new Set(await this.#options.store.report(progress));
      this.#unwritten = [];
      for (const one of progress) if (lost.has(one.id)) this.#options.onLost(one);
    }
  }

  /**
   * The progress of at most this many endpoints, those that were added first. Two queues of one endpoint, from before and after a
   * change, report apart: the store names lost endpoints, and only the queue from before is lost.
   */
  #take(most: number): readonly EndpointProgress[] {
    const taken = new Map<string, EndpointProgress>();
    let attempts = 0;
    for (const queue of this.#changed) {
      if (taken.size === Math.min(most, MAX_ENDPOINTS_PER_REPORT) || attempts >= MAX_ATTEMPTS_PER_REPORT)
        break;
      if (taken.has(queue.id)) continue;
      this.#changed.delete(queue);
      const progress = queue.takeProgress();
      taken.set(queue.id, progress);
      attempts += progress.attempts.length;
    }
    return [...taken.values()];
  }
}
