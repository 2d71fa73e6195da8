import type { LeasedEndpoint } from '../../domain/webhooks/webhook-store.ts';
import type { EndpointQueue } from './endpoint-queue.ts';
import type { EventFacts } from './event-facts.ts';
import type { Message } from './message.ts';
import { SubscriptionIndex } from './subscription-index.ts';

/** The queues of the endpoints whose leases this process has. */
export class LeasedQueues implements Iterable<EndpointQueue> {
  readonly #create: (leased: LeasedEndpoint) => EndpointQueue;
  readonly #queues = new Map<string, EndpointQueue>();
  readonly #index = new SubscriptionIndex<EndpointQueue>();

  constructor(create: (leased: LeasedEndpoint) => EndpointQueue) {
    this.#create = create;
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
    for (const one of leased) {
      const queue = this.#queues.get(one.endpoint.id);
      if (queue?.token === one.token) this.#update(queue, one);
      else {
        // A change that must not mix with attempts before it, such as a replay, has a new token.
        this.drop(one.endpoint.id);
        this.#add(one);
      }
    }
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
