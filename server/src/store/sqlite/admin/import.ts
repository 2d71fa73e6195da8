import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ImportResult, PetRow } from '../../../domain/store.ts';
import { ImportedMovements, type ImportedStock } from '../../ledger/import-movements.ts';
import { type ChainHeadRow, toChainHead } from '../../ledger/ledger-bounds.ts';
import { movementValues } from '../../ledger/movement-columns.ts';
import { WRITE } from '../statements.ts';
import { inWriteTransaction } from '../transaction.ts';

/** Memory for the rows; more go to a temporary file. */
const TEMPORARY_CACHE_KIB = 131_072;

const INCOMING = `DROP TABLE IF EXISTS temp.incoming;
CREATE TEMP TABLE incoming (
  pet_id INTEGER PRIMARY KEY,
  name TEXT,
  category TEXT,
  quantity INTEGER NOT NULL,
  status TEXT
) STRICT`;

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

/** The pets that the file changes, with their present and their new stock. */
const CHANGED_STOCK = `SELECT pet_id AS petId, incoming.quantity, coalesce(incoming.status, stock.status, 'available') AS status,
stock.quantity AS quantityBefore, stock.status AS statusBefore, version, last_sequence AS lastSequence
FROM incoming LEFT JOIN inventory AS stock USING (pet_id) LEFT JOIN pets USING (pet_id)
WHERE stock.quantity IS NOT incoming.quantity OR stock.status IS NOT coalesce(incoming.status, stock.status)
OR pets.name IS NOT coalesce(incoming.name, pets.name) OR pets.category IS NOT coalesce(incoming.category, pets.category)
ORDER BY pet_id`;

/** Copies the stock from the new movements, so the two cannot differ. */
const SET_STOCK = `INSERT INTO inventory (pet_id, quantity, status, version, last_sequence, updated_at)
SELECT pet_id, quantity_after, status_after, version, sequence, recorded_at
FROM movements WHERE sequence > $newest ORDER BY sequence
ON CONFLICT (pet_id) DO UPDATE SET quantity = excluded.quantity, status = excluded.status,
version = excluded.version, last_sequence = excluded.last_sequence, updated_at = excluded.updated_at`;

/**
 * Creates and updates all pets of a file, or none. The rows are first copied to a temporary table, which needs no
 * lock. The write lock is then held while the movements are made and for a few whole-table statements: 6 to 14 s for
 * a million pets that change, which is less than a running service waits.
 */
export function importPets(
  database: DatabaseSync,
  rows: Iterable<PetRow>,
  { actor, clock }: { actor: string; clock: () => number },
): ImportResult {
  const rowCount = copyRows(database, rows);
  try {
    return inWriteTransaction(database, () => {
      const head = toChainHead(database.prepare(WRITE.chainHead).get() as ChainHeadRow | undefined);
      const { moved, created } = recordMovements(
        database,
        new ImportedMovements(head, { actor, atMs: clock() }),
      );
      database.exec(UPDATE_PETS);
      prepareWide(database, SET_STOCK).run({ newest: head.sequence });
      return { created, changed: moved - created, unchanged: rowCount - moved };
    });
  } finally {
    database.exec('DROP TABLE temp.incoming');
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
    const { quantity, quantityBefore, version, lastSequence } = row;
    const movement = movements.next({
      ...row,
      quantity: Number(quantity),
      quantityBefore: quantityBefore === null ? null : Number(quantityBefore),
      version: version === null ? null : Number(version),
      lastSequence: lastSequence === null ? null : Number(lastSequence),
    });
    record.run(...movementValues(movement));
    moved += 1;
    if (lastSequence === null) created += 1;
  }
  return { moved, created };
}

function copyRows(database: DatabaseSync, rows: Iterable<PetRow>): number {
  database.exec(`PRAGMA temp.cache_size = -${TEMPORARY_CACHE_KIB}`);
  database.exec(INCOMING);
  const insert = prepareWide(database, 'INSERT INTO incoming VALUES (?, ?, ?, ?, ?)');
  let rowCount = 0;
  // One transaction for all rows. It is a deferred one, so it locks nothing but the temporary table.
  database.exec('BEGIN');
  try {
    for (const { petId, name, category, quantity, status } of rows) {
      insert.run(petId, name, category, quantity, status);
      rowCount += 1;
    }
    database.exec('COMMIT');
    return rowCount;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

/** Integers as bigints: a petId does not fit a number, nor does the rowid that `run` reports. */
function prepareWide(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
}
