import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { SeededRandom } from '../../support/limit-clients.ts';

/** A message as it came, with its valid signature. */
export interface Received {
  readonly id: string;
  readonly body: string;
}

/** How a receiver behaves badly: it answers 500, or cuts the connection after it has stored the message. */
const FAILURES = ['refuses', 'cuts'] as const;

export interface ReceiverOptions {
  readonly random: SeededRandom;
  /** How many deliveries fail, among the first hundreds. */
  readonly failures: number;
}

/** A receiver of webhooks that stores each message, and fails now and then. */
export class Receiver {
  readonly url: string;
  readonly received: Received[] = [];
  /** Why messages were refused; empty unless the service signs wrongly. */
  readonly faults: string[] = [];
  #webhook: Webhook | undefined;
  readonly #failing: Map<number, (typeof FAILURES)[number]>;
  #count = 0;

  static async start(t: TestContext, options: ReceiverOptions): Promise<Receiver> {
    const server = createServer((request, response) => {
      void receiver.#receive(request, response);
    });
    t.after(() => {
      server.close();
      server.closeAllConnections();
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const receiver = new Receiver((server.address() as AddressInfo).port, options);
    return receiver;
  }

  private constructor(port: number, { random, failures }: ReceiverOptions) {
    this.url = `http://127.0.0.1:${port}/`;
    this.#failing = new Map(
      Array.from({ length: failures }, () => [random.integer(1, 300), random.pick(FAILURES)]),
    );
  }

  /** The secret that verifies all messages from now on. */
  trust(secret: string): void {
    this.#webhook = new Webhook(secret);
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    try {
      for await (const piece of request) pieces.push(piece as Buffer);
    } catch {
      // A killed sender.
      return;
    }
    this.#count += 1;
    const failure = this.#failing.get(this.#count);
    if (failure === 'refuses') {
      response.writeHead(500).end();
      return;
    }
    this.#note(request, Buffer.concat(pieces).toString());
    if (failure === 'cuts') request.socket.destroy();
    else response.writeHead(204).end();
  }

  #note({ headers }: IncomingMessage, body: string): void {
    const id = String(headers['webhook-id']);
    try {
      this.#webhook?.verify(body, headers as Record<string, string>);
    } catch (error) {
      this.faults.push(`${id}: ${(error as Error).message}`);
    }
    this.received.push({ id, body });
  }
}
