import type { ReportProgress } from '@petstore-inventory/shared/report-progress';
import type { FaultKind } from '@petstore-inventory/shared/words';
import type { AuditReport, ChainPoint } from '../../domain/ledger-store.ts';
import { auditLedger } from '../audit/audit.ts';
import { cappedFaults, faultStatement, findingsOf, MAX_FAULTS_PER_KIND } from '../audit/audit-findings.ts';
import type { AuditSource } from '../audit/audit-rows.ts';
import { ORDER_FAULTS } from '../orders/order-faults.ts';
import { findSearchFaults } from '../pets/verify-words.ts';
import { findRevertFaults } from '../reorders/open-reverts.ts';
import { STOCKTAKE_FAULTS } from '../stocktakes/stocktake-faults.ts';
import type { AdminEngine } from './admin-engine.ts';

/**
 * Checks the storage, recomputes every hash and every balance of the ledger, and compares reservations with orders, and
 * the search indexes with the pets. The caller's transaction must see one moment.
 */
export async function verifyDatabase(
  engine: AdminEngine,
  expected?: readonly ChainPoint[],
  progress?: ReportProgress,
): Promise<AuditReport> {
  const storage = (await engine.storageFaults()).map((fault) => ['damage', fault] as const);
  const source = storage.length === 0 ? engine : damagedSource(engine);
  const report = await auditLedger(source, expected, progress);
  // Damage may be found more than once.
  const known = new Set(report.faults);
  const others = new Map(
    [...storage, ...(await findFurtherFaults(engine, (error) => source.damageOf(error)))].map(
      ([kind, fault]) => [fault, kind],
    ),
  );
  const added = [...others].filter(([fault]) => !known.has(fault));
  const counts = report.findings.map(({ code, count }) => [code, count] as const);
  return {
    ...report,
    faults: [
      ...new Set([...storage.map(([, fault]) => fault), ...report.faults, ...added.map(([fault]) => fault)]),
    ],
    findings: findingsOf([...counts, ...added.map(([, kind]) => [kind, 1] as const)]),
  };
}

/** For storage with faults: rows lack values that each valid row has, and code that uses them throws errors of the language. */
function damagedSource(engine: AdminEngine): AuditSource {
  return {
    read: (statement, values) => engine.read(statement, values),
    damageOf: (error) =>
      error instanceof TypeError || error instanceof SyntaxError
        ? `The database is damaged and cannot be read on: ${error.message}.`
        : engine.damageOf(error),
  };
}

/** Faults of orders and of the search indexes, with their kinds. */
async function findFurtherFaults(
  engine: AdminEngine,
  damageOf: AuditSource['damageOf'],
): Promise<readonly (readonly [FaultKind, string])[]> {
  const faults: (readonly [FaultKind, string])[] = [];
  const add = (kind: FaultKind, sentences: readonly string[]) => {
    faults.push(...cappedFaults(sentences).map((sentence) => [kind, sentence] as const));
  };
  try {
    for (const sql of ORDER_FAULTS) {
      const rows = await engine.all<{ fault: string }>(faultStatement(sql));
      add(
        'orders',
        rows.map(({ fault }) => fault),
      );
    }
    const counts = await engine.all<{ fault: string }>(faultStatement(STOCKTAKE_FAULTS));
    add(
      'history',
      counts.map(({ fault }) => fault),
    );
    add('orders', await findRevertFaults(engine, MAX_FAULTS_PER_KIND + 1));
    add('search', await findSearchFaults(engine, MAX_FAULTS_PER_KIND + 1));
  } catch (error) {
    const damage = damageOf(error);
    if (damage === undefined) throw error;
    add('damage', [damage]);
  }
  return faults;
}
