import type { ImportResult } from '../../domain/admin-store.ts';
import { wrongSums } from '../../domain/management/import-sums.ts';
import { ImportedMovements, type ImportedStock } from '../ledger/import-movements.ts';
import { readChainHead } from '../ledger/ledger-bounds.ts';
import { readShopThresholds } from '../ledger/shop-thresholds.ts';
import { REPLACE_SUPPLIER } from '../pets/suppliers.ts';
import type { LockingClient } from '../sql-client.ts';
import { requireNamingCodes, writeCodes } from './import-codes.ts';
import type { ImportAuthor, ImportTables, ImportTransaction, PetClient } from './import-engine.ts';
import { CATEGORY, HAS_OTHER_TEXTS, type ImportedWords, NAME } from './import-words.ts';
import { hasOtherCodes, hasOtherSupplier, supplierOf } from './plan-sql.ts';

/**
 * An import of pets, in SQL of both engines. Its rows are first copied to a temporary table, and their texts split into
 * words, without a lock. The ledger's lock is then held while the movements are made, and for a few whole-table statements.
 */

/** The columns of `incoming`. @param petId The type of a petId. */
export const incomingColumns = (petId: string): string => `(
  pet_id ${petId},
  name text,
  category text,
  quantity bigint NOT NULL,
  status text,
  has_thresholds bigint NOT NULL,
  low_stock_at bigint,
  restock_at bigint,
  sku text,
  barcodes text,
  named_by text,
  supplier text
)`;

/** Copies the rows of the planned import `$1`. */
export const COPY_PLANNED = `INSERT INTO incoming
SELECT pet_id, name, category, quantity, status, has_thresholds, low_stock_at, restock_at, sku, barcodes, named_by, supplier FROM import_rows
WHERE import_id = $1 ORDER BY pet_id`;

/** The thresholds after the import. @param stock What the pet has. */
const threshold = (column: string, stock: string): string =>
  `CASE WHEN has_thresholds = 1 THEN incoming.${column} ELSE ${stock}.${column} END`;

/** The pets that the file changes, with their new and their present stock. */
const CHANGED_STOCK = `SELECT CAST(pet_id AS text) AS "petId", incoming.quantity,
coalesce(incoming.status, stock.status, 'available') AS status,
stock.quantity AS "quantityBefore", stock.status AS "statusBefore", coalesce(stock.version, deleted_pets.version) AS version,
coalesce(stock.last_sequence, deleted_pets.last_sequence) AS "lastSequence",
reserved, alert_level AS "alertBefore",
${threshold('low_stock_at', 'stock')} AS "lowStockAt", ${threshold('restock_at', 'stock')} AS "restockAt"
FROM incoming LEFT JOIN inventory AS stock USING (pet_id) LEFT JOIN pets USING (pet_id)
LEFT JOIN deleted_pets USING (pet_id) LEFT JOIN reorders USING (pet_id)
WHERE stock.quantity IS DISTINCT FROM incoming.quantity OR stock.status IS DISTINCT FROM coalesce(incoming.status, stock.status)
OR ${HAS_OTHER_TEXTS} OR ${hasOtherCodes('incoming')} OR ${hasOtherSupplier('incoming')}
OR stock.low_stock_at IS DISTINCT FROM ${threshold('low_stock_at', 'stock')}
OR stock.restock_at IS DISTINCT FROM ${threshold('restock_at', 'stock')} ORDER BY pet_id`;

const UPDATE_PETS = `UPDATE pets SET name = ${NAME}, category = ${CATEGORY}
FROM incoming WHERE incoming.pet_id = pets.pet_id AND ${HAS_OTHER_TEXTS}`;

const ADD_PETS = `INSERT INTO pets (pet_id, name, category) SELECT pet_id, name, category FROM incoming
WHERE NOT EXISTS (SELECT 1 FROM pets WHERE pets.pet_id = incoming.pet_id) ORDER BY pet_id`;

/** Copies the stock from the new movements, so the two cannot differ. */
const ADD_STOCK = `INSERT INTO inventory (pet_id, quantity, status, version, last_sequence, updated_at, reserved, alert_level,
low_stock_at, restock_at, created_at)
SELECT pet_id, quantity_after, status_after, version, sequence, recorded_at, reserved_after, alert_after,
incoming.low_stock_at, incoming.restock_at, recorded_at
FROM movements JOIN incoming USING (pet_id) WHERE sequence > $1 AND status_before IS NULL ORDER BY pet_id`;

const SET_STOCK = `UPDATE inventory SET quantity = quantity_after, status = status_after, version = movements.version,
last_sequence = sequence, updated_at = recorded_at, alert_level = alert_after,
low_stock_at = ${threshold('low_stock_at', 'inventory')}, restock_at = ${threshold('restock_at', 'inventory')}
FROM movements JOIN incoming USING (pet_id)
WHERE movements.pet_id = inventory.pet_id AND sequence > $1 AND status_before IS NOT NULL`;

