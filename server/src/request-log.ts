import type { Logger } from 'pino';
import { withoutKeys } from './domain/access/api-key.ts';
import type { Ban } from './domain/access/bans.ts';
import type { ApiError } from './domain/errors.ts';
import type { AuditReport } from './domain/ledger-store.ts';
import { timestamp } from './domain/timestamps.ts';
import type { RequestContext } from './http/request/request-context.ts';

/** While a database is down every request fails; the log gets one line per interval. */
const UNAVAILABLE_INTERVAL_MS = 1_000;

/** A damaged disk can have a fault per row. */
const MAX_FAULTS = 20;

/** Log lines about requests. */
export class RequestLog {
  readonly #log: Logger;
  /** When a 503 was last logged, and the number of later ones without a line. */
  #unavailable = { loggedAtMs: Number.NEGATIVE_INFINITY, suppressed: 0 };

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Whether `completed` writes anything. */
  get isDetailed(): boolean {
    return this.#log.isLevelEnabled('debug');
  }

  completed(context: RequestContext, status: number, durationMs: number, address: string): void {
    const { requestId, path, operation, principal } = context;
    this.#log.debug(
      {
        requestId,
        method: context.request.method,
        path: withoutKeys(path),
        operation,
        keyId: principal?.key.id,
        accountId: principal?.account.id,
        address,
        status,
        durationMs,
      },
      'request',
    );
  }

  banned({ principal }: RequestContext, ban: Ban, address: string): void {
    this.#log.info({ ...banFields(ban), accountId: principal?.account.id, address }, 'API key banned');
  }

  faultyLedger({ faults, firstBadSequence }: AuditReport): void {
    this.#log.error({ faults: faults.slice(0, MAX_FAULTS), firstBadSequence }, 'the ledger has faults');
  }

  /** Logs a response with status 500 or above, with its cause. */
  failed({ requestId, startedAtMs }: RequestContext, error: ApiError): void {
    const { loggedAtMs, suppressed } = this.#unavailable;
    if (error.code === 'service_unavailable') {
      if (startedAtMs < loggedAtMs + UNAVAILABLE_INTERVAL_MS) {
        this.#unavailable.suppressed += 1;
        return;
      }
      this.#unavailable = { loggedAtMs: startedAtMs, suppressed: 0 };
    }
    this.#log.error(
      {
        requestId,
        code: error.code,
        err: error.cause ?? error,
        ...(suppressed > 0 && { alikeBefore: suppressed }),
      },
      error.message,
    );
  }

  unsent(cause: unknown): void {
    this.#log.error({ err: cause }, 'an answer was not sent, or not to its end');
  }
}

export function banFields({ keyId, level, endsAtMs }: Ban): object {
  return { keyId, banLevel: level, until: timestamp(endsAtMs) };
}
