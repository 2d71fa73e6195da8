import type { ErrorCode } from './api/schemas.ts';

/** Why the client itself gave up. */
export type ClientErrorCode =
  /** An argument is not what the operation accepts; no request was sent. */
  | 'invalid_argument'
  /** The service could not be reached, or the connection broke. */
  | 'connection_failed'
  /** The response did not arrive in time. */
  | 'timed_out'
  /** The response is not one of the service, such as an HTML page of a proxy, or a redirect. */
  | 'invalid_response'
  /** The ledger is another one than before, because a backup was restored: list the stock again. */
  | 'ledger_replaced'
  /** A webhook message has no valid signature, or is too old. */
  | 'invalid_signature';

/** The state that a refused change found, from the headers of the response. */
export interface ErrorDetails {
  /** The entity tag of the item or order now, for `ifMatch`. */
  readonly etag?: string;
  /** The quantity of the pet now. */
  readonly quantity?: number;
  /** The version of the pet now. */
  readonly version?: number;
  /** The address of the movements since the state that the request named, or of the movement that conflicts. */
  readonly link?: string;
  /** Up to 20 of the pets that are in the way, such as of the close of a stock-take. */
  readonly pets?: readonly PetInTheWay[];
  /** How many pets are in the way. */
  readonly petCount?: number;
  /** The scope that the API key lacks. */
  readonly scope?: string;
  /** Whether this is the kept response to an earlier request with the same `Idempotency-Key`. */
  readonly isReplayed?: boolean;
}

/** A pet whose stock a refused action would have brought out of its limits. */
export interface PetInTheWay {
  readonly petId: bigint;
  /** Its quantity now. */
  readonly quantity: number;
  /** The quantity that is not possible; it may be larger than a number holds exactly. */
  readonly result: bigint;
}

interface ErrorFields {
  readonly code: ErrorCode | ClientErrorCode;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly details?: ErrorDetails;
  readonly cause?: unknown;
}

/** The error of every refused or failed call. Decide by `code`; the message is for people. */
export class PetstoreError extends Error {
  override readonly name = 'PetstoreError';
  /** The service's code, or the client's own. A later release of the service may have more codes. */
  readonly code: ErrorCode | ClientErrorCode;
  /** The HTTP status; `undefined` without a response. */
  readonly status: number | undefined;
  /** Names the request in the service's log. */
  readonly requestId: string | undefined;
  /** Seconds until the call can succeed; `undefined` if waiting is not known to help. */
  readonly retryAfterSeconds: number | undefined;
  /** The present state that the service described. */
  readonly details: ErrorDetails;
  /** The key of the failed write: call again with it, and the change happens at most once. */
  idempotencyKey: string | undefined;
  /** Whether the service may have made the change although the call failed. */
  mayHaveChanged = false;

  constructor(message: string, fields: ErrorFields) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.code = fields.code;
    this.status = fields.status;
    this.requestId = fields.requestId;
    this.retryAfterSeconds = fields.retryAfterSeconds;
    this.details = fields.details ?? {};
  }
}

export function invalidArgument(message: string): PetstoreError {
  return new PetstoreError(message, { code: 'invalid_argument' });
}
