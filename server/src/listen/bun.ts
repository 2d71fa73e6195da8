import { andThen } from '../domain/eventually.ts';
import type { Peer } from '../domain/peer.ts';
import { isResolved, type RoutedRequest, routesByDepth } from './bun-targets.ts';
import type { Handler, Listener, ListenOptions } from './listener.ts';
import { AMBIGUOUS_PATH } from './target.ts';

/** The part of Bun's server that is used; its own types would clash with Node's. */
interface BunServer {
  readonly port: number;
  requestIP(request: Request): { readonly address: string } | null;
  timeout(request: Request, seconds: number): void;
  stop(closeActiveConnections?: boolean): Promise<void>;
}

interface BunRuntime {
  serve(options: {
    port: number;
    hostname: string;
    idleTimeout: number;
    maxRequestBodySize: number;
    development: boolean;
    routes: Record<string, (request: RoutedRequest, server: BunServer) => Response | Promise<Response>>;
    fetch(request: Request, server: BunServer): Response | Promise<Response>;
  }): BunServer;
}

/** Bun would answer a larger declared body itself, without our error body; ours is refused long before. */
const LARGEST_BODY_BYTES = 64 * 1024 * 1024;

/** The remote address is asked for only when it is needed: it is the dearest question to this server. */
class BunPeer implements Peer {
  readonly #server: BunServer;
  readonly #request: Request;

  constructor(server: BunServer, request: Request) {
    this.#server = server;
    this.#request = request;
  }

  get remoteAddress(): string | undefined {
    return this.#server.requestIP(this.#request)?.address;
  }

  allowSilence(seconds: number): void {
    this.#server.timeout(this.#request, seconds);
  }
}

/** One host and port (RFC 9110 section 7.2). From any other Bun makes an address without a host, and joins repeated ones. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])?(?::\d{1,5})?$/i;

/** Bun gives an answer without a body the length 0, also to HEAD, where the body of GET may have another one. */
function withoutLength(response: Response): Response {
  const { status, headers } = response;
  const hasBody = status !== 204 && status !== 304;
  if (hasBody && !headers.has('Content-Length')) headers.set('Transfer-Encoding', 'chunked');
  return response;
}

/** Serves a handler on a port with Bun's HTTP server. */
export function listenOnBun(handler: Handler, options: ListenOptions): Promise<Listener> {
  const { Bun } = globalThis as unknown as { Bun: BunRuntime };
  const take = (request: Request, bunServer: BunServer) => {
    const peer = new BunPeer(bunServer, request);
    const host = request.headers.get('host');
    if (host === null || HOST.test(host)) return handler.fetch(request, peer);
    return handler.refuseUnparsed('malformed_request', 'Send one valid Host header.', peer);
  };
  const answer = (request: Request, bunServer: BunServer) =>
    request.method === 'HEAD' ? andThen(take(request, bunServer), withoutLength) : take(request, bunServer);
  const refuse = (request: Request, bunServer: BunServer) =>
    handler.refuseUnparsed('malformed_request', AMBIGUOUS_PATH, new BunPeer(bunServer, request));
  const server = Bun.serve({
    port: options.port,
    hostname: options.host,
    idleTimeout: options.keepAliveTimeoutSeconds,
    maxRequestBodySize: LARGEST_BODY_BYTES,
    development: false,
    routes: routesByDepth(answer, refuse),
    fetch: (request, bunServer) => (isResolved(request.url) ? refuse : answer)(request, bunServer),
  });
  return Promise.resolve({
    port: server.port,
    close: async (deadlineMs) => {
      const deadline = setTimeout(() => void server.stop(true), deadlineMs);
      await server.stop();
      clearTimeout(deadline);
    },
  });
}
