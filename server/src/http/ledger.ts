import { andThen } from '../domain/eventually.ts';
import type { Store } from '../domain/store.ts';
import { JSON_TYPE } from './error-response.ts';
import { auditLedgerRoute, getStoreInventoryRoute } from './ledger-routes.ts';
import type { Operation } from './operation.ts';
import { requireNoQuery } from './query-parameters.ts';

export function getStoreInventory(store: Store): Operation {
  return {
    route: getStoreInventoryRoute,
    scope: 'inventory:read',
    isFree: false,
    handle: (call) => {
      requireNoQuery(call);
      return andThen(store.ledger.stockTotals(), ({ available, pending, sold }) =>
        call.respond(200, `{"available":${available},"pending":${pending},"sold":${sold}}`, {
          'Content-Type': JSON_TYPE,
          'Cache-Control': 'private, no-cache',
        }),
      );
    },
  };
}

export function auditLedger(store: Store): Operation {
  return {
    route: auditLedgerRoute,
    scope: 'ledger:audit',
    isFree: false,
    handle: async (call) => {
      requireNoQuery(call);
      const headers = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' };
      // Headers alone are not worth reading the whole ledger.
      if (call.isHead) return call.respond(200, null, headers);
      const { pets, movements, head, firstBadSequence, faults } = await store.ledger.audit();
      const isIntact = faults.length === 0;
      const { sequence, hash } = head;
      const report = { pets, movements, head: { sequence, hash }, isIntact, firstBadSequence, faults };
      return call.respond(200, JSON.stringify(report), headers);
    },
  };
}
