import {
  BULK_FAILURES,
  type BulkChange,
  type BulkFilter,
  type BulkRow,
  type BulkValues,
} from '../domain/management/bulk-changes.ts';
import type { PetCodes } from '../domain/management/pet-codes.ts';
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
    ...(filter.supplier !== undefined && { supplier: filter.supplier }),
    ...(alertLevels && { alert: alertLevels }),
    ...(quantityGte !== undefined && { quantityGte }),
    ...(quantityLte !== undefined && { quantityLte }),
    ...(availableLte !== undefined && { availableLte }),
    ...(filter.updatedSinceMs !== undefined && { updatedSince: timestamp(filter.updatedSinceMs) }),
  };
}

function valuesJson({ category, status, thresholds, sku, barcodes, ...values }: BulkValues) {
  const { inStorePrefix, archived, supplier, ordered, expectedOn } = values;
  return {
    ...(category !== undefined && { category }),
    ...(status !== undefined && { status }),
    ...(thresholds && { lowStockAt: thresholds.lowStockAt, restockAt: thresholds.restockAt }),
    ...(sku !== undefined && { sku }),
    ...(barcodes && { barcodes: [...barcodes] }),
    ...(inStorePrefix !== undefined && { inStorePrefix }),
    ...(archived !== undefined && { archived }),
    ...(supplier !== undefined && { supplier }),
    ...(ordered !== undefined && { ordered }),
    ...(expectedOn !== undefined && { expectedOn }),
  };
}

/** The members of a pet of a bulk change in JSON. */
export function bulkRowJson(row: BulkRow) {
  const { petId, name, outcome, reason, codeOwner, before, codes, ordered } = row;
  return {
    petId,
    name,
    outcome,
    reason,
    codeOwner,
    before: before && factsJson(before),
    codes: codes && codesJson(codes),
    ordered,
  };
}

function factsJson({ isArchived, ...facts }: NonNullable<BulkRow['before']>) {
  const { category, status, lowStockAt, restockAt, supplier } = facts;
  return { category, status, lowStockAt, restockAt, ...codesJson(facts), archived: isArchived, supplier };
}

function codesJson({ sku, barcodes }: PetCodes) {
  return { sku, barcodes: [...barcodes] };
}
