import type { DatabaseSync } from 'node:sqlite';
import { MAX_INT64, MIN_INT64 } from '@petstore-inventory/shared/pet-id';
import type { LedgerHead } from '../../domain/ledger/ledger.ts';
import { nextStep } from '../../process/turn.ts';
import { unreadable } from '../errors.ts';
import { LedgerReader, type LedgerSource, type LedgerStatementName } from '../history/ledger-reader.ts';
import { HISTORY } from '../history/movement-sql.ts';
import { SUMS, stockQueries } from '../history/snapshot-sql.ts';
import { added, type KnownTotals, noStock, type SumRow } from '../history/stock-totals.ts';
import { readPrunesAfter } from '../ledger/prune-rows.ts';
import type { Parameter } from '../sql-client.ts';
import { SqliteAuditSource } from './audit-source.ts';
import { openReader } from './open.ts';
import { prepare } from './statements.ts';

/** Pets per step: two or three milliseconds. */
const PETS_PER_STEP = 10_000;

const STEP = `SELECT status, ${SUMS}, CAST(max(pet_id) AS text) AS lastPetId
FROM (SELECT pet_id, status, quantity, reserved FROM inventory WHERE pet_id >= $first ORDER BY pet_id LIMIT ${PETS_PER_STEP})
GROUP BY status`;

interface StepRow extends SumRow {
  readonly lastPetId: string;
}

/**
 * Reads the ledger of a file, and sees every commit.
 * @param database A connection without a transaction of another caller during a call.
 * @param requireSound Called before each read; throws while the database must not be read.
 * @param onFailure Called when a read fails; throws what callers expect.
 */
export function sqliteLedger(
  database: DatabaseSync,
  requireSound: () => void = () => undefined,
  onFailure: (cause: unknown) => never = unreadable,
): LedgerReader {
  const statements = prepare<LedgerStatementName>(database, {
    ...HISTORY,
    ...stockQueries('pet_id IN (SELECT CAST(value AS INTEGER) FROM json_each($1))'),
  });
  const file = database.location() as string;
  const prunes = new SqliteAuditSource(database);
  const read: LedgerSource['read'] = <Row>(name: LedgerStatementName, values: readonly unknown[]) => {
    requireSound();
    try {
      const bound = values.map((value) => (Array.isArray(value) ? JSON.stringify(value) : value));
      return statements[name].all(...(bound as Parameter[])) as unknown as Row[];
    } catch (cause) {
      return onFailure(cause);
    }
  };
  return new LedgerReader({
    read,
    readTotals: () => readTotals(file).catch(onFailure),
    prunesAfter: async (sequence) => {
      requireSound();
      return readPrunesAfter(prunes, sequence).catch(onFailure);
    },
  });
}

/**
 * Sums all stock in steps, with other requests in between. A connection of its own sees one moment of the database;
 * those of the service continue to see each commit.
 */
async function readTotals(file: string): Promise<KnownTotals> {
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
