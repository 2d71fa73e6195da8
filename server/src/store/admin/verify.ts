import type { AuditReport, ChainPoint } from '../../domain/ledger-store.ts';
import { auditLedger } from '../audit/audit.ts';
import type { AdminEngine } from './admin-engine.ts';

/**
 * Checks the storage, and recomputes every hash and every balance of the ledger. The caller's transaction must see one
 * moment.
 */
export async function verifyDatabase(
  engine: AdminEngine,
  expected?: readonly ChainPoint[],
): Promise<AuditReport> {
  const storageFaults = await engine.storageFaults();
  const report = await auditLedger(engine, expected);
  return { ...report, faults: [...new Set([...storageFaults, ...report.faults])] };
}
