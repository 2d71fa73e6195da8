import { MAX_INT64, MIN_INT64 } from '../../domain/inventory.ts';
import type { LedgerHead } from '../../domain/ledger/ledger.ts';
import { nextStep } from '../../domain/turn.ts';
import { HISTORY } from '../history/movement-sql.ts';
import { SUMS } from '../history/snapshot-sql.ts';
import { added, type KnownTotals, noStock, type SumRow } from '../history/stock-totals.ts';
import { openReader } from './open.ts';

/** Pets per step: two or three milliseconds. */
const PETS_PER_STEP = 10_000;

const STEP = `SELECT status, ${SUMS}, CAST(max(pet_id) AS text) AS lastPetId
FROM (SELECT pet_id, status, quantity, reserved FROM inventory WHERE pet_id >= $first ORDER BY pet_id LIMIT ${PETS_PER_STEP})
GROUP BY status`;

interface StepRow extends SumRow {
  readonly lastPetId: string;
}

/**
 * Sums all stock in steps, with other requests in between. A connection of its own sees one moment of the database;
 * those of the service continue to see each commit.
 */
export async function readWholeTotals(file: string): Promise<KnownTotals> {
  const database = openReader(file);
  try {
    database.exec('BEGIN');
    const head = database.prepare(HISTORY.ledgerHead).get() as unknown as LedgerHead;
    const step = database.prepare(STEP);
    let totals = noStock();
    let last = MIN_INT64 - 1n;
    while (last < MAX_INT64) {
      const rows = step.all({ first: last + 1n }) as unknown as StepRow[];
      if (rows.length === 0) break;
      totals = added(totals, rows);
      for (const { lastPetId } of rows) if (BigInt(lastPetId) > last) last = BigInt(lastPetId);
      await nextStep();
    }
    return { head, totals };
  } finally {
    database.close();
  }
}
