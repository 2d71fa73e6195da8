import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export interface PrefixProxy {
  /** Its address, without the prefix. */
  readonly url: string;
  forwardTo(target: string): void;
}

/**
 * A proxy that serves a service below a prefix of its own address, and removes the prefix. Another application has the other
 * paths. A request waits for what `held` returns for its path, and gets the page that `pageInstead` returns for it.
 */
export async function startPrefixProxy(
  t: Pick<TestContext, 'after'>,
  prefix: string,
  held: (path: string) => Promise<void> | undefined = () => undefined,
  pageInstead: (path: string) => string | undefined = () => undefined,
): Promise<PrefixProxy> {
  let target = '';
  const forward = (path: string, incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method, headers } = incoming;
    const sent = request(`${target}${path}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy());
    incoming.pipe(sent);
  };
  const server = createServer((incoming, outgoing) => {
    const { url = '' } = incoming;
    if (!url.startsWith(`${prefix}/`)) {
      outgoing.writeHead(404).end('another application\n');
      return;
    }
    const path = url.slice(prefix.length);
    const page = pageInstead(path);
    if (page !== undefined) {
      outgoing.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
      return;
    }
    void Promise.resolve(held(path)).then(() => forward(path, incoming, outgoing));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forwardTo: (service) => {
      target = service;
    },
  };
}
