import type { DatabaseSync } from 'node:sqlite';
import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import { NO_THRESHOLDS } from '@petstore-inventory/shared/thresholds';
import type { ImportResult } from '../../../domain/admin-store.ts';
import type { ImportSource, ImportTransaction } from '../../imports/import-engine.ts';
import { ImportedMovements, type ImportedStock } from '../../ledger/import-movements.ts';
import { type ChainHeadRow, toChainHead } from '../../ledger/ledger-bounds.ts';
import { movementValues } from '../../ledger/movement-columns.ts';
import { type ShopThresholdsRow, toThresholds } from '../../ledger/shop-thresholds.ts';
import { WRITE } from '../statements.ts';
import { inAsyncWriteTransaction } from '../transaction.ts';
import { ImportedWords } from './import-words.ts';
import { prepareWide, RowInserter } from './row-inserter.ts';

/** Memory for the rows; more go to a temporary file. */
const TEMPORARY_CACHE_KIB = 131_072;

const INCOMING = `DROP TABLE IF EXISTS temp.incoming;
CREATE TEMP TABLE incoming (
  pet_id INTEGER PRIMARY KEY,
  name TEXT,
  category TEXT,
  quantity INTEGER NOT NULL,
  status TEXT,
  has_thresholds INTEGER NOT NULL,
  low_stock_at INTEGER,
  restock_at INTEGER
) STRICT`;

const COPY_PLANNED = `INSERT INTO incoming
SELECT pet_id, name, category, quantity, status, has_thresholds, low_stock_at, restock_at FROM import_rows
WHERE import_id = ? ORDER BY pet_id`;

const UPDATE_PETS = `INSERT INTO pets (pet_id, name, category)
SELECT pet_id, name, category FROM incoming WHERE true ORDER BY pet_id
ON CONFLICT (pet_id) DO UPDATE SET name = coalesce(excluded.name, name), category = coalesce(excluded.category, category)
WHERE name IS NOT coalesce(excluded.name, name) OR category IS NOT coalesce(excluded.category, category)`;

/** A row of `CHANGED_STOCK`, with integers as bigints. */
type ChangedStockRow = {
  readonly [Name in keyof ImportedStock]: number extends ImportedStock[Name]
    ? bigint | Extract<ImportedStock[Name], null>
    : ImportedStock[Name];
};

/** The thresholds after the import. */
const LOW_STOCK_AT = 'CASE WHEN has_thresholds THEN incoming.low_stock_at ELSE stock.low_stock_at END';
const RESTOCK_AT = 'CASE WHEN has_thresholds THEN incoming.restock_at ELSE stock.restock_at END';

/** The pets that the file changes, with their present and their new stock. */
const CHANGED_STOCK = `SELECT pet_id AS petId, incoming.quantity, coalesce(incoming.status, stock.status, 'available') AS status,
stock.quantity AS quantityBefore, stock.status AS statusBefore, version, last_sequence AS lastSequence, reserved, alert_level AS alertBefore,
${LOW_STOCK_AT} AS lowStockAt, ${RESTOCK_AT} AS restockAt
FROM incoming LEFT JOIN inventory AS stock USING (pet_id) LEFT JOIN pets USING (pet_id)
WHERE stock.quantity IS NOT incoming.quantity OR stock.status IS NOT coalesce(incoming.status, stock.status)
OR pets.name IS NOT coalesce(incoming.name, pets.name) OR pets.category IS NOT coalesce(incoming.category, pets.category)
OR stock.low_stock_at IS NOT ${LOW_STOCK_AT} OR stock.restock_at IS NOT ${RESTOCK_AT}
ORDER BY pet_id`;

/** Copies the stock from the new movements, so the two cannot differ. */
const SET_STOCK = `INSERT INTO inventory (pet_id, quantity, status, version, last_sequence, updated_at, reserved, alert_level,
low_stock_at, restock_at, created_at)
SELECT pet_id, quantity_after, status_after, version, sequence, recorded_at, reserved_after, alert_after,
incoming.low_stock_at, incoming.restock_at, recorded_at
FROM movements JOIN incoming USING (pet_id) WHERE sequence > $newest ORDER BY sequence
ON CONFLICT (pet_id) DO UPDATE SET quantity = excluded.quantity, status = excluded.status, version = excluded.version,
last_sequence = excluded.last_sequence, updated_at = excluded.updated_at, alert_level = excluded.alert_level`;

