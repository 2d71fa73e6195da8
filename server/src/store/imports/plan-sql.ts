import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import type { ImportMode } from '@petstore-inventory/shared/words';
import type { PetValues } from '../../domain/management/imports.ts';
import type { SqlDialect } from '../sql-client.ts';

/** The elements of a row in the JSON text of `givenRows`, with their types. */
const GIVEN = [
  ['number', 'bigint'],
  ['line', 'bigint'],
  ['element', 'bigint'],
  ['pet_id', 'bigint'],
  ['name', 'text'],
  ['category', 'text'],
  ['amount', 'bigint'],
  ['status', 'text'],
  ['has_thresholds', 'bigint'],
  ['low_stock_at', 'bigint'],
  ['restock_at', 'bigint'],
  ['sku', 'text'],
  ['barcodes', 'text'],
  ['named_by', 'text'],
  ['supplier', 'text'],
] as const;

/** Rows of a file as one parameter. A petId is a text, because JSON numbers lose digits. */
export function givenRows(rows: readonly { row: PetRow; line: number; element: number | null }[]): string {
  const arrays = rows.map(({ row, line, element }, number) => {
    const { petId, name, category, quantity, status, thresholds, codes } = row;
    const { lowStockAt = null, restockAt = null } = thresholds ?? {};
    const has = thresholds === undefined ? 0 : 1;
    return [
      number,
      line,
      element,
      String(petId),
      name,
      category,
      quantity,
      status,
      has,
      lowStockAt,
      restockAt,
      ...storedCodes(codes),
      storedNames(row.namedBy),
      storedSupplier(row.supplier),
    ];
  });
  return JSON.stringify(arrays);
}

/** SKU and barcodes of a row as `pets` has them. */
export function storedCodes(codes: PetRow['codes']): readonly [sku: string | null, barcodes: string | null] {
  const { sku = null, barcodes = null } = codes ?? {};
  return [sku, barcodes === null ? null : JSON.stringify(barcodes)];
}

/** The codes that name the pet of a row, as `named_by` has them: an array for each. */
export function storedNames(namedBy: PetRow['namedBy']): string | null {
  if (namedBy === undefined) return null;
  return JSON.stringify(namedBy.map(({ kind, code, isOwned }) => [kind, code, isOwned ? 'owned' : 'free']));
}

/** The supplier of a row as `import_rows` has it: an empty text removes that of the pet. */
export function storedSupplier(supplier: PetRow['supplier']): string | null {
  return supplier === undefined ? null : (supplier ?? '');
}

/** Whether a row of `given` changes the codes of its pet. An empty SKU or array, which no file has, removes them. */
export const hasOtherCodes = (given: string): string =>
  `(${given}.sku IS NOT NULL AND pets.sku IS DISTINCT FROM nullif(${given}.sku, '')
  OR ${given}.barcodes IS NOT NULL AND pets.barcodes IS DISTINCT FROM nullif(${given}.barcodes, '[]'))`;

/** The supplier that a row of `given` sets; `NULL` where it removes it. */
export const supplierOf = (given: string): string => `nullif(${given}.supplier, '')`;

/** Whether a row of `given` changes the supplier of its pet. */
export const hasOtherSupplier = (given: string): string =>
  `(${given}.supplier IS NOT NULL AND reorders.supplier IS DISTINCT FROM ${supplierOf(given)})`;

/** @param place The parameter with the JSON text of `givenRows`. */
const given = ({ jsonElements }: SqlDialect, place: string): string => {
  const columns = GIVEN.map(([name, type], index) => `CAST(value ->> ${index} AS ${type}) AS ${name}`);
  return `given AS MATERIALIZED (SELECT ${columns.join(', ')} FROM ${jsonElements}(${place}))`;
};

/** What the pet has after a row. */
const QUANTITY: Readonly<Record<ImportMode, string>> = {
  set: 'given.amount',
  add: 'coalesce(stock.quantity, 0) + given.amount',
};

