import type { FileFacts } from '@petstore-inventory/shared/pet-file/reading';
import type { FileFault } from '@petstore-inventory/shared/pet-file/faults';
import type { ImportFormat, ImportMode } from '@petstore-inventory/shared/words';
import type {
  Import,
  ImportFailureCode,
  ImportRow,
  ImportState,
  PetValues,
} from '../../domain/management/imports.ts';
import type { PlannedRow } from './plan-sql.ts';

/** A row of `imports` as `IMPORT_COLUMNS` reads it. */
export interface ImportRecord {
  readonly id: string;
  readonly state: ImportState;
  readonly format: ImportFormat;
  readonly mode: ImportMode;
  readonly fileName: string | null;
  readonly byteCount: number;
  readonly readBytes: number;
  readonly newCount: number;
  readonly changedCount: number;
  readonly unchangedCount: number;
  readonly faults: string | null;
  readonly faultCount: number;
  readonly badRowCount: number;
  readonly facts: string | null;
  readonly doubtfulCount: number;
  readonly failure: ImportFailureCode | null;
  readonly actor: string;
  readonly appliedBy: string | null;
  readonly appliedBefore: string | null;
  readonly undoes: string | null;
  readonly undoneBy: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export const IMPORT_COLUMNS = `id, undoes, undone_by AS "undoneBy", state, format, mode, file_name AS "fileName", byte_count AS "byteCount",
read_bytes AS "readBytes", new_count AS "newCount", changed_count AS "changedCount", unchanged_count AS "unchangedCount",
faults, fault_count AS "faultCount", bad_row_count AS "badRowCount", doubtful_count AS "doubtfulCount", facts, failure, actor, applied_by AS "appliedBy", created_at AS "createdAtMs",
updated_at AS "updatedAtMs", (
  SELECT other.id FROM imports AS other WHERE other.file_hash = imports.file_hash AND other.mode = imports.mode AND other.id <> imports.id
  AND other.state = 'applied' AND (imports.state <> 'applied' OR other.updated_at < imports.updated_at)
  ORDER BY other.updated_at DESC, other.id DESC LIMIT 1
) AS "appliedBefore"`;

/** Facts of an import that an earlier release checked lack these members. */
const LATER_FACTS = { leftOut: [], mapping: null };

export function toImport(record: ImportRecord): Import {
  const { newCount, changedCount, unchangedCount, faults, facts, ...rest } = record;
  return {
    ...rest,
    counts: { new: newCount, changed: changedCount, unchanged: unchangedCount },
    facts: facts === null ? null : { ...LATER_FACTS, ...(JSON.parse(facts) as FileFacts) },
    faults: faults === null ? [] : (JSON.parse(faults) as FileFault[]),
  };
}

export function toImportRow(row: PlannedRow): ImportRow {
  const { petId, line, element, effect } = row;
  const before = effect === 'changed' ? valuesBefore(row) : null;
  const after = effect === 'unchanged' ? null : valuesAfter(row, before);
  return { petId: BigInt(petId), line, element, effect, before, after };
}

function valuesBefore(row: PlannedRow): PetValues {
  return {
    name: row.foundName,
    category: row.foundCategory,
    quantity: row.foundQuantity,
    status: row.foundStatus,
    lowStockAt: row.foundLowStockAt,
    restockAt: row.foundRestockAt,
    sku: row.foundSku,
    barcodes: barcodesOf(row.foundBarcodes) ?? [],
    supplier: row.foundSupplier,
  };
}

/** A value that the file does not have stays, and an empty text removes it. */
function valuesAfter(row: PlannedRow, before: PetValues | null): PetValues {
  const thresholds = row.hasThresholds === 1 ? row : before;
  return {
    name: (row.name ?? before?.name) || null,
    category: (row.category ?? before?.category) || null,
    quantity: row.quantity,
    status: row.status ?? before?.status ?? 'available',
    lowStockAt: thresholds?.lowStockAt ?? null,
    restockAt: thresholds?.restockAt ?? null,
    sku: (row.sku ?? before?.sku) || null,
    barcodes: barcodesOf(row.barcodes) ?? before?.barcodes ?? [],
    supplier: (row.supplier ?? before?.supplier) || null,
  };
}

function barcodesOf(stored: string | null): readonly string[] | null {
  return stored === null ? null : (JSON.parse(stored) as string[]);
}
