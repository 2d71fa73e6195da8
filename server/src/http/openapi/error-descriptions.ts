import type { ErrorCode } from '../../domain/errors.ts';

/** The meaning of each error code for a client, as the document and its page show it. */
export const ERROR_MEANINGS: Readonly<Record<ErrorCode, string>> = {
  malformed_request: 'The path or a header is malformed, or there are two `Authorization` headers.',
  malformed_json: 'The body is not JSON.',
  validation_failed:
    'The body lacks a required member, has an invalid value, or has an unknown member where those are refused; the message names it.',
  invalid_parameter: 'A parameter of the path or the query is invalid; the message names it.',
  invalid_idempotency_key: 'The `Idempotency-Key` header is malformed.',
  missing_api_key: 'The request has no API key.',
  invalid_api_key: 'The API key is unknown, malformed, or of the other environment.',
  expired_api_key: 'The API key has expired.',
  revoked_api_key: 'The API key was revoked.',
  session_ended: 'The session of the dashboard has ended; sign in again.',
  insufficient_scope: 'The API key is restricted and lacks the scope of this operation.',
  cross_site_request:
    'The cookie of a session came without the proof that a page of this service made the request.',
  insecure_connection: 'Sessions need TLS, or an operator who allows them without it.',
  not_found:
    'There is nothing with the id that the request names: no such pet, movement, order or webhook endpoint.',
  route_not_found: 'There is nothing at this path.',
  method_not_allowed: 'The path does not support the method; `Allow` lists the methods that it supports.',
  not_acceptable: 'The client does not accept the media type of the response.',
  request_timeout: 'The request did not arrive in time.',
  conflict:
    'The change contradicts the present state. The message and the headers describe that state; `Link` leads to the movements.',
  code_in_use: 'Another pet has the SKU or barcode; the message names the pet.',
  idempotency_in_progress:
    'A request with the same `Idempotency-Key` is in progress; repeat it after `Retry-After`.',
  insufficient_stock: 'The stock, or what of it is not reserved, is smaller than the change would take.',
  invalid_transition:
    'The status of the order does not allow the step; the message has the status and the possible steps.',
  history_pruned: 'The operator has pruned this part of the ledger.',
  operation_sunset: 'The operation is past its sunset.',
  precondition_failed:
    'The resource is not one that `If-Match` names, or is one that `If-None-Match` of a write names.',
  body_too_large:
    'The body is larger than the operation accepts: 16 KiB; an order, its deliveries and returns, a webhook endpoint and saved views 64 KiB; a mapping of imports 256 KiB; a batch 1 MiB; a bulk change 2 MiB.',
  unsupported_media_type: 'The media type of the body is not supported.',
  idempotency_key_reused: 'The `Idempotency-Key` was used before, for another request.',
  rate_limit_exceeded: 'The requests of the minute are used up; wait for the seconds in `Retry-After`.',
  daily_quota_exceeded: 'The requests of the day are used up; wait for the seconds in `Retry-After`.',
  api_key_banned: 'The API key is banned temporarily, because its requests did not wait after a 429.',
  headers_too_large: 'The headers are larger than the server reads.',
  internal_error: 'An error of the service; report the `X-Request-Id`.',
  service_unavailable:
    'The service cannot do it now; repeat it after `Retry-After`. Nothing changed, unless the message states that the change could not be confirmed.',
  disk_full: 'The disk of the database has no room for the file; nothing of it was kept.',
};
