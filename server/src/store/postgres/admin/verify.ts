import type pg from 'pg';
import type { AuditReport, ChainPoint } from '../../../domain/ledger-store.ts';
import { auditLedger } from '../../audit/audit.ts';
import { cappedFaults, faultStatement } from '../../audit/audit-findings.ts';
import { clientAuditSource } from '../audit-source.ts';

/**
 * What SQLite refuses, and its own check finds, is a fault to look for where no constraint forbids it. With `NOT IN`
 * PostgreSQL reads all pets again for each one, as soon as they do not fit its `work_mem`.
 */
export const UNKNOWN_PET = `SELECT 'Pet ' || pet_id || ' has stock, but is not among the pets.' AS fault
FROM inventory WHERE NOT EXISTS (SELECT FROM pets WHERE pets.pet_id = inventory.pet_id) ORDER BY pet_id`;

/**
 * Recomputes every hash and every balance of the ledger. The caller's transaction sees one moment. That pages are whole
 * is PostgreSQL's own matter (data checksums, amcheck).
 */
export async function verifyDatabase(
  client: pg.Client,
  expected?: readonly ChainPoint[],
): Promise<AuditReport> {
  const { rows } = await client.query<{ fault: string }>(faultStatement(UNKNOWN_PET));
  const report = await auditLedger(clientAuditSource(client), expected);
  return { ...report, faults: [...cappedFaults(rows.map(({ fault }) => fault)), ...report.faults] };
}
