import { ApiError, ERROR_STATUS, type ErrorCode } from '../../domain/errors.ts';
import type { Answer } from '../../listen/exchange.ts';
import type { RequestContext } from './request-context.ts';

export const JSON_TYPE = 'application/json';

/** The error body of the specification: exactly these three fields. */
export function errorBody(code: ErrorCode, message: string): string {
  return JSON.stringify({ code, message, status: ERROR_STATUS[code] });
}

/** The public form of a thrown value. The cause of an internal error goes only to the log. */
export function publicError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  return new ApiError('internal_error', 'The server failed. The log has the cause under the request id.', {
    cause: thrown,
  });
}

export function errorResponse(context: RequestContext, error: ApiError): Answer {
  // The newline keeps the prompt of a terminal on a line of its own.
  return context.respond(error.status, `${errorBody(error.code, error.message)}\n`, {
    'Content-Type': JSON_TYPE,
    'Cache-Control': 'no-store',
    ...error.headers,
  });
}
