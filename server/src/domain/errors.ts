/**
 * Every error code that a client can receive, with its HTTP status (RFC 9110 section 15). The error body, the OpenAPI
 * document and the tests all read this one table.
 */
export const ERROR_STATUS = {
  malformed_request: 400,
  malformed_json: 400,
  validation_failed: 400,
  invalid_parameter: 400,
  invalid_idempotency_key: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  expired_api_key: 401,
  revoked_api_key: 401,
  session_ended: 401,
  insufficient_scope: 403,
  cross_site_request: 403,
  insecure_connection: 403,
  not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  conflict: 409,
  code_in_use: 409,
  idempotency_in_progress: 409,
  insufficient_stock: 409,
  invalid_transition: 409,
  operation_sunset: 410,
  history_pruned: 410,
  precondition_failed: 412,
  body_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  rate_limit_exceeded: 429,
  daily_quota_exceeded: 429,
  api_key_banned: 429,
  headers_too_large: 431,
  internal_error: 500,
  service_unavailable: 503,
  disk_full: 507,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** A refusal for the caller. `message` is public. `cause` is only for operators: it is logged and never sent. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  /** Headers that belong to this refusal, such as `Allow` or `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    options: { headers?: Readonly<Record<string, string>>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.headers = options.headers ?? {};
  }

  get status(): (typeof ERROR_STATUS)[ErrorCode] {
    return ERROR_STATUS[this.code];
  }
}

/** A mistake of the operator (configuration, command line, database): one sentence that says what to do. */
export class OperatorError extends Error {
  override name = 'OperatorError';
  /** The refusal of the same action in the management API. */
  readonly code: ErrorCode;
  /** Headers of that refusal. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    message: string,
    options: {
      readonly code?: ErrorCode;
      readonly headers?: Readonly<Record<string, string>>;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code ?? 'conflict';
    this.headers = options.headers ?? {};
  }
}

/** The refusal of values that were given: one sentence, which often begins with the name of the member. */
export function validationFailed(message: string): OperatorError {
  return new OperatorError(message, { code: 'validation_failed' });
}

/** The refusal of a request that the store cannot serve now, but may serve later. */
export function serviceUnavailable(message: string, cause?: unknown, retryAfterSeconds = 5): ApiError {
  return new ApiError('service_unavailable', message, {
    headers: { 'Retry-After': String(retryAfterSeconds) },
    cause,
  });
}

/** Why a store cannot serve now. `reason` is public, for `/readyz`; the message is for the log, with the remedy. */
export class NotReady extends Error {
  override name = 'NotReady';
  readonly reason: string;

  constructor(reason: string, message = reason) {
    super(message);
    this.reason = reason;
  }
}
