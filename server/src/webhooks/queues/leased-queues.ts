import type { LeasedEndpoint } from '../../domain/webhooks/webhook-store.ts';
import type { EndpointQueue, QueueOptions } from './endpoint-queue.ts';
import type { EventFacts } from './event-facts.ts';
import type { Message } from './message.ts';
import { SubscriptionIndex } from './subscription-index.ts';

/** The queues of the endpoints whose leases this process has. */
export class LeasedQueues implements Iterable<EndpointQueue> {
  readonly #create: (leased: LeasedEndpoint) => EndpointQueue;
  readonly #onError: QueueOptions['onError'];
  /** Endpoints whose last lease could not be used. */
  #unusable: ReadonlySet<string> = new Set();
  readonly #queues = new Map<string, EndpointQueue>();
  readonly #index = new SubscriptionIndex<EndpointQueue>();

  /** @param onError Called for an endpoint that cannot have a queue; the next `accept` tries again. */
  constructor(create: (leased: LeasedEndpoint) => EndpointQueue, onError: QueueOptions['onError']) {
    this.#create = create;
    this.#onError = onError;
  }

  [Symbol.iterator](): Iterator<EndpointQueue> {
    return this.#queues.values();
  }

  isWanted(facts: EventFacts): boolean {
    return this.#index.isWanted(facts);
  }

  offer(facts: EventFacts, message: Message): void {
    for (const queue of this.#index.subscribersOf(facts)) queue.offer(message);
  }

  /** Has queues for exactly these endpoints from now on. */
  accept(leased: readonly LeasedEndpoint[]): void {
    const ids = new Set(leased.map(({ endpoint }) => endpoint.id));
    for (const id of [...this.#queues.keys()]) if (!ids.has(id)) this.drop(id);
    const unusable = new Set<string>();
    for (const one of leased) {
      try {
        this.#acceptOne(one);
      } catch (error) {
        const { id } = one.endpoint;
        this.drop(id);
        unusable.add(id);
        if (!this.#unusable.has(id)) this.#onError(id, error);
      }
    }
    this.#unusable = unusable;
  }

  /** Drops the queues whose leases are not among these. */
  keep(leased: readonly LeasedEndpoint[]): void {
    const tokens = new Map(leased.map(({ endpoint, token }) => [endpoint.id, token]));
    for (const { id, token } of [...this.#queues.values()]) if (tokens.get(id) !== token) this.drop(id);
  }

  /** @param token Only the queue with this token. */
  drop(id: string, token?: number): void {
    const queue = this.#queues.get(id);
    if (!queue || (token !== undefined && queue.token !== token)) return;
    queue.stop();
    this.#index.remove(queue);
    this.#queues.delete(id);
  }

  dropAll(): void {
    for (const id of [...this.#queues.keys()]) this.drop(id);
  }

  #acceptOne(leased: LeasedEndpoint): void {
    const queue = this.#queues.get(leased.endpoint.id);
    if (queue?.token === leased.token) this.#update(queue, leased);
    else {
      // A change that must not mix with attempts before it, such as a replay, has a new token.
      this.drop(leased.endpoint.id);
      this.#add(leased);
    }
  }

  #add(leased: LeasedEndpoint): void {
    const queue = this.#create(leased);
    this.#queues.set(queue.id, queue);
    this.#index.add(queue);
    queue.start();
  }

  #update(queue: EndpointQueue, leased: LeasedEndpoint): void {
    // The secrets change without a new version too, at the end of a rotation.
    queue.useSecrets(leased.secrets);
    if (queue.version === leased.endpoint.version) return;
    this.#index.remove(queue);
    queue.change(leased);
    this.#index.add(queue);
  }
}
