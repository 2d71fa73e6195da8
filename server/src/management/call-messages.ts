import { type DiskLimits, diskFull, isDiskFull } from '../domain/disk.ts';
import { ApiError, type ErrorCode, OperatorError, serviceUnavailable } from '../domain/errors.ts';
import type { StockRules } from '../domain/ledger/ledger-transaction.ts';

/** Parameters of a management thread. */
export interface ManagementDatabase {
  /** The address of the database. */
  readonly url: string;
  readonly rules: StockRules;
  /** The secret under which the secrets of webhooks are sealed. */
  readonly pepper: Uint8Array;
  /** For the thread of the imports. */
  readonly disk?: DiskLimits;
  /** A call whose database server sends nothing for so long fails; without it, calls may take minutes. */
  readonly responseTimeoutMs?: number;
  /** Whether the thread ends when it has had no call for a while. */
  readonly endsIdle?: boolean;
  /** Whether other threads go first. It must hold no lock for which they wait. */
  readonly givesWay?: boolean;
}

/** One call of a method. The thread answers calls in their order. */
export interface ManagementCall {
  readonly id: number;
  /** The method, such as `defaultThresholds`, or `orders` and `findOrder`. */
  readonly path: readonly string[];
  readonly values: unknown[];
}

export type CallReply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: PackedError };

/** An error as a message: structured cloning keeps no class and no code. */
interface PackedError {
  readonly kind: 'operator' | 'api' | 'unexpected';
  readonly code: ErrorCode;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For the log. */
  readonly stack: string;
}

/** Errors of the program. Any other unexpected error is the database's. */
const PROGRAM_ERRORS = [TypeError, RangeError, ReferenceError, SyntaxError];

/** Packs a thrown value. An error of the database becomes `service_unavailable`. */
export function packError(thrown: unknown): PackedError {
  if (thrown instanceof OperatorError) return packed('operator', thrown.code, thrown, thrown.headers);
  if (thrown instanceof ApiError) return packed('api', thrown.code, thrown, thrown.headers);
  if (PROGRAM_ERRORS.some((one) => thrown instanceof one)) {
    return packed('unexpected', 'internal_error', thrown as Error);
  }
  const refusal = isDiskFull(thrown)
    ? diskFull(thrown)
    : serviceUnavailable('The database cannot be used now.', thrown);
  return packed('api', refusal.code, refusal, refusal.headers);
}

function packed(
  kind: PackedError['kind'],
  code: ErrorCode,
  error: Error,
  headers: PackedError['headers'] = {},
): PackedError {
  return { kind, code, message: error.message, headers, stack: stackOf(error) };
}

/** The stack of an error and of its cause. */
function stackOf({ stack, message, cause }: Error): string {
  const own = stack ?? message;
  return cause === undefined
    ? own
    : `${own}\ncaused by ${cause instanceof Error ? stackOf(cause) : String(cause)}`;
}

/** The error with its class, code and message. Its cause is the stack in the thread. */
export function unpackError({ kind, code, message, headers, stack }: PackedError): Error {
  const cause = new Error(message);
  cause.stack = stack;
  if (kind === 'operator') return new OperatorError(message, { code, headers, cause });
  if (kind === 'api') return new ApiError(code, message, { headers, cause });
  return cause;
}
