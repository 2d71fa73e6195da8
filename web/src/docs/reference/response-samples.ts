/** A response as the service sent it. */
export interface ResponseSample {
  readonly status: number;
  /** Without them there is no content. */
  readonly type?: string;
  /** A value of JSON, or a text of another type. */
  readonly body?: unknown;
}

/** `docs/response-samples.json`. */
export interface ResponseSamples {
  /** By operation. */
  readonly v1: Readonly<Record<string, ResponseSample>>;
  readonly admin: Readonly<Record<string, ResponseSample>>;
  /** The body of each error, by code. */
  readonly errors: Readonly<Record<string, unknown>>;
}
