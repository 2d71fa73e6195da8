import type { AuditReport, Auditor } from '../../domain/ledger-store.ts';
import { auditJson } from '../../wire/audit-json.ts';
import { operationsWith } from '../operation/operation.ts';
import { answered } from '../operation/output.ts';
import { LedgerAuditSchema } from './audit-schema.ts';
import { answerSlowly, slowHeaders } from './slow-response.ts';

interface Services {
  readonly audits: Auditor;
  /** Called with the result of each audit. */
  readonly onAudit: (report: AuditReport) => void;
  /** Milliseconds without a byte after which a space is sent. */
  readonly quietMs?: number;
}

const operation = operationsWith<Services>({ tag: 'Ledger' });

export const auditLedger = operation({
  id: 'auditLedger',
  at: 'GET /ledger/audit',
  summary: 'Audit the ledger',
  description: [
    'Recomputes the hashes of all movements and prunes, and the balance of every pet. Returns the first wrong movement. `HEAD` runs no audit.',
    'An audit reads the whole ledger. Requests during an audit share the next audit. It begins after a pause as long as the last audit, at most one minute.',
    'After 10 seconds the response begins with a space, and another follows every 10 seconds. An audit that fails later aborts the connection.',
  ].join('\n\n'),
  access: { scope: 'ledger:audit' },
  isCostly: true,
  output: answered({
    schema: LedgerAuditSchema,
    description: 'The findings; also when something is wrong.',
  }),
  handle: ({ audits, onAudit, quietMs }, { context }) => {
    // A response without a body is not worth a read of the whole ledger.
    if (context.isHead) return context.respond(200, null, slowHeaders());
    const audit = audits.next(context.request.signal).then((report) => {
      onAudit(report);
      return JSON.stringify(auditJson(report));
    });
    return answerSlowly(context, audit, quietMs);
  },
});
