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
import type { Lie } from './lies.ts';

/** A request on its way through the proxy. */
export interface Passing {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Passed {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export type Forward = (passing: Passing) => Promise<Passed>;

/** A proxy in front of a service, which passes everything on as it is but where it is given a lie to tell. */
export class LyingProxy {
  /** Tells the answer in place of the service's own, or nothing where it leaves the request alone. */
  lie: Lie | undefined;
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #targetPort: number;

  constructor(server: Server, targetPort: number) {
    this.#server = server;
    this.#targetPort = targetPort;
    server.on('request', (incoming, outgoing) => {
      void this.#pass(incoming).then((passed) => {
        if (!passed) return incoming.socket.destroy();
        const { 'transfer-encoding': _, ...headers } = passed.headers;
        const hasBody = passed.status !== 304;
        const length = hasBody ? { 'content-length': String(passed.body.length) } : {};
        return outgoing.writeHead(passed.status, { ...headers, ...length }).end(passed.body);
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

  /** Nothing: the connection is to be broken. */
  async #pass(incoming: IncomingMessage): Promise<Passed | undefined> {
    const { method = '', url = '', headers } = incoming;
    const passing = { method, path: url, headers, body: await bodyOf(incoming) };
    const forward: Forward = (asked) => this.#forward(asked);
    const told = await this.lie?.tell(passing, forward);
    if (told === 'hang up') return undefined;
    return told ?? forward(passing);
  }

  async #forward({ method, path, headers, body }: Passing): Promise<Passed> {
    const sent = open({
      port: this.#targetPort,
      host: '127.0.0.1',
      agent: this.#agent,
      method,
      path,
      headers,
    });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: await bodyOf(answer) };
  }
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Starts a proxy in front of a port; it ends with the test. */
export async function startLyingProxy(
  t: Pick<TestContext, 'after'>,
  targetPort: number,
): Promise<LyingProxy> {
  const server = createServer();
  const proxy = new LyingProxy(server, targetPort);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => proxy.close());
  return proxy;
}
