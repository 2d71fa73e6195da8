import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { Shop } from './shop.ts';

/** Variables of a service that may send to this machine. */
export const WITH_LOCAL_RECEIVERS = { PETSTORE_WEBHOOK_NETWORKS: '127.0.0.0/8' };

export interface Receiver {
  readonly url: string;
  readonly requests: readonly IncomingMessage[];
  status: number;
  body: string;
}

/** A receiver of webhooks whose responses say that they are HTML. */
export async function startReceiver(t: Pick<TestContext, 'after'>): Promise<Receiver> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request.resume());
    response.writeHead(receiver.status, { 'Content-Type': 'text/html' }).end(receiver.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = { url: `http://127.0.0.1:${port}/hooks`, requests, status: 200, body: '' };
  return receiver;
}

/** Makes an endpoint of the only account, and returns its id. */
export async function makeEndpoint(
  shop: Shop,
  members: { url: string; description?: string },
): Promise<string> {
  const [account] = (await shop.send('GET', '/accounts')) as { id: string }[];
  const body = { accountId: account?.id, ...members };
  const made = (await shop.send('POST', '/webhook-endpoints', body)) as { endpoint: { id: string } };
  return made.endpoint.id;
}
