import type { MaybePromise } from '../domain/maybe-promise.ts';

/** What a span has of a request. Read again at its end, because the operation is found meanwhile. */
export interface TracedRequest {
  readonly request: { readonly method: string };
  readonly path: string;
  /** The operationId, or the path of a route outside the interfaces. */
  readonly operation: string;
  /** The path of the operation in its interface, such as `/inventory/{petId}`. */
  readonly pathPattern: string | undefined;
  readonly errorCode: string | undefined;
  header(name: string): string | null;
}

/** One attempt to deliver a webhook. */
export interface TracedAttempt {
  readonly url: string;
  readonly eventId: string;
  readonly eventType: string;
  /** From 1. */
  readonly attempt: number;
  readonly durationMs: number;
  readonly statusCode: number | null;
  readonly errorCode: string | null;
  /** The header that the receiver got; its ids are those of the span. */
  readonly traceparent: string | undefined;
}

/** Makes spans. A service without traces has none of it. */
export interface Tracing {
  /** Whether each delivery is recorded, which its receiver may learn from `traceparent`. */
  readonly recordsAll: boolean;
  /** Runs a request inside its span. `answer` must not reject. */
  request<T extends { readonly status: number }>(
    request: TracedRequest,
    answer: () => MaybePromise<T>,
  ): MaybePromise<T>;
  /** Wraps a store, so that each call of a request has a span. */
  store<T extends object>(store: T): T;
  /** Adds the span of a commit to each traced request whose write, an argument of `Store.write`, is in it. */
  commit(writes: Iterable<object>, durationMs: number): void;
  delivery(attempt: TracedAttempt): void;
  /** Sends the last spans. Resolves after a second at the latest. */
  close(): Promise<void>;
}

export interface TracingOptions {
  /** Where spans are sent by OTLP over HTTP. */
  readonly url: string;
  /** The release of the service. */
  readonly version: string;
  readonly databaseSystem: 'postgresql' | 'sqlite';
  /** Called with an export that failed. */
  readonly onError: (error: unknown) => void;
}
