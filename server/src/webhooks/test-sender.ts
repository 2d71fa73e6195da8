import { randomUUID } from 'node:crypto';
import { OperatorError } from '../domain/errors.ts';
import { comparePositions, type EventReference, positionText } from '../domain/webhooks/events.ts';
import type { UnloggedAttempt, WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import type { SigningEndpoint, StoredEvent } from '../domain/webhooks/webhook-store.ts';
import type { Network } from './delivery/addresses.ts';
import { type Clocks, clocksOf, Deliverer, type Dispatch } from './delivery/attempt.ts';
import { createResolve, Destinations } from './delivery/destination.ts';
import { HttpDelivery } from './delivery/http-delivery.ts';
import { signingKey } from './delivery/signature.ts';
import { toSubscription } from './queues/event-facts.ts';
import { messageAt } from './queues/event-source.ts';
import { messageBody } from './queues/message.ts';
import { Semaphore } from './queues/semaphore.ts';

/** Tests at the same time; others wait. */
const MAX_TESTS = 256;
/** Concurrent tests of one account; more are refused. A receiver that hangs takes no places of another account. */
const MAX_TESTS_PER_ACCOUNT = 16;

type Receiver = Pick<WebhookEndpoint, 'id' | 'accountId'>;

/** Reads the URL and the secrets of an endpoint. Called when the message has its place, because they can change while it waits. */
type ReadNow = () => Promise<
  { readonly endpoint: Pick<WebhookEndpoint, 'url'> } & Pick<SigningEndpoint, 'secrets'>
>;

/** Sends test messages, and single events again, past the queues of the endpoints. */
export class TestSender {
  readonly #delivery: HttpDelivery;
  readonly #deliverer: Deliverer;
  readonly #clocks: Clocks;
  readonly #slots = new Semaphore(MAX_TESTS);
  /** Messages in progress by account. */
  readonly #running = new Map<string, number>();
  /** Events in progress: a second request for the same one, such as of a double click, is refused. */
  readonly #events = new Set<string>();

  /**
   * @param version The release of the service.
   * @param wallMs The time by the clock of the database.
   */
  constructor(networks: readonly Network[], version: string, wallMs: () => number) {
    this.#clocks = clocksOf(wallMs);
    const destinations = new Destinations(networks, createResolve(), this.#clocks.elapsedMs);
    this.#delivery = new HttpDelivery({ destinations });
    this.#deliverer = new Deliverer({ delivery: this.#delivery, networks, version, clocks: this.#clocks });
  }

  /**
   * Sends `webhook.test` once.
   * @throws OperatorError `conflict` while the account has its maximum of messages in progress.
   */
  send(endpoint: Receiver, readNow: ReadNow): Promise<UnloggedAttempt> {
    return this.#place(endpoint.accountId, () => {
      const id = `test_${randomUUID()}`;
      const type = 'webhook.test';
      const data = JSON.stringify({ endpointId: endpoint.id });
      const body = messageBody(id, type, this.#clocks.wallMs(), data);
      return this.#send(readNow, { id, type, body });
    });
  }

  /** See `WebhookSending.sendEvent`. */
  async sendEvent(
    endpoint: WebhookEndpoint,
    readNow: ReadNow,
    event: EventReference,
    stored: StoredEvent,
  ): Promise<UnloggedAttempt> {
    const message = messageAt(event, stored, toSubscription(endpoint));
    if (!message) {
      throw new OperatorError(
        `There is no event ${positionText(event)} for ${endpoint.id}: it did not happen yet, is pruned, a restored backup has another one there, or the filter of the endpoint leaves it out.`,
        { code: 'not_found' },
      );
    }
    if (endpoint.pausedAtMs === null && comparePositions(event, endpoint.cursor) > 0) {
      throw new OperatorError(
        `Event ${positionText(event)} is not delivered yet, and its attempts go on; a replay after ${positionText(endpoint.cursor)} attempts it now.`,
        { code: 'conflict' },
      );
    }
    const sending = `${endpoint.id} ${message.id}`;
    if (this.#events.has(sending)) {
      throw new OperatorError(`Event ${message.id} is being sent to ${endpoint.id}; wait for the response.`, {
        code: 'conflict',
      });
    }
    this.#events.add(sending);
    try {
      return await this.#place(endpoint.accountId, () => this.#send(readNow, message));
    } finally {
      this.#events.delete(sending);
    }
  }

  /** Takes one of the places of the account. */
  async #place<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(accountId) ?? 0;
    if (running >= MAX_TESTS_PER_ACCOUNT) {
      throw new OperatorError(
        `The account has ${MAX_TESTS_PER_ACCOUNT} test messages in progress, which is the maximum; wait until one has its response.`,
        { code: 'conflict' },
      );
    }
    this.#running.set(accountId, running + 1);
    try {
      return await this.#slots.run(work);
    } finally {
      this.#end(accountId);
    }
  }

  async #send(readNow: ReadNow, message: Dispatch['message']): Promise<UnloggedAttempt> {
    const { endpoint, secrets } = await readNow();
    const [{ url }, keys] = [endpoint, secrets.map(signingKey)];
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
