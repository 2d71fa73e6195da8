import { andThen, type MaybePromise } from '../domain/maybe-promise.ts';
import { machineTimeMs } from '../domain/timestamps.ts';
import { BodyBuffer } from './body-buffer.ts';
import { arrivedIn, piecesInTime } from './body-pieces.ts';
import { isResolved, type RoutedRequest, routesByDepth } from './bun-targets.ts';
import { type Answer, HOST, type IncomingRequest } from './exchange.ts';
import { type Handler, type Listener, type ListenOptions, UNSENDABLE } from './listener.ts';
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
    reusePort: boolean;
    routes: Record<string, (request: RoutedRequest, server: BunServer) => Response | Promise<Response>>;
    fetch(request: Request, server: BunServer): Response | Promise<Response>;
  }): BunServer;
}

/** Bun answers a larger declared body itself, without our error body. Each operation has a limit of its own. */
const MAX_BODY_BYTES = Number.MAX_SAFE_INTEGER;

/** A request of Bun's server. Its remote address is expensive, so it is read only when needed. */
class BunRequest implements IncomingRequest {
  readonly method: string;
  readonly target: string;
  readonly #server: BunServer;
  readonly #request: Request;
  readonly #timeoutSeconds: number;

  /** @param timeoutSeconds How long the body may take. Bun's own time limit begins again with each byte. */
  constructor(server: BunServer, request: Request, timeoutSeconds: number) {
    this.#server = server;
    this.#request = request;
    this.#timeoutSeconds = timeoutSeconds;
    this.method = request.method;
    const { url } = request;
    // A request of HTTP/1.0 without a Host header has no host in its URL: it is a path only.
    this.target = url.startsWith('/') ? url : url.slice(url.indexOf('/', url.indexOf('://') + 3));
  }

  get remoteAddress(): string | undefined {
    return this.#server.requestIP(this.#request)?.address;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  header(name: string): string | null {
    return this.#request.headers.get(name);
  }

  readBody(maxBytes: number): Promise<Uint8Array | undefined> {
    return arrivedIn(this.#timeoutSeconds, this.#readAll(maxBytes));
  }

  async #readAll(maxBytes: number): Promise<Uint8Array | undefined> {
    if (this.header('content-length') !== null) {
      const bytes = await this.#request.bytes();
      return bytes.byteLength > maxBytes ? undefined : bytes;
    }
    const body = new BodyBuffer(maxBytes);
    for await (const piece of this.#request.body ?? []) {
      if (!body.add(piece)) return undefined;
    }
    return body.bytes;
  }

  readPieces(silenceSeconds: number): AsyncIterable<Uint8Array> {
    return piecesInTime(this.#request.body ?? noPieces(), silenceSeconds);
  }

  allowSilence(seconds: number): void {
    this.#server.timeout(this.#request, seconds);
  }
}

/** Serves a handler on a port with Bun's HTTP server. */
export function listenOnBun(handler: Handler, options: ListenOptions): Promise<Listener> {
  const { Bun } = globalThis as unknown as { Bun: BunRuntime };
  const requestOf = (native: Request, bunServer: BunServer) =>
    new BunRequest(bunServer, native, options.requestTimeoutSeconds);
  const take = (native: Request, bunServer: BunServer): MaybePromise<Answer> => {
    const request = requestOf(native, bunServer);
    // Bun makes a URL without a host from an invalid one, and joins repeated headers.
    const host = request.header('host');
    if (host === null || HOST.test(host)) return handler.answer(request);
    return handler.refuseUnparsed('malformed_request', 'Send one valid Host header.', request);
  };
  const noteUnsent = (cause: unknown) => handler.noteUnsent(cause);
  const answer = (native: Request, bunServer: BunServer) => {
    return andThen(take(native, bunServer), (made) => {
      try {
        return responseTo(native, noting(asksToClose(native) ? closing(made) : made, noteUnsent));
      } catch (cause) {
        noteUnsent(cause);
        return responseTo(native, handler.refuseUnparsed(...UNSENDABLE, requestOf(native, bunServer)));
      }
    });
  };
  const refuse = (native: Request, bunServer: BunServer) => {
    const request = requestOf(native, bunServer);
    return responseTo(native, handler.refuseUnparsed('malformed_request', AMBIGUOUS_PATH, request));
  };
  const server = Bun.serve({
    port: options.port,
    hostname: options.host,
    idleTimeout: options.keepAliveTimeoutSeconds,
    maxRequestBodySize: MAX_BODY_BYTES,
    development: false,
    // Otherwise a second service takes half of the connections of the first.
    reusePort: false,
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

/** Whether Bun closes the connection because the client asks for it. */
function asksToClose(request: Request): boolean {
  const options = request.headers.get('connection')?.toLowerCase().split(',');
  return options?.some((option) => option.trim() === 'close') ?? false;
}

/** Bun closes the connection without the header that says so (RFC 9112 section 9.6): a client could use it again. */
function closing(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, Connection: 'close' } };
}

function responseTo({ method }: Request, answer: Answer): Response {
  if (method !== 'HEAD') return responseOf(answer);
  const { status, headers } = answer;
  // Bun sends the length 0 with an answer without a body, also for HEAD, where GET may have another length.
  const hasBody = status !== 204 && status !== 304;
  if (hasBody && headers['Content-Length'] === undefined) headers['Transfer-Encoding'] = 'chunked';
  // Bun leaves it out of answers whose length it did not count, but RFC 9110 section 6.6.1 requires it.
  headers.Date ??= new Date(machineTimeMs()).toUTCString();
  return responseOf(answer);
}

async function* noPieces(): AsyncGenerator<Uint8Array> {}

/** An answer that notes a read error of its stream: Bun aborts the connection, and does not say why. */
function noting(answer: Answer, note: (cause: unknown) => void): Answer {
  if (!(answer.body instanceof ReadableStream)) return answer;
  const reader = answer.body.getReader();
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (isCancelled) return;
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (cause) {
          if (isCancelled) return;
          note(cause);
          controller.error(cause);
        }
      },
      async cancel() {
        isCancelled = true;
        await reader.cancel();
      },
    },
    { highWaterMark: 0 },
  );
  return { ...answer, body };
}

function responseOf({ status, headers, body }: Answer): Response {
  return new Response(body, { status, headers });
}
