import { IMPORT_FAILURES, type Import } from '../domain/management/imports.ts';
import type { ImportMapping } from '../domain/management/import-mappings.ts';
import { timestamp } from '../domain/timestamps.ts';

/** The members of an import in JSON. */
export function importJson(found: Import) {
  const { id, state, format, mode, fileName, byteCount, readBytes, counts, faults, faultCount, failure } =
    found;
  return {
    id,
    state,
    format,
    mode,
    fileName,
    byteCount,
    checkedBytes: readBytes,
    counts,
    errors: faults,
    errorCount: faultCount,
    badRows: found.badRowCount,
    newPetsToCheck: found.doubtfulCount,
    reading: found.facts,
    failure: failure === null ? null : IMPORT_FAILURES[failure],
    failureCode: failure,
    createdBy: found.actor,
    appliedBy: found.appliedBy,
    appliedBefore: found.appliedBefore,
    undoes: found.undoes,
    undoneBy: found.undoneBy,
    createdAt: timestamp(found.createdAtMs),
    updatedAt: timestamp(found.updatedAtMs),
  };
}

/** The members of a mapping in JSON, which `petstore import --mapping` reads too. */
export function importMappingJson(mapping: ImportMapping) {
  const { name, columns, decimal, encoding, sheet, updatedBy, updatedAtMs } = mapping;
  return { name, columns, decimal, encoding, sheet, updatedBy, updatedAt: timestamp(updatedAtMs) };
}
