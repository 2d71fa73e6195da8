import { availableOf } from '../domain/ledger/stock.ts';
import {
  outstandingOf,
  type ReorderRow,
  reorderStateOf,
  suggestedOf,
} from '../domain/management/reorders.ts';
import { timestampOrNull } from '../domain/timestamps.ts';
import { actorMembers } from './actor-json.ts';

/** The members of a row of the reorder list in a file. */
export function reorderFields(row: ReorderRow) {
  const { petId, name, category, sku, supplier, quantity, reserved, alertLevel, daysOfStock, enough } = row;
  const { ordered = null, received = 0, expectedOn = null, orderedAtMs = null } = row.open ?? {};
  return {
    ...{ petId, name, category, sku, supplier },
    state: reorderStateOf(row),
    ...{ alertLevel, quantity, reserved },
    available: availableOf(row),
    ...{ daysOfStock, enough },
    suggested: suggestedOf(row),
    ...{ ordered, received },
    outstanding: outstandingOf(row),
    expectedOn,
    orderedAt: timestampOrNull(orderedAtMs),
  };
}

/** The members of a row in JSON. */
export function reorderMembers(row: ReorderRow) {
  const { open } = row;
  return {
    ...reorderFields(row),
    orderedBy: open && actorMembers({ actor: open.orderedBy, actorName: open.orderedByName }),
    etag: `"${row.tag}"`,
  };
}

/** The columns of a file. */
export const REORDER_COLUMNS: readonly string[] = Object.keys(
  reorderFields({
    ...{ petId: 0n, name: null, category: null, sku: null, archivedAtMs: null, supplier: null },
    ...{ quantity: 0, reserved: 0, alertLevel: null, daysOfStock: null, enough: 1, open: null },
    tag: '',
  }),
);
