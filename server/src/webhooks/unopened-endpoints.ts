import type { EndpointProgress, Leases, WebhookSenderStore } from '../domain/webhooks/webhook-store.ts';

/** Endpoints of this process to which nothing is sent, because their secrets do not open: the database is damaged. */
export class UnopenedEndpoints {
  readonly #store: Pick<WebhookSenderStore, 'report'>;
  readonly #onUnopened: (id: string) => void;
  #ids: ReadonlySet<string> = new Set();

  constructor(store: Pick<WebhookSenderStore, 'report'>, onUnopened: (id: string) => void) {
    this.#store = store;
    this.#onUnopened = onUnopened;
  }

  get count(): number {
    return this.#ids.size;
  }

  /** Makes them visible: a new one fails from now on, and is reported once. */
  async observe(unopened: Leases['unopened'], nowMs: number): Promise<void> {
    const added = unopened.filter(({ endpoint }) => !this.#ids.has(endpoint.id));
    if (added.length > 0) await this.#store.report(added.map((one) => failure(one, nowMs)));
    this.#ids = new Set(unopened.map(({ endpoint }) => endpoint.id));
    for (const { endpoint } of added) this.#onUnopened(endpoint.id);
  }
}

function failure({ endpoint, token }: Leases['unopened'][number], nowMs: number): EndpointProgress {
  const { id, cursor, failingSinceMs, failures } = endpoint;
  return {
    id,
    token,
    cursor,
    failingSinceMs: failingSinceMs ?? nowMs,
    failures: Math.max(failures, 1),
    retryAtMs: null,
    attempts: [],
  };
}
