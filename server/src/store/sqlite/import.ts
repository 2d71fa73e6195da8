import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ImportResult, PetRow } from '../../domain/store.ts';
import { inWriteTransaction } from './transaction.ts';

/** Room for the rows in memory, in any order; what is beyond goes to a temporary file. */
const TEMPORARY_CACHE_KIB = 131_072;

const INCOMING = `DROP TABLE IF EXISTS temp.incoming;
CREATE TEMP TABLE incoming (
  pet_id INTEGER PRIMARY KEY,
  name TEXT,
  category TEXT,
  quantity INTEGER NOT NULL,
  status TEXT
) STRICT`;

const DESCRIBE_PETS = `INSERT INTO pets (pet_id, name, category)
SELECT pet_id, name, category FROM incoming WHERE true ORDER BY pet_id
ON CONFLICT (pet_id) DO UPDATE SET name = coalesce(excluded.name, name), category = coalesce(excluded.category, category)
WHERE name IS NOT coalesce(excluded.name, name) OR category IS NOT coalesce(excluded.category, category)`;

const RECORD_MOVEMENTS = `INSERT INTO movements (sequence, previous_sequence, pet_id, kind,
quantity_before, quantity_after, status_before, status_after, actor, recorded_at)
SELECT $newest + row_number() OVER (ORDER BY pet_id), last_sequence, pet_id, 'import',
coalesce(stock.quantity, 0), incoming.quantity, stock.status, coalesce(incoming.status, stock.status, 'available'), $actor, $atMs
FROM incoming LEFT JOIN inventory AS stock USING (pet_id)
WHERE stock.quantity IS NOT incoming.quantity OR stock.status IS NOT coalesce(incoming.status, stock.status)`;

/** Stock becomes what the ledger now says, so the two cannot differ. */
const SET_STOCK = `INSERT INTO inventory (pet_id, quantity, status, version, last_sequence, updated_at)
SELECT pet_id, quantity_after, status_after, 1, sequence, recorded_at
FROM movements WHERE sequence > $newest ORDER BY sequence
ON CONFLICT (pet_id) DO UPDATE SET quantity = excluded.quantity, status = excluded.status,
version = version + 1, last_sequence = excluded.last_sequence, updated_at = excluded.updated_at`;

const COUNT_NEW = `SELECT count(*) AS created FROM movements
WHERE sequence > $newest AND previous_sequence IS NULL`;

/**
 * Creates and updates all pets of a file, or none. The rows are laid ready in a temporary table first, which
 * needs no lock; the write lock is then held for a few whole-table statements, so that a running service waits
 * less than its busy timeout even for a million pets.
 */
export function importPets(
  database: DatabaseSync,
  rows: Iterable<PetRow>,
  { actor, atMs }: { actor: string; atMs: number },
): ImportResult {
  const rowCount = layReady(database, rows);
  try {
    return inWriteTransaction(database, () => {
      const { newest } = database
        .prepare('SELECT coalesce(max(sequence), 0) AS newest FROM movements')
        .get() as { newest: number };
      database.exec(DESCRIBE_PETS);
      const moved = Number(prepareInsert(database, RECORD_MOVEMENTS).run({ newest, actor, atMs }).changes);
      prepareInsert(database, SET_STOCK).run({ newest });
      const { created } = database.prepare(COUNT_NEW).get({ newest }) as { created: number };
      return { created, changed: moved - created, unchanged: rowCount - moved };
    });
  } finally {
    database.exec('DROP TABLE temp.incoming');
  }
}

function layReady(database: DatabaseSync, rows: Iterable<PetRow>): number {
  database.exec(`PRAGMA temp.cache_size = -${TEMPORARY_CACHE_KIB}`);
  database.exec(INCOMING);
  const insert = prepareInsert(database, 'INSERT INTO incoming VALUES (?, ?, ?, ?, ?)');
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

/** `run` reports the rowid it inserted, here a petId, and fails where that does not fit a number. */
function prepareInsert(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
}
