import { randomUUID } from 'node:crypto';
import type { DeliveryAttempt, WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import type { Network } from './delivery/addresses.ts';
import { Deliverer, SYSTEM_CLOCKS } from './delivery/attempt.ts';
import { createResolve, Destinations, type Resolve } from './delivery/destination.ts';
import { HttpDelivery } from './delivery/http-delivery.ts';
import { signingKey } from './delivery/signature.ts';
import { messageBody } from './queues/message.ts';
import { Semaphore } from './queues/semaphore.ts';

/** Tests that run at the same time; others wait. */
const MAX_CONCURRENT_TESTS = 16;

/** Sends test messages, past the queues of the endpoints. */
export class TestSender {
  readonly #delivery: HttpDelivery;
  readonly #deliverer: Deliverer;
  readonly #slots = new Semaphore(MAX_CONCURRENT_TESTS);

  /** @param version The release of the service. */
  constructor(networks: readonly Network[], version: string, resolve: Resolve = createResolve()) {
    const destinations = new Destinations(networks, resolve, SYSTEM_CLOCKS.elapsedMs);
    this.#delivery = new HttpDelivery({ destinations });
    this.#deliverer = new Deliverer(this.#delivery, networks, version, SYSTEM_CLOCKS);
  }

  /**
   * Sends `webhook.test` once. Never rejects.
   * @param secrets The secrets that sign now.
   */
  async send(
    { id: endpointId, url }: Pick<WebhookEndpoint, 'id' | 'url'>,
    secrets: readonly string[],
  ): Promise<Omit<DeliveryAttempt, 'number'>> {
    const id = `test_${randomUUID()}`;
    const type = 'webhook.test';
    const body = messageBody(id, type, SYSTEM_CLOCKS.wallMs(), JSON.stringify({ endpointId }));
    const keys = secrets.map(signingKey);
    const { attempt } = await this.#slots.run(() =>
      this.#deliverer.attempt({ message: { id, type, body }, url, keys, failures: 0, signals: [] }),
    );
    return attempt;
  }

  /** Closes idle connections. */
  close(): void {
    this.#delivery.close();
  }
}
