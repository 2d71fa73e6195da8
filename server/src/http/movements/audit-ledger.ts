import type { Ledger } from '../../domain/ledger-store.ts';
import { within } from '../../domain/within.ts';
import { FORBIDDEN } from '../openapi/error-responses.ts';
import { responses } from '../openapi/responses.ts';
import { JSON_TYPE } from '../request/error-response.ts';
import type { OperationDefinition } from '../request/operation.ts';
import { requireNoQuery } from '../request/query-parameters.ts';
import { auditJson } from './audit-json.ts';
import { LedgerAuditSchema } from './audit-schema.ts';
import { spacesBefore } from './slow-response.ts';

/** Shorter than the time-outs of proxies, which are 30 seconds and more. */
const QUIET_MS = 10_000;
const MAX_SILENCE_SECONDS = 60;

interface Services {
  readonly store: { readonly ledger: Pick<Ledger, 'audit'> };
  /** Milliseconds without a byte after which a space is sent. */
  readonly quietMs?: number;
}

export const auditLedger: OperationDefinition<Services> = {
  route: {
    operationId: 'auditLedger',
    method: 'get',
    path: '/ledger/audit',
    tags: ['Ledger'],
    summary: 'Audit the ledger',
    description: [
      'Recomputes the hashes of all movements and prunes, and the balance of every pet. Returns the first wrong movement. `HEAD` runs no audit.',
      'An audit reads the whole ledger. Requests during an audit share the next audit. It begins after a pause as long as the last audit, at most one minute.',
      'After 10 seconds the response begins with a space, and another follows every 10 seconds. An audit that fails later aborts the connection.',
    ].join('\n\n'),
    'x-stability': 'beta',
    responses: responses({
      success: { schema: LedgerAuditSchema, description: 'The findings; also when something is wrong.' },
      errors: FORBIDDEN,
    }),
  },
  scope: 'ledger:audit',
  isCostly: true,
  create:
    ({ store, quietMs = QUIET_MS }) =>
    async (context) => {
      requireNoQuery(context);
      const headers = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' };
      // A response without a body is not worth a read of the whole ledger.
      if (context.isHead) return context.respond(200, null, headers);
      context.request.allowSilence?.(MAX_SILENCE_SECONDS);
      const audit = store.ledger
        .audit(context.request.signal)
        .then((report) => JSON.stringify(auditJson(report)));
      const json = await within(quietMs, audit);
      return context.respond(200, json ?? spacesBefore(audit, quietMs), headers);
    },
};
