import { ApiError } from '../domain/errors.ts';
import type { AuditReport } from '../domain/ledger-store.ts';
import type { AuditSource } from './audited-rows.ts';
import { BatchQueue } from './batch-queue.ts';
import { auditLedger } from './ledger-audit.ts';
import { unreadable } from './refusals.ts';

/** The audits of a serving process, one at a time: who asks during one shares the next with all who do. */
export class Audits {
  readonly #queue: BatchQueue<undefined, AuditReport>;

  constructor(source: AuditSource) {
    this.#queue = new BatchQueue(async (callers) => {
      const report = await auditLedger(source).catch((error: unknown) => {
        if (error instanceof ApiError) throw error;
        return unreadable(error);
      });
      return callers.map(() => report);
    });
  }

  /** An audit that begins after this call. */
  next(): Promise<AuditReport> {
    return this.#queue.submit(undefined);
  }
}
