import type { Clock } from './clock.ts';
import type { PetstoreError } from './errors.ts';

/** How to reach the service, and how patient the client is. */
export interface ClientOptions {
  /** The API key, `psk_live_…` or `psk_test_…`. */
  readonly apiKey: string;
  /** The address of the service, such as `https://stock.example.com/v1`. `/v1` is added if it is missing. */
  readonly baseUrl: string;
  /** The longest time of one attempt, from the request to the last byte; 60,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** How often a call is repeated after a failure; 4 by default. Waiting for a limit does not count. */
  readonly maxRetries?: number | undefined;
  /**
   * Until how long after its start a call may wait for a limit or for its next attempt; 120,000 by default. If it would
   * have to wait longer, it fails immediately with `retryAfterSeconds`. `Infinity` waits for the next day if it must.
   */
  readonly maxWaitMs?: number | undefined;
  /** How many requests may run concurrently; 8 by default. Clients of one process with the same key share them. */
  readonly maxConcurrent?: number | undefined;
  /** Keeps responses with an `ETag`, so that an unchanged one is not sent again: `false`, or the most characters; 8,000,000 by default. */
  readonly cache?: false | number | undefined;
  /** Your program, such as `till/2.1`, for the `User-Agent` header. Browsers send their own. */
  readonly userAgent?: string | undefined;
  /** Replaces `fetch`, for example to add a proxy. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Replaces the time, for tests. */
  readonly clock?: Clock | undefined;
}

/** Options of one call; they replace those of the client. */
export interface RequestOptions {
  /** Aborts the call, also while it waits. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  readonly maxWaitMs?: number | undefined;
}

/** Options of a call that can require a state. */
export interface ConditionalOptions extends RequestOptions {
  /** An entity tag: unless it is the present one, the call fails with `precondition_failed`. */
  readonly ifMatch?: string | undefined;
}

/** Options of a write. */
export interface WriteOptions extends RequestOptions {
  /**
   * A name for this change, 1 to 255 visible ASCII characters. Every write with the same name is one change, for 24
   * hours. By default the client makes a new one for each call, so that its own retries change nothing twice.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Options of a write that can require a state. */
export interface ConditionalWriteOptions extends WriteOptions, ConditionalOptions {
  /** An entity tag, or `*`: if it is the present one, the call fails with `precondition_failed`. */
  readonly ifNoneMatch?: string | undefined;
}

/** Options of a live stream. */
export interface StreamOptions extends RequestOptions {
  /** Reconnects after this time without a byte; 45,000 by default. The service sends one at least every 15 seconds. */
  readonly silenceMs?: number | undefined;
  /** Called when the connection breaks, before the stream connects again. */
  readonly onDisconnect?: ((error: PetstoreError) => void) | undefined;
}

/** A file to send. `Uint8Array` without its type argument: TypeScript before 5.7 has none, and a `Buffer` of `readFile` has any. */
export type SentFile = string | Uint8Array | Blob;

/** Options of a call that sends a file. */
export interface FileOptions extends RequestOptions {
  /** What the file is; `text/csv` by default. */
  readonly contentType?:
    | 'text/csv'
    | 'application/x-ndjson'
    | 'application/json'
    | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    | undefined;
}

/** An exported file: bytes of a workbook, and the text of every other format. */
export type ExportedFile<Format> = Format extends 'xlsx' ? Uint8Array : string;