const SET_THRESHOLDS = `UPDATE inventory SET low_stock_at = incoming.low_stock_at, restock_at = incoming.restock_at
FROM incoming WHERE incoming.pet_id = inventory.pet_id AND has_thresholds
AND (inventory.low_stock_at IS NOT incoming.low_stock_at OR inventory.restock_at IS NOT incoming.restock_at)`;

/** Hidden stock is lost stock. */
const RESTORE = `UPDATE pets SET archived_at = NULL WHERE archived_at IS NOT NULL
AND pet_id IN (SELECT pet_id FROM incoming JOIN inventory USING (pet_id) WHERE inventory.quantity > 0)`;

/**
 * Creates and updates all pets of a file, or none. The rows are first copied to a temporary table, which needs no
 * lock. The write lock is then held while the movements are made and for a few whole-table statements: 6 to 14 s for
 * a million pets that change, which is less than a running service waits.
 */
export async function importPets(
  database: DatabaseSync,
  source: ImportSource,
  { actor, requestId, clock }: { actor: string; requestId: string | null; clock: () => number },
  within?: ImportTransaction,
): Promise<ImportResult> {
  const words = new ImportedWords(database);
  try {
    const rowCount = copyRows(database, source, words);
    return await inAsyncWriteTransaction(database, async () => {
      await within?.begin();
      const head = toChainHead(database.prepare(WRITE.chainHead).get() as ChainHeadRow | undefined);
      const thresholds = toThresholds(
        database.prepare(WRITE.shopThresholds).get() as ShopThresholdsRow | undefined,
      );
      words.apply();
      const { moved, created } = recordMovements(
        database,
        new ImportedMovements(head, thresholds, { actor, requestId, atMs: clock() }),
      );
      database.exec(UPDATE_PETS);
      prepareWide(database, SET_STOCK).run({ newest: head.sequence });
      database.exec(SET_THRESHOLDS);
      database.exec(RESTORE);
      const result = { created, changed: moved - created, unchanged: rowCount - moved };
      await within?.end?.(result);
      return result;
    });
  } finally {
    database.exec('DROP TABLE IF EXISTS temp.incoming');
    words.drop();
  }
}

/** Returns the number of movements, and how many of them are of new pets. */
function recordMovements(
  database: DatabaseSync,
  movements: ImportedMovements,
): { moved: number; created: number } {
  const changedStock = prepareWide(database, CHANGED_STOCK);
  const record = prepareWide(database, WRITE.recordMovement);
  let [moved, created] = [0, 0];
  for (const row of changedStock.iterate() as Iterable<unknown> as Iterable<ChangedStockRow>) {
    const { quantity, quantityBefore, version, lastSequence, reserved, lowStockAt, restockAt } = row;
    const movement = movements.next({
      ...row,
      quantity: Number(quantity),
      quantityBefore: numberOrNull(quantityBefore),
      version: numberOrNull(version),
      lastSequence: numberOrNull(lastSequence),
      reserved: numberOrNull(reserved),
      lowStockAt: numberOrNull(lowStockAt),
      restockAt: numberOrNull(restockAt),
    });
    record.run(...movementValues(movement));
    moved += 1;
    if (lastSequence === null) created += 1;
  }
  return { moved, created };
}

function numberOrNull(value: bigint | null): number | null {
  return value === null ? null : Number(value);
}

/** Copies the rows and splits their texts. Returns the number of rows. */
function copyRows(database: DatabaseSync, source: ImportSource, words: ImportedWords): number {
  database.exec(`PRAGMA temp.cache_size = -${TEMPORARY_CACHE_KIB}`);
  database.exec(INCOMING);
  // One transaction for all rows. It is a deferred one, so it locks nothing but the temporary tables.
  database.exec('BEGIN');
  try {
    const rowCount =
      'importId' in source
        ? Number(prepareWide(database, COPY_PLANNED).run(source.importId).changes)
        : copyGivenRows(database, source);
    words.prepare();
    database.exec('COMMIT');
    return rowCount;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

function copyGivenRows(database: DatabaseSync, rows: Iterable<PetRow>): number {
  const inserter = new RowInserter(database, 'incoming', 8);
  let rowCount = 0;
  for (const { petId, name, category, quantity, status, thresholds } of rows) {
    const { lowStockAt, restockAt } = thresholds ?? NO_THRESHOLDS;
    inserter.add(petId, name, category, quantity, status, thresholds ? 1 : 0, lowStockAt, restockAt);
    rowCount += 1;
  }
  inserter.end();
  return rowCount;
}
