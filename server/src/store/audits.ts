import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../domain/errors.ts';
import type { AuditReport } from '../domain/ledger-store.ts';
import type { AuditSource } from './audited-rows.ts';
import { auditLedger } from './ledger-audit.ts';
import { unreadable } from './refusals.ts';

const LONGEST_REST_MS = 60_000;

/** What audits take of time, and how. */
export interface AuditPace {
  /** Milliseconds of a clock that is never set. */
  readonly elapsedMs: () => number;
  readonly rest: (ms: number) => Promise<unknown>;
}

const USUAL_PACE: AuditPace = { elapsedMs: () => performance.now(), rest: (ms) => pause(ms) };

/**
 * The audits of a serving process, one at a time: who asks during one, or in the rest after it, shares the next with all
 * who do. The rest is as long as the audit was, so that half of the time is left to others, whoever asks how often.
 */
export class Audits {
  readonly #audit: () => Promise<AuditReport>;
  readonly #pace: AuditPace;
  /** The audit that has not begun yet. */
  #next: Promise<AuditReport> | undefined;
  /** Settles with the last audit; never rejects. */
  #last: Promise<unknown> = Promise.resolve();
  #restedAtMs = Number.NEGATIVE_INFINITY;

  constructor(source: AuditSource, pace = USUAL_PACE) {
    this.#audit = () =>
      auditLedger(source).catch((error: unknown) => {
        if (error instanceof ApiError) throw error;
        return unreadable(error);
      });
    this.#pace = pace;
  }

  /** An audit that begins after this call. */
  next(): Promise<AuditReport> {
    this.#next ??= this.#begin();
    return this.#next;
  }

  async #begin(): Promise<AuditReport> {
    const { elapsedMs, rest } = this.#pace;
    await this.#last;
    const restMs = this.#restedAtMs - elapsedMs();
    if (restMs > 0) await rest(restMs);
    this.#next = undefined;
    const beganAtMs = elapsedMs();
    const noteEnd = () => {
      const endedAtMs = elapsedMs();
      this.#restedAtMs = endedAtMs + Math.min(LONGEST_REST_MS, endedAtMs - beganAtMs);
    };
    const report = this.#audit();
    this.#last = report.then(noteEnd, noteEnd);
    return report;
  }
}
