import { IMPORT_FAILURES, type Import } from '../domain/management/imports.ts';
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
    reading: found.facts,
    failure: failure === null ? null : IMPORT_FAILURES[failure],
    failureCode: failure,
    createdBy: found.actor,
    appliedBy: found.appliedBy,
    createdAt: timestamp(found.createdAtMs),
    updatedAt: timestamp(found.updatedAtMs),
  };
}
