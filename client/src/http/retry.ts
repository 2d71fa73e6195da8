import type { PetstoreError } from '../errors.ts';
import type { PreparedRequest } from './request.ts';

const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 20_000;
/** Refusals by the write itself. Under the key of an earlier attempt they mean that none of them changed anything. */
const DECIDED = new Set([404, 409, 410, 412]);
/** The service writes this only if it is certain; it has no code for it. */
const UNCHANGED = /\bnothing was changed\b/;
/**
 * Codes of Node for a connection that was never made, so that nothing was sent. In Node the code is that of the cause of
 * `fetch failed`. Bun has it on the error itself, also after it repeats a request whose connection broke.
 */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

interface Retry {
  readonly ms: number;
  /** Whether this was a failure, and not the end of a limit or of another request. */
  readonly isCounted: boolean;
}

/** When to send a request again; `undefined`: never. */
export function retryAfter(
  { code, status, retryAfterSeconds = 0 }: PetstoreError,
  { isRepeatable, isFree }: Pick<PreparedRequest, 'isRepeatable' | 'isFree'>,
  failures: number,
  random: () => number,
): Retry | undefined {
  const ms = retryAfterSeconds * 1_000;
  // A refused request was not executed, so it can be sent again whatever it is.
  if (status === 429) return isFree ? undefined : { ms, isCounted: false };
  if (!isRepeatable) return undefined;
  if (code === 'idempotency_in_progress') {
    return { ms: Math.max(ms, 1_000) + random() * 1_000, isCounted: false };
  }
  const isTransient =
    code === 'connection_failed' ||
    code === 'timed_out' ||
    status === 408 ||
    (status ?? 0) >= 500 ||
    // A proxy, or a response that ended early.
    (code === 'invalid_response' && status !== undefined && status < 300);
  if (!isTransient) return undefined;
  const backoffMs = random() * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** failures);
  return { ms: ms + backoffMs, isCounted: true };
}

/** Whether a write may have been executed, given its newest failure and whether that was so before it. */
export function mayHaveChanged(failure: PetstoreError, before: boolean): boolean {
  const { code, status, message } = failure;
  if (code === 'idempotency_in_progress') return true;
  // A 404 of a proxy is no result of an earlier attempt.
  if (DECIDED.has(status ?? 0) && code !== 'invalid_response') return false;
  if (code === 'service_unavailable' && UNCHANGED.test(message)) return before;
  if (code === 'connection_failed' && wasNeverSent(failure)) return before;
  const isRefusal = status !== undefined && status >= 400 && status < 500 && status !== 408;
  return isRefusal || code === 'invalid_argument' ? before : true;
}

function wasNeverSent({ cause }: PetstoreError): boolean {
  const reason = cause instanceof Error ? cause.cause : undefined;
  return reason instanceof Error && 'code' in reason && UNSENT.has(String(reason.code));
}
