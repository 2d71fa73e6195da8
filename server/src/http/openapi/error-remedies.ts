import type { ErrorCode } from '../../domain/errors.ts';

interface ErrorRemedy {
  /** What usually leads to the error. */
  readonly cause: string;
  /** What a client or a person does then. */
  readonly remedy: string;
}

const KEY_REMEDY =
  'Get a new key from the operator, and replace the old one in the configuration of your client.';

/** Why each error occurs, and what to do. `docs/errors.md` is made from it. */
export const ERROR_REMEDIES: Readonly<Record<ErrorCode, ErrorRemedy>> = {
  malformed_request: {
    cause:
      'A `%` in the path or the query that does not begin an escape, a `.` or `..` as a part of the path, two `Authorization` headers, or a method in small letters: `fetch` sends `patch` as it is.',
    remedy:
      'Escape each part of an address with the function of your language, send one key, and write methods in capital letters.',
  },
  malformed_json: {
    cause: 'A cut body, a comment, a comma too many, a byte order mark, or bytes that are not UTF-8.',
    remedy:
      'Read the line and the column in the message. Write the body with the JSON library of your language, never by joining strings.',
  },
  validation_failed: {
    cause:
      'A misspelt member, a quantity that is negative or has a fraction, or a status that does not exist.',
    remedy:
      'The message names the member and the values that it takes. Correct it: the same body fails again.',
  },
  invalid_parameter: {
    cause:
      'A misspelt parameter, a parameter that is sent two times, or a `petId` that is not a whole number.',
    remedy:
      'The message names the parameter. Unknown parameters of lists and writes are refused, so that no filter is ignored.',
  },
  invalid_idempotency_key: {
    cause:
      'The key is empty, longer than 255 characters, has a character that is not visible ASCII, or begins with a quotation mark and does not end with one.',
    remedy: 'Send a UUID, or a number of your own, such as that of the receipt.',
  },
  missing_api_key: {
    cause: 'The `Authorization` header is absent, or a proxy removed it.',
    remedy: 'Send `Authorization: Bearer <API_KEY>` with each request.',
  },
  invalid_api_key: {
    cause: 'A cut key, a key of the staging environment in production, or a key of another database.',
    remedy: 'Compare the start of the key: `psk_live_` in production, `psk_test_` in staging. Copy it again.',
  },
  expired_api_key: {
    cause: 'The operator set an expiry when the key was made, or replaced the key.',
    remedy: KEY_REMEDY,
  },
  revoked_api_key: {
    cause: 'An operator revoked the key, perhaps because it became public.',
    remedy: KEY_REMEDY,
  },
  session_ended: {
    cause:
      'The dashboard was not used for 8 hours, the sign-in was 24 hours ago, or the management key was revoked.',
    remedy: 'Sign in again. Programs send a management key instead of a cookie.',
  },
  insufficient_scope: {
    cause: 'The key was made for other operations.',
    remedy:
      'Use a key with the scope that the message names. The reference shows the scope of each operation.',
  },
  cross_site_request: {
    cause: 'A page of another site sent the cookie of a session, or a proxy changes `Origin` or `Host`.',
    remedy:
      'Let the proxy pass both headers on unchanged. Programs send a management key instead of a cookie.',
  },
  insecure_connection: {
    cause: 'The dashboard is open by plain HTTP, from another machine.',
    remedy: 'Open it by HTTPS, or let the operator set `PETSTORE_ALLOW_HTTP_SESSIONS` in a trusted network.',
  },
  not_found: {
    cause:
      'The number is wrong, the pet was never imported or was deleted, or the webhook endpoint belongs to another account.',
    remedy: 'Compare the number. A `petId` that a JSON parser rounded is another pet: read it exactly.',
  },
  route_not_found: {
    cause: 'A misspelt path, a slash at the end, or a missing `/v1`.',
    remedy: 'Compare the path with the reference.',
  },
  method_not_allowed: {
    cause: 'For example POST instead of PATCH.',
    remedy: 'Send one of the methods in the `Allow` header.',
  },
  not_acceptable: {
    cause: 'The `Accept` header excludes the only media type of the response.',
    remedy: 'Send no `Accept` header, or the media type that the reference shows.',
  },
  request_timeout: {
    cause: 'A slow or interrupted connection, or a wrong `Content-Length`.',
    remedy: 'Send the request again; a write with the same `Idempotency-Key`.',
  },
  conflict: {
    cause: 'Another client changed the same thing first, or the change contradicts the present state.',
    remedy: 'Read the present state from the headers, decide again, and send a new request.',
  },
  code_in_use: {
    cause: 'SKUs and barcodes are unique. A GTIN is the same code with 8, 12, 13 or 14 digits.',
    remedy: 'Remove the code from the other pet first. From an archived pet `takeCodes` takes it.',
  },
  idempotency_in_progress: {
    cause: 'The client sent the request again before the first one had a response.',
    remedy: 'Wait for `Retry-After` seconds and send it again: the response is that of the first one.',
  },
  insufficient_stock: {
    cause: 'Others sold or reserved the units first.',
    remedy: 'The headers have the present stock. Sell fewer units, or refuse the sale.',
  },
  invalid_transition: {
    cause: 'The order was delivered, cancelled or has expired meanwhile.',
    remedy: 'Read the order. The message names the steps that its status allows.',
  },
  operation_sunset: {
    cause: 'The operation was deprecated, and its last day is over.',
    remedy: 'Use the operation that the reference names instead.',
  },
  history_pruned: {
    cause: 'The operator deleted old movements.',
    remedy: 'Begin at the movement that the message names.',
  },
  precondition_failed: {
    cause: 'Another client was faster: the pet is not in the state that `If-Match` names.',
    remedy: 'Read the present state from the headers, decide again, and send the new `ETag`.',
  },
  body_too_large: {
    cause: 'A file or a list went into one request.',
    remedy: 'Divide it: a batch takes 1,000 changes. Import files through the management API.',
  },
  unsupported_media_type: {
    cause: 'The `Content-Type` header is absent, or is one of a form.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  idempotency_key_reused: {
    cause: 'The same key came with another body, or a counter of keys began again.',
    remedy: 'Make a new key for each new change, and keep it only for repetitions of that change.',
  },
  rate_limit_exceeded: {
    cause: 'The account sent more requests in this minute than its plan has.',
    remedy: 'Wait for `Retry-After` seconds. Use batches and the live stream instead of many reads.',
  },
  daily_quota_exceeded: {
    cause: 'The account sent more requests today than its plan has.',
    remedy: 'Wait for `Retry-After` seconds, up to midnight UTC, or get a larger plan from the operator.',
  },
  api_key_banned: {
    cause: 'A client continued to send requests after a 429, many times, without waiting.',
    remedy: 'Wait for `Retry-After` seconds, and mend the client. The operator can lift the ban.',
  },
  headers_too_large: {
    cause: 'Cookies of other programs on the same host, or a very long address.',
    remedy: 'Send fewer headers. Put many `petId` filters into several requests.',
  },
  internal_error: {
    cause: 'A mistake in the service.',
    remedy:
      'Give the operator the `X-Request-Id`: it is in the log. A write can be sent again with the same `Idempotency-Key`.',
  },
  service_unavailable: {
    cause: 'The service is starting, stopping or overloaded, or its database does not respond.',
    remedy:
      'Wait for `Retry-After` seconds and send the request again; a write with the same `Idempotency-Key`.',
  },
  disk_full: {
    cause: 'The disk of the database has too little room for the file: changes need the rest.',
    remedy: 'Delete imports that are not needed, enlarge the disk, or send a smaller file.',
  },
};
