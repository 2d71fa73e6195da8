import type { WebhookSending } from '../domain/webhooks/webhook-store.ts';
import { type Network, parseNetworks } from './delivery/addresses.ts';
import { parseEndpointUrl } from './delivery/endpoint-url.ts';
import { SenderThread, type SenderThreadOptions } from './sender-thread.ts';
import { TestSender } from './test-sender.ts';

interface WebhookServiceOptions extends SenderThreadOptions {
  /** The time by the clock of the database. */
  readonly now: () => number;
}

/** The webhooks of a serving process: its sending thread, and test messages. */
export class WebhookService implements WebhookSending {
  readonly #networks: readonly Network[];
  readonly #thread: SenderThread;
  readonly #tests: TestSender;

  constructor(options: WebhookServiceOptions) {
    const { networks, version } = options.data;
    this.#networks = parseNetworks(networks);
    this.#thread = new SenderThread(options);
    this.#tests = new TestSender(this.#networks, version, options.now);
  }

  /** From now on events are delivered. */
  start(): void {
    this.#thread.start();
  }

  /**
   * Ends after the progress of all deliveries is written.
   * @param timeoutMs How long attempts in progress may take.
   */
  close(timeoutMs: number): Promise<void> {
    this.#tests.close();
    return this.#thread.close(timeoutMs);
  }

  /** Ends the sending thread with its connections; it is started again. */
  restart(): void {
    this.#thread.restart();
  }

  urlFault(url: string): string | undefined {
    const result = parseEndpointUrl(url, this.#networks);
    return typeof result === 'string' ? result : undefined;
  }

  wake(): void {
    this.#thread.wake();
  }

  sendTest: WebhookSending['sendTest'] = (...of) => this.#tests.send(...of);

  sendEvent: WebhookSending['sendEvent'] = (...of) => this.#tests.sendEvent(...of);
}
