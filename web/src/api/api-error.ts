/** An error that the service returned, or a failure to reach it (`status` 0, code `offline`). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly status: number;
  /** The current state of the item, in the errors 412 and 409. */
  readonly headers: Headers;
  /** Method and path of the request, such as `DELETE /pets/5`. */
  readonly request: string;

  constructor(
    code: string,
    message: string,
    status: number,
    headers: Headers = new Headers(),
    request: string = '',
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.headers = headers;
    this.request = request;
  }

  /** The service was not reached, or will be back soon: the same request may be sent again. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status === 503;
  }

  /** The change may be made all the same: only under the same idempotency key is it sent again without being made twice. */
  get isUnsure(): boolean {
    return this.isTemporary || this.status >= 500 || this.code === 'idempotency_in_progress';
  }
}

export const isApiError = (error: unknown, ...codes: readonly string[]): error is ApiError =>
  error instanceof ApiError && (codes.length === 0 || codes.includes(error.code));
