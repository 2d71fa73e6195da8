import type { ErrorCode } from '../domain/errors.ts';
import type { MaybePromise } from '../domain/maybe-promise.ts';
import type { Answer, IncomingRequest } from './exchange.ts';
import type { Peer } from './peer.ts';

/** The service, as a listener uses it. */
export interface Handler {
  /** Answers a request; never rejects. */
  answer(request: IncomingRequest): MaybePromise<Answer>;
  /** Answers `OPTIONS *`, which is about the server and not a path (RFC 9110 section 9.3.7). */
  describe(peer: Peer): Answer;
  /** Logs why an answer was replaced or not sent to its end. */
  noteUnsent(cause: unknown): void;
  /** Returns the answer to bytes that are not a request. */
  refuseUnparsed(code: ErrorCode, message: string, peer: Peer): Answer;
}

/** The error in place of an answer that a runtime refuses to send. */
export const UNSENDABLE = ['internal_error', 'The answer cannot be sent; the cause is in the log.'] as const;

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly headersTimeoutSeconds: number;
  readonly requestTimeoutSeconds: number;
  readonly keepAliveTimeoutSeconds: number;
  readonly maxConnections: number;
}

export interface Listener {
  readonly port: number;
  /** Accepts no more connections, waits for requests in flight, and cuts the remaining connections at the deadline. */
  close(deadlineMs: number): Promise<void>;
}
