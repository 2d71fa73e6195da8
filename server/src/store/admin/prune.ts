import type { PruneResult } from '../../domain/admin-store.ts';
import { FIRST_HASH } from '../../domain/ledger/ledger.ts';
import type { Prune } from '../../domain/ledger/prunes.ts';
import type { ActionAuthor } from '../../domain/management/activity.ts';
import { timestamp } from '../../domain/timestamps.ts';
import { bytesOf } from '../hex.ts';
import { recordAction } from '../ledger/activity.ts';
import { readChainHead } from '../ledger/ledger-bounds.ts';
import { NEWEST_DONE, pruneColumns, RECORD_PRUNE } from '../ledger/prune-rows.ts';
import {
  type Batch,
  BEGIN_LEDGER,
  NOTE_DELETION,
  type PrunePlan,
  placePrune,
  pruneLedger,
} from '../prune/prune.ts';
import { keepReceived } from '../reorders/reorder-store.ts';
import { keepReports, refuseRunning } from '../stocktakes/stocktake-prune.ts';
import type { AdminEngine } from './admin-engine.ts';
import { runBatch } from '../batches.ts';

/** Events per transaction. */
const BATCH = 2_000;

/**
 * Deletes a batch of the events before the movement `$1`, the oldest first. Events of the retention start itself stay:
 * a receiver can begin there.
 */
const DELETE_EVENTS = `DELETE FROM events WHERE (sequence, number) IN (
  SELECT sequence, number FROM events WHERE sequence < CAST($1 AS bigint) ORDER BY sequence, number LIMIT ${BATCH}
)`;

/**
 * Deletes the events before the retention start, in batches. The next prune completes an interrupted one.
 * @param runBatch Runs a statement in a transaction of its own, and returns the number of rows changed.
 */
async function pruneEvents(
  start: number,
  runBatch: (sql: string, values: readonly number[]) => Promise<number>,
): Promise<void> {
  while ((await runBatch(DELETE_EVENTS, [start])) === BATCH);
}

/** The webhook endpoints, also paused ones, that have not received all movements up to a sequence. */
export async function countEndpointsBehind(engine: AdminEngine, sequence: number): Promise<number> {
  const sql =
    'SELECT count(*) AS endpoints FROM webhook_endpoints WHERE cursor_sequence < CAST($1 AS bigint)';
  const [row] = await engine.all<{ endpoints: number }>(sql, [sequence]);
  return Number(row?.endpoints ?? 0);
}

/** Deletes the movements recorded before a moment, as `AdminStore.pruneMovements` describes, and the events before them. */
export async function pruneMovements(
  engine: AdminEngine,
  beforeMs: number,
  author: ActionAuthor,
): Promise<PruneResult> {
  const result = await pruneLedger(
    {
      read: (statement, values) => engine.read(statement, values),
      record: (plan) => engine.transaction(() => recordPrune(engine, plan, author)),
      deleteBatch: (batch) => deleteBatch(engine, batch),
    },
    beforeMs,
    author.actor,
  );
  await pruneEvents(result.start.sequence, (sql, values) =>
    runBatch(engine, () => engine.transaction(() => engine.run(sql, values))),
  );
  return result;
}

async function recordPrune(
  engine: AdminEngine,
  plan: PrunePlan,
  author: ActionAuthor,
): Promise<Prune | undefined> {
  await engine.lockLedger();
  const [newestDone] = await engine.all<{ number: number }>(NEWEST_DONE);
  if (newestDone?.number !== plan.number - 1) return undefined;
  await refuseRunning(engine, plan.start.sequence);
  await keepReports(engine, plan.start.sequence);
  await keepReceived(engine, plan.start.sequence);
  const prune = placePrune(plan, await readChainHead(engine), await engine.now());
  await engine.run(RECORD_PRUNE, pruneColumns(prune));
  const { sequence, recordedAtMs, hash } = prune.start;
  await engine.run(BEGIN_LEDGER, [sequence, recordedAtMs, bytesOf(hash), bytesOf(FIRST_HASH)]);
  const { number, deleted } = prune;
  const details = { number, start: { sequence, recordedAt: timestamp(recordedAtMs), hash }, deleted };
  await recordAction(engine, author, { action: 'movements.prune', target: null, details });
  return prune;
}

/** No writer waits for a deleted row: it is no pet's newest movement. */
function deleteBatch(engine: AdminEngine, { start, from, to, sequences }: Batch): Promise<number> {
  const remove = async () => {
    const noted = await engine.run(NOTE_DELETION, [start, from, to.sequence, bytesOf(to.hash)]);
    if (noted === 0 || sequences.length === 0) return 0;
    return engine.run(`DELETE FROM movements WHERE sequence IN (${sequences.join()})`);
  };
  return runBatch(engine, () => engine.transaction(remove));
}
