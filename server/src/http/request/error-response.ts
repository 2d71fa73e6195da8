import { ApiError, ERROR_STATUS, type ErrorCode } from '../../domain/errors.ts';
import type { Answer } from '../../listen/exchange.ts';
import type { RequestContext } from './request-context.ts';

export const JSON_TYPE = 'application/json';

/** The error body of the specification: exactly these three fields. */
export function errorBody(code: ErrorCode, message: string): string {
  return JSON.stringify({ code, message, status: ERROR_STATUS[code] });
}

/** What a caller may know of anything that was thrown. The cause of an internal error stays in the log. */
export function publicError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  return new ApiError(
    'internal_error',
    'Something went wrong on our side; it was logged under the request id.',
    {
      cause: thrown,
    },
  );
}

export function errorResponse(context: RequestContext, error: ApiError): Answer {
  // The newline keeps the prompt of a terminal on a line of its own.
  return context.respond(error.status, `${errorBody(error.code, error.message)}\n`, {
    'Content-Type': JSON_TYPE,
    'Cache-Control': 'no-store',
    ...error.headers,
  });
}
