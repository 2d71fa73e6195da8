import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export interface PrefixProxy {
  /** Its address, without the prefix. */
  readonly url: string;
  forwardTo(target: string): void;
}

/** A proxy that serves a service below a prefix of its own address, and removes the prefix. Another application has the other paths. */
export async function startPrefixProxy(t: Pick<TestContext, 'after'>, prefix: string): Promise<PrefixProxy> {
  let target = '';
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming;
    if (!url.startsWith(`${prefix}/`)) {
      outgoing.writeHead(404).end('another application\n');
      return;
    }
    const sent = request(`${target}${url.slice(prefix.length)}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy());
    incoming.pipe(sent);
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
