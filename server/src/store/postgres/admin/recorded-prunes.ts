import type pg from 'pg';
import { movementSlices } from '../../audit/audit-rows.ts';
import { readStart } from '../../ledger/ledger-bounds.ts';
import { pruneColumns, RECORD_PRUNE } from '../../ledger/prune-rows.ts';
import { NOTE_UNRECORDED, UnrecordedPrune } from '../../prune/unrecorded-prune.ts';
import { clientAuditSource } from '../audit-source.ts';
import { readClock } from '../database-clock.ts';
import { readChainHead } from '../load-batch.ts';

/** Records what was pruned before prunes were recorded, if anything was. */
export async function fillPrunes(client: pg.Client): Promise<void> {
  const source = clientAuditSource(client);
  const start = await readStart(source);
  if (!start || start.sequence === 0) return;
  const unrecorded = new UnrecordedPrune(start);
  for await (const slice of movementSlices(source, 0, start.sequence)) {
    for (const { movement } of slice) unrecorded.take(movement);
  }
  const prune = unrecorded.record(await readChainHead(client), await readClock(client));
  await client.query(RECORD_PRUNE, pruneColumns(prune));
  await client.query(NOTE_UNRECORDED);
}
