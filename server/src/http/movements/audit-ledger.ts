import type { Ledger } from '../../domain/ledger-store.ts';
import { andThen } from '../../domain/maybe-promise.ts';
import type { Store } from '../../domain/store.ts';
import { JSON_TYPE } from '../request/error-response.ts';
import type { Operation } from '../request/operation.ts';
import { requireNoQuery } from '../request/query-parameters.ts';
import { auditJson } from './audit-json.ts';
import { auditLedgerRoute, getStoreInventoryRoute } from './audit-ledger-route.ts';
import { spacesBefore, within } from './slow-response.ts';

/** Shorter than the time-outs of proxies, which are 30 seconds and more. */
const QUIET_MS = 10_000;
const MAX_SILENCE_SECONDS = 60;

export function getStoreInventory(store: Store): Operation {
  return {
    route: getStoreInventoryRoute,
    scope: 'inventory:read',
    isFree: false,
    handle: (context) => {
      requireNoQuery(context);
      return andThen(store.ledger.stockTotals(), ({ available, pending, sold }) =>
        context.respond(200, `{"available":${available},"pending":${pending},"sold":${sold}}`, {
          'Content-Type': JSON_TYPE,
          'Cache-Control': 'private, no-cache',
        }),
      );
    },
  };
}

/** What is asked of a store. */
type AuditStore = { readonly ledger: Pick<Ledger, 'audit'> };

/** @param quietMs After so long without a byte a space is sent. */
export function auditLedger(store: AuditStore, quietMs = QUIET_MS): Operation {
  return {
    route: auditLedgerRoute,
    scope: 'ledger:audit',
    isFree: false,
    handle: async (context) => {
      requireNoQuery(context);
      const headers = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' };
      // Headers alone are not worth reading the whole ledger.
      if (context.isHead) return context.respond(200, null, headers);
      context.request.allowSilence?.(MAX_SILENCE_SECONDS);
      const audit = store.ledger
        .audit(context.request.signal)
        .then((report) => JSON.stringify(auditJson(report)));
      const json = await within(quietMs, audit);
      return context.respond(200, json ?? spacesBefore(audit, quietMs), headers);
    },
  };
}
