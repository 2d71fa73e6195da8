import type { ErrorCode } from '../../domain/errors.ts';

/** What each error code tells a client; the document and its page show it. */
export const ERROR_MEANINGS: Readonly<Record<ErrorCode, string>> = {
  malformed_request: 'The request cannot be read: its path, its headers, or two `Authorization` headers.',
  malformed_json: 'The body is not JSON.',
  validation_failed:
    'The body lacks a required field, holds an invalid value, or has a member that is not known where that is refused; the message names it.',
  invalid_parameter: 'A parameter of the path or the query is invalid; the message names it.',
  invalid_idempotency_key: 'The `Idempotency-Key` header is malformed.',
  missing_api_key: 'No API key was sent.',
  invalid_api_key: 'The API key is unknown, malformed, or of the other environment.',
  expired_api_key: 'The API key has expired.',
  revoked_api_key: 'The API key was revoked.',
  insufficient_scope: 'The API key is restricted, and lacks the scope of this operation.',
  not_found: 'There is no such pet, or no such movement.',
  route_not_found: 'There is nothing at this path.',
  method_not_allowed: 'The path has no such method; `Allow` lists those it has.',
  not_acceptable: 'The client does not accept `application/json`.',
  request_timeout: 'The request did not arrive in time.',
  conflict:
    'The change contradicts the present state: the message and the headers tell what is there, and `Link` leads to what happened.',
  idempotency_in_progress:
    'A request with the same `Idempotency-Key` is still being carried out; ask again as `Retry-After` says.',
  insufficient_stock: 'There is less in stock than the change would take.',
  history_pruned: 'What is asked for is older than what the operator keeps of the ledger.',
  operation_sunset: 'The operation is past its sunset.',
  precondition_failed:
    'The resource is not what `If-Match` names, or is what `If-None-Match` of a write names.',
  body_too_large: 'The body is larger than the operation takes: 16 KiB, a batch 1 MiB.',
  unsupported_media_type: 'The body is not of a media type that is understood.',
  idempotency_key_reused: 'The `Idempotency-Key` was used before, for another request.',
  rate_limit_exceeded: 'The minute is used up; wait as `Retry-After` says.',
  daily_quota_exceeded: 'The day is used up; wait as `Retry-After` says.',
  api_key_banned: 'The API key is banned for a while, because it went on without waiting after a 429.',
  headers_too_large: 'The headers are larger than the server reads.',
  internal_error: 'Something went wrong on our side; report the `X-Request-Id`.',
  service_unavailable:
    'It cannot be done now; try again as `Retry-After` says. A change was not made, unless the message says that it could not be confirmed.',
};
