import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as open,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { ProxyFault } from './proxy-faults.ts';

/** A request on its way through the proxy. */
export interface ProxyRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface ProxyResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export type Forward = (proxied: ProxyRequest) => Promise<ProxyResponse>;

/** A proxy in front of a service. It forwards everything unchanged, except for the injected fault. */
export class FaultyProxy {
  /** Replaces some answers of the service. */
  fault: ProxyFault | undefined;
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #targetPort: number;

  constructor(server: Server, targetPort: number) {
    this.#server = server;
    this.#targetPort = targetPort;
    server.on('request', (incoming, outgoing) => {
      void this.#pass(incoming).then((response) => {
        if (!response) return incoming.socket.destroy();
        const { 'transfer-encoding': _, ...headers } = response.headers;
        const hasBody = response.status !== 304;
        const length = hasBody ? { 'content-length': String(response.body.length) } : {};
        return outgoing.writeHead(response.status, { ...headers, ...length }).end(response.body);
      });
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
    this.#agent.destroy();
  }

  /** `undefined` breaks the connection. */
  async #pass(incoming: IncomingMessage): Promise<ProxyResponse | undefined> {
    const { method = '', url = '', headers } = incoming;
    const proxied = { method, path: url, headers, body: await bodyOf(incoming) };
    const forward: Forward = (requests) => this.#forward(requests);
    const intercepted = await this.fault?.intercept(proxied, forward);
    if (intercepted === 'hang up') return undefined;
    return intercepted ?? forward(proxied);
  }

  async #forward({ method, path, headers, body }: ProxyRequest): Promise<ProxyResponse> {
    const forwarded = open({
      port: this.#targetPort,
      host: '127.0.0.1',
      agent: this.#agent,
      method,
      path,
      headers,
    });
    forwarded.end(body);
    const [answer] = (await once(forwarded, 'response')) as [IncomingMessage];
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: await bodyOf(answer) };
  }
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Starts a proxy in front of a port; it ends with the test. */
export async function startFaultyProxy(
  t: Pick<TestContext, 'after'>,
  targetPort: number,
): Promise<FaultyProxy> {
  const server = createServer();
  const proxy = new FaultyProxy(server, targetPort);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => proxy.close());
  return proxy;
}
