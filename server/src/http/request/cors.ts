import type { RequestContext } from './request-context.ts';

/** What a page of another origin may read of an answer, beside its body. */
const EXPOSED =
  'ETag, Link, Location, Retry-After, Inventory-Sequence, Inventory-Quantity, Inventory-Version, Ledger-Start, Idempotency-Replayed, Deprecation, Sunset, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy';
const PREFLIGHT_KEPT_SECONDS = '7200';

/**
 * The headers that let a configured origin read an answer: none for any other origin, and `undefined` where no
 * origin is configured, for then answers do not depend on it.
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

/** Whether a browser sends this before a call of a page of an allowed origin (Fetch Standard, CORS-preflight request). */
export function isAllowedPreflight(context: RequestContext): boolean {
  return (
    context.corsHeaders?.['Access-Control-Allow-Origin'] !== undefined &&
    context.request.method === 'OPTIONS' &&
    context.header('access-control-request-method') !== null &&
    // No preflight has one, and a guess of a key must count.
    context.header('authorization') === null
  );
}

/** What a preflight of such an origin is told on top: the methods and headers that it may use. */
export function preflightHeaders(allow: string): Record<string, string> {
  return {
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers':
      'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID',
    'Access-Control-Max-Age': PREFLIGHT_KEPT_SECONDS,
  };
}
