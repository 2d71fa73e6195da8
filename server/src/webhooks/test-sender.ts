import { randomUUID } from 'node:crypto';
import { OperatorError } from '../domain/errors.ts';
import type { DeliveryAttempt, WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import type { Network } from './delivery/addresses.ts';
import { type Clocks, clocksOf, Deliverer } from './delivery/attempt.ts';
import { createResolve, Destinations, type Resolve } from './delivery/destination.ts';
import { HttpDelivery } from './delivery/http-delivery.ts';
import { signingKey } from './delivery/signature.ts';
import { messageBody } from './queues/message.ts';
import { Semaphore } from './queues/semaphore.ts';

/** Tests at the same time; others wait. */
const MAX_TESTS = 256;
/** Concurrent tests of one account; more are refused. A receiver that hangs takes no places of another account. */
const MAX_TESTS_PER_ACCOUNT = 16;

/** Sends test messages, past the queues of the endpoints. */
export class TestSender {
  readonly #delivery: HttpDelivery;
  readonly #deliverer: Deliverer;
  readonly #clocks: Clocks;
  readonly #slots = new Semaphore(MAX_TESTS);
  /** Tests in progress by account. */
  readonly #running = new Map<string, number>();

  /**
   * @param version The release of the service.
   * @param wallMs The time by the clock of the database.
   */
  constructor(
    networks: readonly Network[],
    version: string,
    wallMs: () => number,
    resolve: Resolve = createResolve(),
  ) {
    this.#clocks = clocksOf(wallMs);
    const destinations = new Destinations(networks, resolve, this.#clocks.elapsedMs);
    this.#delivery = new HttpDelivery({ destinations });
    this.#deliverer = new Deliverer(this.#delivery, networks, version, this.#clocks);
  }

  /**
   * Sends `webhook.test` once.
   * @param secrets The secrets that sign now.
   * @throws OperatorError `conflict` while the account has its maximum of tests in progress.
   */
  async send(
    endpoint: Pick<WebhookEndpoint, 'id' | 'url' | 'accountId'>,
    secrets: readonly string[],
  ): Promise<Omit<DeliveryAttempt, 'number'>> {
    const { accountId } = endpoint;
    const running = this.#running.get(accountId) ?? 0;
    if (running >= MAX_TESTS_PER_ACCOUNT) {
      throw new OperatorError(
        `The account has ${MAX_TESTS_PER_ACCOUNT} test messages in progress, which is the maximum; wait until one has its response.`,
        { code: 'conflict' },
      );
    }
    this.#running.set(accountId, running + 1);
    try {
      return await this.#slots.run(() => this.#send(endpoint, secrets));
    } finally {
      this.#end(accountId);
    }
  }

  async #send(
    { id: endpointId, url }: Pick<WebhookEndpoint, 'id' | 'url'>,
    secrets: readonly string[],
  ): Promise<Omit<DeliveryAttempt, 'number'>> {
    const id = `test_${randomUUID()}`;
    const type = 'webhook.test';
    const body = messageBody(id, type, this.#clocks.wallMs(), JSON.stringify({ endpointId }));
    const keys = secrets.map(signingKey);
    const message = { id, type, body } as const;
    const { attempt } = await this.#deliverer.attempt({ message, url, keys, failures: 0, signals: [] });
    return attempt;
  }

  #end(accountId: string): void {
    const left = (this.#running.get(accountId) ?? 0) - 1;
    if (left > 0) this.#running.set(accountId, left);
    else this.#running.delete(accountId);
  }

  /** Closes idle connections. */
  close(): void {
    this.#delivery.close();
  }
}
