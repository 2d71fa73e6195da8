import type { DatabaseSync } from 'node:sqlite';
import { AUDITED_MOVEMENTS, type AuditedRow, toAudited } from '../audit/audit-rows.ts';
import { hexOf } from '../ledger/ledger-bounds.ts';
import { pruneColumns, RECORD_PRUNE } from '../ledger/prune-rows.ts';
import { NOTE_UNRECORDED, UnrecordedPrune } from '../prune/unrecorded-prune.ts';
import { readChainHead } from './ledger-writer.ts';
import { numbered, WRITE } from './statements.ts';

const START = 'SELECT sequence, recorded_at AS recordedAtMs, hash FROM ledger_start WHERE sequence > 0';

interface StartRow {
  readonly sequence: number;
  readonly recordedAtMs: number;
  readonly hash: Uint8Array;
}

/** Records what was pruned before prunes were recorded, if anything was. */
export function fillPrunes(database: DatabaseSync): void {
  const start = database.prepare(START).get() as StartRow | undefined;
  if (!start) return;
  const unrecorded = new UnrecordedPrune({ ...start, hash: hexOf(start.hash) });
  const slice = database.prepare(AUDITED_MOVEMENTS.text);
  slice.setReturnArrays(true);
  for (let position = 0; ; ) {
    const rows = slice.all(numbered([position, start.sequence])) as unknown as AuditedRow[];
    for (const row of rows) unrecorded.take(toAudited(row).movement);
    const last = rows.at(-1);
    if (!last) break;
    position = last[0];
  }
  const prune = unrecorded.record(readChainHead(database.prepare(WRITE.ledgerEnd)), Date.now());
  database.prepare(RECORD_PRUNE).run(numbered(pruneColumns(prune)));
  database.exec(NOTE_UNRECORDED);
}