/** The suppliers that the file changes, at the time `$1`. */
const SET_SUPPLIERS = `INSERT INTO reorders (pet_id, supplier, ordered_at)
SELECT incoming.pet_id, ${supplierOf('incoming')}, CAST($1 AS bigint) FROM incoming LEFT JOIN reorders ON reorders.pet_id = incoming.pet_id
WHERE ${hasOtherSupplier('incoming')} ${REPLACE_SUPPLIER}`;

const FORGET_DELETED = `DELETE FROM deleted_pets WHERE pet_id IN (SELECT pet_id FROM incoming)`;

/** Hidden stock is lost stock: an archived pet that gets units is shown again. Before `SET_STOCK`. */
const RESTORE = `UPDATE pets SET archived_at = NULL WHERE archived_at IS NOT NULL AND EXISTS (
  SELECT 1 FROM incoming JOIN inventory USING (pet_id)
  WHERE incoming.pet_id = pets.pet_id AND incoming.quantity > inventory.quantity
)`;

interface ChangedStockRow extends Omit<ImportedStock, 'petId'> {
  readonly petId: string;
}

/** Creates and updates the pets of `incoming`, in a transaction that has the lock of the ledger. */
export async function writeIncoming(
  client: PetClient,
  tables: ImportTables,
  words: ImportedWords,
  rowCount: number,
  { actor, requestId, atMs, referenceId }: ImportAuthor,
  within?: ImportTransaction,
): Promise<ImportResult> {
  await within?.begin();
  await requireNamingCodes(client);
  const head = await readChainHead(client);
  const author = { actor, requestId, atMs: atMs ?? (await client.now()), referenceId };
  const movements = new ImportedMovements(head, await readShopThresholds(client), author);
  await words.apply();
  let moved = 0;
  await tables.read<ChangedStockRow>(CHANGED_STOCK, [], (rows) => {
    moved += rows.length;
    return tables.recordMovements(rows.map((row) => movements.next(stockOf(row))));
  });
  await client.run(UPDATE_PETS);
  await client.run(ADD_PETS);
  await writeCodes(client, tables);
  await client.run(SET_SUPPLIERS, [author.atMs]);
  const created = await client.run(ADD_STOCK, [head.sequence]);
  await client.run(RESTORE);
  await client.run(SET_STOCK, [head.sequence]);
  if (created > 0) await client.run(FORGET_DELETED);
  if (moved > 0) await client.notifyMovements();
  const result = { created, changed: moved - created, unchanged: rowCount - moved };
  await within?.end?.(result);
  return result;
}

/** Field by field: a spread of a row of SQLite takes a fifth of the time under the lock. */
function stockOf(row: ChangedStockRow): ImportedStock {
  return {
    petId: BigInt(row.petId),
    quantity: row.quantity,
    status: row.status,
    quantityBefore: row.quantityBefore,
    statusBefore: row.statusBefore,
    reserved: row.reserved,
    alertBefore: row.alertBefore,
    version: row.version,
    lastSequence: row.lastSequence,
    lowStockAt: row.lowStockAt,
    restockAt: row.restockAt,
  };
}

const ADD = `UPDATE incoming SET quantity = incoming.quantity + inventory.quantity FROM inventory
WHERE inventory.pet_id = incoming.pet_id`;

const WRONG = `SELECT CAST(pet_id AS text) AS "petId", coalesce(inventory.quantity, 0) AS "found",
incoming.quantity - coalesce(inventory.quantity, 0) AS "added", count(*) OVER () AS total
FROM incoming LEFT JOIN inventory USING (pet_id) WHERE incoming.quantity < 0
OR incoming.quantity > $1 AND incoming.quantity > coalesce(inventory.quantity, 0) ORDER BY incoming.pet_id LIMIT 20`;

interface WrongRow {
  readonly petId: string;
  readonly found: number;
  readonly added: number;
  readonly total: number;
}

/**
 * Adds what the pets have to the rows of a file that an import copied. The ledger is locked.
 * @throws OperatorError for sums below 0 or above `maxQuantity`.
 */
export async function addQuantities(client: LockingClient, maxQuantity: number): Promise<void> {
  await client.run(ADD);
  const wrong = await client.all<WrongRow>(WRONG, [maxQuantity]);
  if (wrong.length === 0) return;
  const sums = wrong.map(({ petId, found, added }) => ({ petId: BigInt(petId), found, added }));
  throw wrongSums(sums, wrong[0]?.total ?? 0, maxQuantity);
}
