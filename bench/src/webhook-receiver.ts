import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EventFilter } from '../../server/src/domain/webhooks/webhook-endpoint.ts';
import type { Shop } from './shop.ts';

/** A receiver of webhooks in this process: it shares the cores with the service. */
export class WebhookReceiver implements AsyncDisposable {
  /** When each movement came to the last endpoint so far, by its sequence. */
  readonly arrivals = new Map<number, number>();
  count = 0;
  lastAtMs = 0;
  readonly #server: Server;

  /** @param respond Responds to a message. */
  static async start(respond = (response: ServerResponse): unknown => response.writeHead(204).end()) {
    const receiver = new WebhookReceiver(respond);
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  private constructor(respond: (response: ServerResponse) => unknown) {
    this.#server = createServer((request, response) => {
      request.resume();
      request.once('end', () => {
        this.count += 1;
        this.lastAtMs = performance.now();
        this.arrivals.set(Number.parseInt(String(request.headers['webhook-id']), 10), this.lastAtMs);
        respond(response);
      });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

const MAX_ENDPOINTS = 1_000;
const AUTHOR = { actor: 'cli', requestId: null };

/** Makes endpoints of the shop's account, and returns their ids. @param isBehind Whether all movements so far are delivered to them. */
export async function subscribe(
  shop: Shop,
  url: string,
  count: number,
  { isBehind = false, ...filter }: Partial<EventFilter> & { readonly isBehind?: boolean } = {},
): Promise<string[]> {
  const operator = await shop.openOperator();
  try {
    const [account] = await operator.accounts.list();
    const ids: string[] = [];
    for (let i = 0; i < count; i += 1) {
      const accountId = account?.id ?? '';
      const { endpoint } = await operator.webhooks.create(
        { accountId, url, ...filter },
        MAX_ENDPOINTS,
        AUTHOR,
      );
      if (isBehind) await operator.webhooks.replay(endpoint.id, { sequence: 0, number: 0 }, AUTHOR);
      ids.push(endpoint.id);
    }
    return ids;
  } finally {
    await operator.close();
  }
}
