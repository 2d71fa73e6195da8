import type { DatabaseSync } from 'node:sqlite';
import type { VerifyReport } from '../../domain/store.ts';
import { inReadTransaction } from './transaction.ts';

/** A damaged database can have a fault in every row; the first ones of each sort are enough to act on. */
const MOST_FAULTS_OF_A_SORT = 100;

/**
 * Each finds one sort of fault and writes it as a sentence. Identifiers are made text by SQLite, which keeps
 * int64 exact.
 */
const FAULTS = {
  damage: `SELECT 'The database file is damaged: ' || integrity_check || '.' AS fault
FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,

  lostReference: `SELECT 'Row ' || coalesce(rowid, '(without id)') || ' of ' || "table" || ' refers to a row of ' || parent
|| ' that is not there.' AS fault FROM pragma_foreign_key_check`,

  gap: `SELECT 'The ledger has no movement ' || (before + 1)
|| CASE WHEN sequence > before + 2 THEN ' to ' || (sequence - 1) ELSE '' END || '.' AS fault
FROM (SELECT sequence, lag(sequence, 1, 0) OVER (ORDER BY sequence) AS before FROM movements)
WHERE sequence > before + 1`,

  wrongStart: `SELECT 'Movement ' || sequence || ' stands before the ledger begins at 1.' AS fault
FROM movements WHERE sequence < 1`,

  brokenHistory: `SELECT 'Movement ' || sequence || ' of pet ' || pet_id || ' '
|| CASE
  WHEN previous_sequence IS NOT last_sequence THEN 'names movement ' || coalesce(previous_sequence, 'none')
    || ' as the pet''s previous one, which is ' || coalesce(last_sequence, 'none')
  WHEN quantity_before IS NOT last_quantity THEN 'begins at quantity ' || quantity_before
    || ', but the pet stood at ' || last_quantity
  ELSE 'begins at status ' || coalesce(status_before, 'none') || ', but the pet stood at ' || coalesce(last_status, 'none')
END || '.' AS fault
FROM (
  SELECT sequence, pet_id, previous_sequence, quantity_before, status_before,
  lag(sequence) OVER history AS last_sequence,
  lag(quantity_after, 1, 0) OVER history AS last_quantity,
  lag(status_after) OVER history AS last_status
  FROM movements WINDOW history AS (PARTITION BY pet_id ORDER BY sequence)
)
WHERE previous_sequence IS NOT last_sequence OR quantity_before IS NOT last_quantity OR status_before IS NOT last_status
ORDER BY sequence`,

  /** Beside max(), SQLite takes the other columns from the row that has the maximum. */
  wrongBalance: `SELECT 'Pet ' || newest.pet_id || ' '
|| CASE
  WHEN inventory.pet_id IS NULL THEN 'has movements, but no stock'
  WHEN quantity <> quantity_after THEN 'has quantity ' || quantity || ', but the ledger says ' || quantity_after
  WHEN status <> status_after THEN 'has status ' || status || ', but the ledger says ' || status_after
  ELSE 'names movement ' || last_sequence || ' as its newest, which is ' || newest.sequence
END || '.' AS fault
FROM (SELECT pet_id, max(sequence) AS sequence, quantity_after, status_after FROM movements GROUP BY pet_id) AS newest
LEFT JOIN inventory ON inventory.pet_id = newest.pet_id
WHERE quantity IS NOT quantity_after OR status IS NOT status_after OR last_sequence IS NOT newest.sequence`,

  unexplainedStock: `SELECT 'Pet ' || pet_id || ' has stock, but no movement.' AS fault
FROM inventory WHERE pet_id NOT IN (SELECT pet_id FROM movements)`,
} as const;

const SIZES = `SELECT (SELECT count(*) FROM inventory) AS pets, (SELECT count(*) FROM movements) AS movements`;

/** Checks the file itself, and recomputes every balance from the ledger, all at one moment. */
export function verifyDatabase(database: DatabaseSync): VerifyReport {
  return inReadTransaction(database, () => {
    try {
      const faults = Object.values(FAULTS).flatMap((sql) => findFaults(database, sql));
      const { pets, movements } = database.prepare(SIZES).get() as { pets: number; movements: number };
      return { pets, movements, faults };
    } catch (error) {
      // SQLite gives up where a page makes no sense at all.
      const fault = `The database file is damaged and cannot be read on: ${(error as Error).message}.`;
      return { pets: 0, movements: 0, faults: [fault] };
    }
  });
}

function findFaults(database: DatabaseSync, sql: string): string[] {
  const rows = database.prepare(`${sql} LIMIT ${MOST_FAULTS_OF_A_SORT + 1}`).all();
  const faults = rows.map(({ fault }) => String(fault));
  if (faults.length > MOST_FAULTS_OF_A_SORT) faults.splice(-1, 1, '… and more faults of this sort.');
  return faults;
}
