import type { EndpointProgress, WebhookSenderStore } from '../domain/webhooks/webhook-store.ts';
import { Sequentially } from '../store/sql-client.ts';
import type { EndpointQueue } from './queues/endpoint-queue.ts';

/** Endpoints per transaction: some milliseconds, so that writes of stock do not wait longer. */
const MAX_ENDPOINTS_PER_REPORT = 100;

export interface WrittenProgress {
  readonly written: readonly EndpointProgress[];
  /** The ids of those of which nothing was written, because their token is not the newest. */
  readonly lost: ReadonlySet<string>;
}

/** Collects the progress of many endpoints, and writes it together. */
export class ProgressReports {
  readonly #store: Pick<WebhookSenderStore, 'report'>;
  readonly #changed = new Set<EndpointQueue>();
  readonly #writes = new Sequentially();
  #unwritten: readonly EndpointProgress[] = [];

  constructor(store: Pick<WebhookSenderStore, 'report'>) {
    this.#store = store;
  }

  add(queue: EndpointQueue): void {
    this.#changed.add(queue);
  }

  /** Forgets what is not written. */
  clear(): void {
    this.#changed.clear();
    this.#unwritten = [];
  }

  /**
   * Writes everything that was added. A failed write is repeated by the next call.
   */
  write(): Promise<WrittenProgress> {
    return this.#writes.run(() => this.#writeAll());
  }

  async #writeAll(): Promise<WrittenProgress> {
    const written: EndpointProgress[] = [];
    const lost = new Set<string>();
    while (this.#unwritten.length > 0 || this.#changed.size > 0) {
      if (this.#unwritten.length === 0) this.#unwritten = this.#take();
      const progress = this.#unwritten;
      for (const id of await this.#store.report(progress)) lost.add(id);
      written.push(...progress);
      if (this.#unwritten === progress) this.#unwritten = [];
    }
    return { written, lost };
  }

  #take(): readonly EndpointProgress[] {
    const queues = [...this.#changed].slice(0, MAX_ENDPOINTS_PER_REPORT);
    for (const queue of queues) this.#changed.delete(queue);
    return queues.map((queue) => queue.takeProgress());
  }
}
