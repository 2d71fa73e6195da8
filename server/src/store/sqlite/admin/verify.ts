import type { DatabaseSync } from 'node:sqlite';
import type { AuditReport, ChainPoint } from '../../../domain/ledger-store.ts';
import { auditLedger } from '../../audit/audit.ts';
import { cappedFaults, faultStatement } from '../../audit/audit-findings.ts';
import { fileDamage, SqliteAuditSource } from '../audit-source.ts';

/** What can be wrong with the file itself. */
const FILE_FAULTS = {
  damage: `SELECT 'The database file is damaged: ' || integrity_check || '.' AS fault
FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,

  lostReference: `SELECT 'Row ' || coalesce(rowid, '(without id)') || ' of ' || "table" || ' refers to a row of ' || parent
|| ' that is not there.' AS fault FROM pragma_foreign_key_check`,
} as const;

/** Checks the file itself, and recomputes every hash and every balance of the ledger, all at one moment. */
export async function verifyDatabase(
  database: DatabaseSync,
  expected?: readonly ChainPoint[],
): Promise<AuditReport> {
  database.exec('BEGIN');
  try {
    const fileFaults = Object.values(FILE_FAULTS).flatMap((sql) => findFaults(database, sql));
    const report = await auditLedger(new SqliteAuditSource(database), expected);
    return { ...report, faults: [...new Set([...fileFaults, ...report.faults])] };
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK');
  }
}

function findFaults(database: DatabaseSync, sql: string): string[] {
  try {
    const rows = database.prepare(faultStatement(sql)).all();
    return cappedFaults(rows.map(({ fault }) => String(fault)));
  } catch (error) {
    const damage = fileDamage(error);
    if (damage === undefined) throw error;
    // SQLite gives up where a page makes no sense at all.
    return [damage];
  }
}
