import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../domain/errors.ts';
import type { AuditReport, Auditor } from '../domain/ledger-store.ts';

const MAX_REST_MS = 60_000;

/** Time limits of audits. */
interface AuditPace {
  /** Milliseconds of a monotonic clock. */
  readonly elapsedMs: () => number;
  readonly rest: (ms: number) => Promise<unknown>;
}

const USUAL_PACE: AuditPace = { elapsedMs: () => performance.now(), rest: (ms) => pause(ms) };

/**
 * Runs the audits of a serving process one at a time. All callers during an audit, and in the pause after it, share
 * the next one. The pause is as long as the audit, so that half of the time is left for other work, however many
 * callers there are.
 */
export class Audits implements Auditor {
  readonly #audit: () => Promise<AuditReport>;
  readonly #pace: AuditPace;
  /** The audit that has not begun yet, and its callers. */
  #next: { readonly report: Promise<AuditReport>; readonly waiting: (AbortSignal | undefined)[] } | undefined;
  /** Settles with the last audit; never rejects. */
  #last: Promise<unknown> = Promise.resolve();
  #restedAtMs = Number.NEGATIVE_INFINITY;

  constructor(audit: () => Promise<AuditReport>, pace = USUAL_PACE) {
    this.#audit = audit;
    this.#pace = pace;
  }

  next(signal?: AbortSignal): Promise<AuditReport> {
    if (this.#next) this.#next.waiting.push(signal);
    else {
      const waiting = [signal];
      this.#next = { waiting, report: this.#begin(waiting) };
    }
    return this.#next.report;
  }

  async #begin(waiting: readonly (AbortSignal | undefined)[]): Promise<AuditReport> {
    const { elapsedMs, rest } = this.#pace;
    await this.#last;
    const restMs = this.#restedAtMs - elapsedMs();
    if (restMs > 0) await rest(restMs);
    this.#next = undefined;
    if (waiting.every((signal) => signal?.aborted)) {
      throw new ApiError('request_timeout', 'The client disconnected.');
    }
    const beganAtMs = elapsedMs();
    const noteEnd = () => {
      const endedAtMs = elapsedMs();
      this.#restedAtMs = endedAtMs + Math.min(MAX_REST_MS, endedAtMs - beganAtMs);
    };
    const report = this.#audit();
    this.#last = report.then(noteEnd, noteEnd);
    return report;
  }
}
