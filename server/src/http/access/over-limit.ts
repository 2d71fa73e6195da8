import { retryAfterSeconds, type WindowUsage } from '../../domain/access/rate-limit.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Refusal } from '../../domain/store.ts';
import type { RequestContext } from '../request/request-context.ts';

/** The 429 for an address without requests left. */
export function overAddressLimit(context: RequestContext, { resetAtMs }: WindowUsage): ApiError {
  return overLimit(context, { code: 'rate_limit_exceeded', retryAtMs: resetAtMs });
}

/** The 429 for a refused caller. Sets the time of the retry for the limit headers. */
export function overLimit(context: RequestContext, { code, retryAtMs }: Refusal): ApiError {
  context.retryAtMs = retryAtMs;
  const seconds = retryAfterSeconds(retryAtMs, context.nowMs);
  const limits = context.windows.map(({ name, limit }) => `${limit} requests per ${name}`).join(' and ');
  const reason =
    code === 'api_key_banned'
      ? 'This API key is banned temporarily, because its requests did not wait after a 429.'
      : `The limit is ${limits}.`;
  return new ApiError(code, `${reason} Retry after ${seconds} seconds.`, {
    headers: { 'Retry-After': String(seconds) },
  });
}
