import { RequestContext } from '../../src/http/request/request-context.ts';
import type { IncomingRequest } from '../../src/listen/exchange.ts';

const WINDOWS = [{ name: 'minute', limit: 60, remaining: 5, resetAtMs: 60_000 }] as const;

/** The context of a request without a body. */
export function contextOf(
  method: string,
  headers: Readonly<Record<string, string>> = {},
  isDraining = false,
) {
  const request: IncomingRequest = {
    method,
    target: '/v1/inventory',
    remoteAddress: undefined,
    signal: new AbortController().signal,
    header: (name) => headers[name] ?? null,
    readBody: () => Promise.resolve(undefined),
    async *readPieces() {},
  };
  const context = new RequestContext(request, 0, { isDraining });
  context.windows = WINDOWS;
  return context;
}
