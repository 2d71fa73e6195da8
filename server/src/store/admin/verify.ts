import type { ReportProgress } from '@petstore-inventory/shared/report-progress';
import type { AuditReport, ChainPoint } from '../../domain/ledger-store.ts';
import { auditLedger } from '../audit/audit.ts';
import { cappedFaults, faultStatement, MAX_FAULTS_PER_KIND } from '../audit/audit-findings.ts';
import { ORDER_FAULTS } from '../orders/order-faults.ts';
import { findWordFaults } from '../pets/verify-words.ts';
import type { AdminEngine } from './admin-engine.ts';

/**
 * Checks the storage, recomputes every hash and every balance of the ledger, and compares reservations with orders, and
 * the search index with the pets. The caller's transaction must see one moment.
 */
export async function verifyDatabase(
  engine: AdminEngine,
  expected?: readonly ChainPoint[],
  progress?: ReportProgress,
): Promise<AuditReport> {
  const storageFaults = await engine.storageFaults();
  const report = await auditLedger(engine, expected, progress);
  const furtherFaults = await findFurtherFaults(engine);
  return { ...report, faults: [...new Set([...storageFaults, ...report.faults, ...furtherFaults])] };
}

async function findFurtherFaults(engine: AdminEngine): Promise<string[]> {
  const faults: string[] = [];
  try {
    for (const sql of ORDER_FAULTS) {
      const rows = await engine.all<{ fault: string }>(faultStatement(sql));
      faults.push(...cappedFaults(rows.map(({ fault }) => fault)));
    }
    faults.push(...cappedFaults(await findWordFaults(engine, MAX_FAULTS_PER_KIND + 1)));
  } catch (error) {
    const damage = engine.damageOf(error);
    if (damage === undefined) throw error;
    faults.push(damage);
  }
  return faults;
}