/** The conditions under which an import records a movement. */
const effect = (mode: ImportMode): string => `CASE WHEN stock.pet_id IS NULL THEN 'new'
WHEN stock.quantity <> ${QUANTITY[mode]} OR stock.status <> coalesce(given.status, stock.status)
OR pets.name IS DISTINCT FROM nullif(coalesce(given.name, pets.name), '')
OR pets.category IS DISTINCT FROM nullif(coalesce(given.category, pets.category), '')
OR given.has_thresholds = 1 AND (stock.low_stock_at IS DISTINCT FROM given.low_stock_at
  OR stock.restock_at IS DISTINCT FROM given.restock_at)
OR ${hasOtherCodes('given')} OR ${hasOtherSupplier('given')}
THEN 'changed' ELSE 'unchanged' END`;

const FOUND = {
  found_name: 'pets.name',
  found_category: 'pets.category',
  found_quantity: 'stock.quantity',
  found_status: 'stock.status',
  found_low_stock_at: 'stock.low_stock_at',
  found_restock_at: 'stock.restock_at',
  found_sku: 'pets.sku',
  found_barcodes: 'pets.barcodes',
  found_supplier: 'reorders.supplier',
};

/** The columns of `import_rows` that a row of a file decides. */
const VALUE_COLUMNS = GIVEN.slice(1).map(([name]) => (name === 'amount' ? 'quantity' : name));
const ROW_COLUMNS = [...VALUE_COLUMNS, 'effect', 'found_sequence', ...Object.keys(FOUND)];

/** Given rows with their effect and the present values of their pets. */
const compared = (
  dialect: SqlDialect,
  mode: ImportMode,
  place: string,
): string => `${given(dialect, place)}, compared AS (
  SELECT given.*, ${QUANTITY[mode]} AS quantity, ${effect(mode)} AS effect, stock.last_sequence AS found_sequence,
  ${Object.entries(FOUND)
    .map(([name, value]) => `${value} AS ${name}`)
    .join(', ')}
  FROM given LEFT JOIN inventory AS stock ON stock.pet_id = given.pet_id LEFT JOIN pets ON pets.pet_id = given.pet_id
  LEFT JOIN reorders ON reorders.pet_id = given.pet_id
)`;

/** The largest quantity is `$3`. As a change by a client: a pet above it may get fewer units. */
const FITS = 'quantity >= 0 AND (quantity <= $3 OR quantity <= coalesce(found_quantity, 0))';

/** Rows of `$2` compared with the present stock, as columns of `import_rows`; `$1` is the import, `$3` the largest quantity. */
export const planRows = (
  dialect: SqlDialect,
  mode: ImportMode,
): string => `WITH ${compared(dialect, mode, '$2')}
INSERT INTO import_rows (import_id, ${ROW_COLUMNS.join(', ')})
SELECT $1, ${VALUE_COLUMNS.join(', ')}, effect, found_sequence,
${Object.keys(FOUND)
  .map((name) => `CASE WHEN effect = 'changed' THEN ${name} END`)
  .join(', ')}
FROM compared WHERE ${FITS} ORDER BY pet_id, number
ON CONFLICT (import_id, pet_id) DO NOTHING`;

/** The rows of `$2` that their sum, or another row with the same petId, kept out of the plan. */
export const refusedRows = (
  dialect: SqlDialect,
  mode: ImportMode,
): string => `WITH ${compared(dialect, mode, '$2')}, judged AS (SELECT *, NOT (${FITS}) AS is_wrong FROM compared)
SELECT judged.number, coalesce(judged.found_quantity, 0) AS "found", CASE WHEN NOT is_wrong THEN planned.line END AS "earlierLine"
FROM judged LEFT JOIN import_rows AS planned ON planned.import_id = $1 AND planned.pet_id = judged.pet_id
WHERE is_wrong OR planned.line <> judged.line OR planned.element IS DISTINCT FROM judged.element ORDER BY judged.number`;

