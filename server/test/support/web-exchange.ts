import type { App } from '../../src/app.ts';
import { BodyBuffer } from '../../src/listen/body-buffer.ts';
import type { Answer, IncomingRequest } from '../../src/listen/exchange.ts';

/** A request of a test, as a listener would hand it to the service. */
export function incomingOf(request: Request, remoteAddress = '127.0.0.1'): IncomingRequest {
  const { host, pathname, search } = new URL(request.url);
  return {
    method: request.method,
    target: pathname + search,
    remoteAddress,
    signal: request.signal,
    header: (name) => request.headers.get(name) ?? (name === 'host' ? host : null),
    readBody: async (maxBytes) => {
      const body = new BodyBuffer(maxBytes);
      for await (const piece of request.body ?? []) {
        if (!body.add(piece)) return undefined;
      }
      return body.bytes;
    },
    async *readPieces() {
      yield* request.body ?? [];
    },
  };
}

/** An answer as a client that uses `fetch` sees it. */
export function responseOf({ status, headers, body }: Answer): Response {
  return new Response(body, { status, headers });
}

/** Sends a request to a service in this process. */
export async function fetchFrom(app: App, request: Request, remoteAddress?: string): Promise<Response> {
  return responseOf(await app.answer(incomingOf(request, remoteAddress)));
}
