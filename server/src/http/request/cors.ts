import type { RequestContext } from './request-context.ts';

/** Response headers that a page of another origin may read. */
const EXPOSED =
  'ETag, Link, Location, Retry-After, Inventory-Sequence, Inventory-Quantity, Inventory-Version, Inventory-Pets, Inventory-Pet-Count, Ledger-Start, Idempotency-Replayed, Deprecation, Sunset, WWW-Authenticate, Petstore-Version, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy';
const PREFLIGHT_KEPT_SECONDS = '7200';

/**
 * Headers that let a configured origin read a response: none for other origins; `undefined` without configured origins,
 * because responses then do not depend on the origin.
 */
export function corsHeaders(
  origins: readonly string[],
  context: RequestContext,
): Record<string, string> | undefined {
  if (origins.length === 0) return undefined;
  const origin = context.header('origin');
  if (origin === null || !origins.includes(origin)) return {};
  return { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED };
}

/** Whether this is a CORS-preflight request (Fetch Standard) of an allowed origin. */
export function isAllowedPreflight(context: RequestContext): boolean {
  return (
    context.corsHeaders?.['Access-Control-Allow-Origin'] !== undefined &&
    context.request.method === 'OPTIONS' &&
    context.header('access-control-request-method') !== null &&
    // A preflight has no credentials, and a guessed key must be counted.
    context.header('authorization') === null
  );
}

/** Headers of the response to a preflight: the allowed methods and headers. */
export function preflightHeaders(allow: string): Record<string, string> {
  return {
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers':
      'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID',
    'Access-Control-Max-Age': PREFLIGHT_KEPT_SECONDS,
  };
}