/** A row of the preview as it is read. */
export interface PlannedRow {
  readonly petId: string;
  readonly line: number;
  readonly element: number | null;
  readonly effect: 'new' | 'changed' | 'unchanged';
  readonly name: string | null;
  readonly category: string | null;
  readonly quantity: number;
  readonly status: PetValues['status'] | null;
  readonly hasThresholds: number;
  readonly lowStockAt: number | null;
  readonly restockAt: number | null;
  readonly sku: string | null;
  readonly barcodes: string | null;
  readonly supplier: string | null;
  readonly foundName: string | null;
  readonly foundCategory: string | null;
  readonly foundQuantity: number;
  readonly foundStatus: PetValues['status'];
  readonly foundLowStockAt: number | null;
  readonly foundRestockAt: number | null;
  readonly foundSku: string | null;
  readonly foundBarcodes: string | null;
  readonly foundSupplier: string | null;
}

const SHOWN_COLUMNS = `CAST(pet_id AS text) AS "petId", line, element, effect,
name, category, quantity, status, has_thresholds AS "hasThresholds", low_stock_at AS "lowStockAt", restock_at AS "restockAt", sku, barcodes, supplier,
found_name AS "foundName", found_category AS "foundCategory", found_quantity AS "foundQuantity", found_status AS "foundStatus",
found_low_stock_at AS "foundLowStockAt", found_restock_at AS "foundRestockAt",
found_sku AS "foundSku", found_barcodes AS "foundBarcodes", found_supplier AS "foundSupplier"`;

/** @param condition For the column `effect`, or a tautology. */
export const previewRows = (condition: string): string => `SELECT ${SHOWN_COLUMNS}
FROM import_rows WHERE import_id = $1 AND pet_id >= CAST($2 AS bigint) AND ${condition} ORDER BY import_rows.pet_id LIMIT $3`;

/** Rows of `$1` that would change something, in their order. */
export const differingRows = (dialect: SqlDialect, mode: ImportMode): string =>
  `WITH ${compared(dialect, mode, '$1')} SELECT ${SHOWN_COLUMNS} FROM compared WHERE effect <> 'unchanged' ORDER BY number`;

/** Whether a planned supplier would replace another one than that of the plan, of which no movement tells. */
const HAS_STALE_SUPPLIER = `import_rows.supplier IS NOT NULL AND reorders.supplier IS DISTINCT FROM
CASE WHEN effect = 'unchanged' THEN ${supplierOf('import_rows')} ELSE found_supplier END`;

/** The first rows whose stock or supplier changed after the plan, with how many there are in all. */
export const STALE_ROWS = `SELECT CAST(pet_id AS text) AS "petId", line, element, count(*) OVER () AS total
FROM import_rows LEFT JOIN inventory USING (pet_id) LEFT JOIN reorders USING (pet_id)
WHERE import_id = $1 AND (found_sequence IS DISTINCT FROM last_sequence OR ${HAS_STALE_SUPPLIER}) ORDER BY import_rows.line, import_rows.pet_id LIMIT $2`;

/** The first rows whose code has another pet now, or none. */
export const movedCodes = ({
  jsonElements,
}: SqlDialect): string => `SELECT CAST(incoming.pet_id AS text) AS "petId",
naming.value ->> 0 AS kind, naming.value ->> 1 AS code, CAST(pet_codes.pet_id AS text) AS "ownerId"
FROM incoming CROSS JOIN ${jsonElements}(${jsonElements === 'json_each' ? 'named_by' : 'CAST(named_by AS jsonb)'}) AS naming
LEFT JOIN pet_codes ON pet_codes.kind = naming.value ->> 0 AND pet_codes.code = naming.value ->> 1
WHERE incoming.named_by IS NOT NULL AND (pet_codes.pet_id <> incoming.pet_id
OR pet_codes.pet_id IS NULL AND naming.value ->> 2 = 'owned') ORDER BY incoming.pet_id LIMIT 1`;
