import type pg from 'pg';
import type { PruneResult } from '../../domain/store.ts';
import { DELETE_PORTION, pruneLedger, SET_START } from '../prune-ledger.ts';
import { inTransaction } from './admin-client.ts';
import { clientAuditSource } from './audit-source.ts';
import { LOCK } from './statements.ts';

/** Forgets the movements recorded before a moment, as `AdminStore.pruneMovements` says. */
export function pruneMovements(client: pg.Client, beforeMs: number): Promise<PruneResult> {
  const setStart = (sequence: number) =>
    inTransaction(client, async () => {
      await client.query(LOCK.ledger);
      await client.query(SET_START, [sequence]);
    });
  // No writer waits for a row that is deleted: it is no pet's newest movement any more.
  const deletePortion = async (after: number, upTo: number) =>
    (await client.query(DELETE_PORTION, [after, upTo])).rowCount ?? 0;
  return pruneLedger({ read: clientAuditSource(client).read, setStart, deletePortion }, beforeMs);
}
