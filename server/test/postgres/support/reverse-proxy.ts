import { once } from 'node:events';
import {
  Agent,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { TestContext } from 'node:test';
import type { LoadBalancer } from '../faults/load-balancer.ts';

const CHECK_INTERVAL_MS = 100;
const CHECKED_TIMEOUT_MS = 1_000;
/** Checks without a response, one after the other, until an upstream is left out: the default of HAProxy and of Kubernetes. */
const MAX_MISSED = 3;
/** Those that may be sent twice (RFC 9110 section 9.2.2). */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE']);
/** Hop-by-hop headers, which are not forwarded (RFC 9110 section 7.6.1); the body is framed again. */
const OF_THE_CONNECTION =
  /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|proxy-[\w-]+)$/i;

interface Upstream {
  readonly port: number;
  readonly agent: Agent;
  isReady: boolean;
  isChecking: boolean;
  /** Checks without a response since the last one. */
  missed: number;
  last: Check;
}

type Check = 'ready' | 'no response' | 'not ready';

/** No answer came. `wasSent`: the upstream may have got the request all the same. */
class NoResponse extends Error {
  readonly wasSent: boolean;

  constructor(cause: unknown, wasSent: boolean) {
    super('The upstream did not answer.', { cause });
    this.wasSent = wasSent;
  }
}

/** Polls /readyz of each upstream, and sends requests in turn to those that last returned 200. */
class Balancer {
  #upstreams: readonly Upstream[] = [];
  #turn = 0;
  readonly #checking: NodeJS.Timeout;

  constructor() {
    this.#checking = setInterval(() => void this.#check(), CHECK_INTERVAL_MS);
  }

  async setUpstreams(ports: readonly number[]): Promise<void> {
    const before = this.#upstreams;
    this.#upstreams = ports.map((port) => before.find((other) => other.port === port) ?? newUpstream(port));
    for (const { port, agent } of before) if (!ports.includes(port)) letGo(agent);
    await this.#check();
  }

  close(): void {
    clearInterval(this.#checking);
    for (const { agent } of this.#upstreams) agent.destroy();
  }

  /** Passes a request on, to another upstream if need be, and its answer back. */
  async pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await bodyOf(incoming);
    for (let tries = 1; ; tries += 1) {
      const upstream = this.#next();
      if (!upstream) {
        const checks = this.#upstreams.map(({ port, last }) => `${port} ${last}`);
        return void outgoing.writeHead(503, { 'Retry-After': '1' }).end(`Last checks: ${checks.join(', ')}`);
      }
      try {
        const answer = await forward(upstream, incoming, body);
        outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, passedOn(answer.rawHeaders));
        return await pipeline(answer, outgoing);
      } catch (error) {
        if (!(error instanceof NoResponse)) throw error;
        if (!error.wasSent) upstream.isReady = false;
        const maySendAgain = !error.wasSent || IDEMPOTENT.has(incoming.method ?? '');
        if (!maySendAgain || tries > this.#upstreams.length) return void outgoing.writeHead(502).end();
      }
    }
  }

  #next(): Upstream | undefined {
    const ready = this.#upstreams.filter(({ isReady }) => isReady);
    this.#turn += 1;
    return ready[this.#turn % ready.length];
  }

  /** One check of an upstream at a time: the result of an older one would come after that of a newer one. */
  async #check(): Promise<void> {
    await Promise.all(
      this.#upstreams.map(async (upstream) => {
        if (upstream.isChecking) return;
        upstream.isChecking = true;
        this.#note(upstream, await check(upstream.port));
        upstream.isChecking = false;
      }),
    );
  }

  #note(upstream: Upstream, result: Check): void {
    upstream.last = result;
    upstream.missed = result === 'no response' ? upstream.missed + 1 : 0;
    if (result === 'ready') upstream.isReady = true;
    // One missing response may be a busy machine.
    else if (result === 'not ready' || upstream.missed >= MAX_MISSED) upstream.isReady = false;
  }
}

function newUpstream(port: number): Upstream {
  return {
    port,
    agent: new Agent({ keepAlive: true }),
    isReady: false,
    isChecking: false,
    missed: 0,
    last: 'not ready',
  };
}

/** Closes idle connections, and prevents others from becoming idle. */
function letGo(agent: Agent): void {
  agent.maxFreeSockets = 0;
  for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
}

function check(port: number): Promise<Check> {
  return new Promise((resolve) => {
    const timeout = AbortSignal.timeout(CHECKED_TIMEOUT_MS);
    const checking = send({ host: '127.0.0.1', port, path: '/readyz', agent: false, signal: timeout });
    checking.once('response', (answer) => {
      answer.resume().on('error', () => {});
      resolve(answer.statusCode === 200 ? 'ready' : 'not ready');
    });
    // A refused connection is a response too.
    checking.on('error', () => resolve(timeout.aborted ? 'no response' : 'not ready'));
    checking.end();
  });
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Resolves with the head of the answer. @throws NoAnswer */
function forward(upstream: Upstream, incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  const headers = passedOn(incoming.rawHeaders).filter(
    (_, index, all) => !/^content-length$/i.test(all[index - (index % 2)] as string),
  );
  if (body.length > 0) headers.push('Content-Length', String(body.length));
  headers.push('X-Forwarded-For', incoming.socket.remoteAddress ?? '');
  const upstreamRequest = send({
    ...{ host: '127.0.0.1', port: upstream.port, agent: upstream.agent },
    ...{ method: incoming.method, path: incoming.url, headers },
  });
  return new Promise((resolve, reject) => {
    let wasSent = false;
    whenConnected(upstreamRequest, () => {
      wasSent = true;
      upstreamRequest.end(body);
    });
    upstreamRequest.once('response', resolve);
    upstreamRequest.on('error', (cause) => reject(new NoResponse(cause, wasSent)));
  });
}

/** Calls back once the connection exists; no byte of the request is sent before. */
function whenConnected(upstreamRequest: ClientRequest, callback: () => void): void {
  upstreamRequest.once('socket', (socket) => {
    if (socket.connecting) socket.once('connect', callback);
    else callback();
  });
}

/** Names and values in turn, without those that are about the connection. */
function passedOn(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, index) => !OF_THE_CONNECTION.test(rawHeaders[index - (index % 2)] as string));
}

/** Starts a reverse proxy in this process. */
export async function startReverseProxy(
  t: Pick<TestContext, 'after'>,
  ports: readonly number[],
): Promise<LoadBalancer> {
  const balancer = new Balancer();
  const server = createServer((incoming, outgoing) => {
    balancer.pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  t.after(() => {
    balancer.close();
    server.close();
    server.closeAllConnections();
  });
  server.listen(0, '127.0.0.1');
  await Promise.all([once(server, 'listening'), balancer.setUpstreams(ports)]);
  const { port } = server.address() as AddressInfo;
  return {
    kind: 'reverse proxy',
    url: `http://127.0.0.1:${port}`,
    port,
    setUpstreams: (upstreams) => balancer.setUpstreams(upstreams),
  };
}
