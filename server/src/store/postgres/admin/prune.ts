import type pg from 'pg';
import { FIRST_HASH } from '../../../domain/ledger.ts';
import type { Prune } from '../../../domain/prunes.ts';
import type { PruneResult } from '../../../domain/store.ts';
import { NEWEST_DONE, pruneColumns, RECORD_PRUNE } from '../../ledger/prune-rows.ts';
import { type PrunableLedger, type PrunePlan, placePrune, pruneLedger } from '../../prune/prune.ts';
import { BEGIN_LEDGER, NOTE_DELETION, type Portion } from '../../prune/prune-portions.ts';
import { clientAuditSource } from '../audit-source.ts';
import { readClock } from '../database-clock.ts';
import { readChainHead } from '../load-batch.ts';
import { LOCK } from '../statements.ts';
import { inTransaction } from './client.ts';

const DELETE_MOVEMENTS = 'DELETE FROM movements WHERE sequence = ANY ($1::bigint[])';

/** Forgets the movements recorded before a moment, as `AdminStore.pruneMovements` says. */
export function pruneMovements(client: pg.Client, beforeMs: number): Promise<PruneResult> {
  const ledger: PrunableLedger = {
    read: clientAuditSource(client).read,
    record: (plan) => inTransaction(client, () => record(client, plan)),
    // No writer waits for a row that is deleted: it is no pet's newest movement any more.
    deletePortion: (portion) => inTransaction(client, () => deletePortion(client, portion)),
  };
  return pruneLedger(ledger, beforeMs);
}

async function record(client: pg.Client, plan: PrunePlan): Promise<Prune | undefined> {
  await client.query(LOCK.ledger);
  const { rows } = await client.query<{ number: number }>(NEWEST_DONE);
  if (rows[0]?.number !== plan.number - 1) return undefined;
  const prune = placePrune(plan, await readChainHead(client), await readClock(client));
  await client.query(RECORD_PRUNE, pruneColumns(prune));
  const { sequence, recordedAtMs, hash } = prune.start;
  await client.query(BEGIN_LEDGER, [sequence, recordedAtMs, bytes(hash), bytes(FIRST_HASH)]);
  return prune;
}

async function deletePortion(client: pg.Client, { start, from, to, sequences }: Portion): Promise<number> {
  const noted = await client.query(NOTE_DELETION, [start, from, to.sequence, bytes(to.hash)]);
  if (noted.rowCount === 0) return 0;
  return (await client.query(DELETE_MOVEMENTS, [sequences])).rowCount ?? 0;
}

function bytes(hash: string): Buffer {
  return Buffer.from(hash, 'hex');
}
