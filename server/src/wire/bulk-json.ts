import {
  BULK_FAILURES,
  type BulkChange,
  type BulkFilter,
  type BulkRow,
  type BulkValues,
} from '../domain/management/bulk-changes.ts';
import { timestamp } from '../domain/timestamps.ts';

/** The members of a bulk change in JSON. */
export function bulkJson(found: BulkChange) {
  const { id, state, filter, values, counts, failure } = found;
  return {
    id,
    state,
    filter: filter && filterJson(filter),
    set: valuesJson(values),
    counts,
    failure: failure === null ? null : BULK_FAILURES[failure],
    failureCode: failure,
    createdBy: found.createdBy,
    appliedBy: found.appliedBy,
    undoneBy: found.undoneBy,
    createdAt: timestamp(found.createdAtMs),
    updatedAt: timestamp(found.updatedAtMs),
  };
}

function filterJson(filter: BulkFilter) {
  const { query, archived, status, category, alertLevels, quantityGte, quantityLte, availableLte } = filter;
  return {
    ...(query !== undefined && { q: query }),
    archived,
    ...(status !== undefined && { status }),
    ...(category !== undefined && { category }),
    ...(alertLevels && { alert: alertLevels }),
    ...(quantityGte !== undefined && { quantityGte }),
    ...(quantityLte !== undefined && { quantityLte }),
    ...(availableLte !== undefined && { availableLte }),
    ...(filter.updatedSinceMs !== undefined && { updatedSince: timestamp(filter.updatedSinceMs) }),
  };
}

function valuesJson({ category, status, thresholds, archived }: BulkValues) {
  return {
    ...(category !== undefined && { category }),
    ...(status !== undefined && { status }),
    ...(thresholds && { lowStockAt: thresholds.lowStockAt, restockAt: thresholds.restockAt }),
    ...(archived !== undefined && { archived }),
  };
}

/** The members of a pet of a bulk change in JSON. */
export function bulkRowJson({ petId, name, outcome, reason, before }: BulkRow) {
  return { petId, name, outcome, reason, before: before && factsJson(before) };
}

function factsJson({ category, status, lowStockAt, restockAt, isArchived }: NonNullable<BulkRow['before']>) {
  return { category, status, lowStockAt, restockAt, archived: isArchived };
}
