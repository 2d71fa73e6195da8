import type { DatabaseSync } from 'node:sqlite';
import type { VerifyReport } from '../../domain/store.ts';
import { faultStatements, SIZES, toldFaults } from '../ledger-faults.ts';
import { inReadTransaction } from './transaction.ts';

/** What can be wrong with the file itself. */
const FILE_FAULTS = {
  damage: `SELECT 'The database file is damaged: ' || integrity_check || '.' AS fault
FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,

  lostReference: `SELECT 'Row ' || coalesce(rowid, '(without id)') || ' of ' || "table" || ' refers to a row of ' || parent
|| ' that is not there.' AS fault FROM pragma_foreign_key_check`,
} as const;

/** Checks the file itself, and recomputes every balance from the ledger, all at one moment. */
export function verifyDatabase(database: DatabaseSync): VerifyReport {
  return inReadTransaction(database, () => {
    try {
      const faults = faultStatements(FILE_FAULTS).flatMap((sql) => toldFaults(database.prepare(sql).all()));
      const { pets, movements } = database.prepare(SIZES).get() as { pets: number; movements: number };
      return { pets, movements, faults };
    } catch (error) {
      // SQLite gives up where a page makes no sense at all.
      const fault = `The database file is damaged and cannot be read on: ${(error as Error).message}.`;
      return { pets: 0, movements: 0, faults: [fault] };
    }
  });
}
