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
  /** Notes why an answer was not sent as it was made, or not to its end. */
  noteUnsent(cause: unknown): void;
  /** Answers bytes of which no request could be made. */
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
  /** Accepts no more connections, lets requests under way finish, and cuts what is left after the deadline. */
  close(deadlineMs: number): Promise<void>;
}
