import type { PruneResult } from '../../domain/admin-store.ts';
import { FIRST_HASH } from '../../domain/ledger/ledger.ts';
import type { Prune } from '../../domain/ledger/prunes.ts';
import type { ActionAuthor } from '../../domain/management/activity.ts';
import { timestamp } from '../../domain/timestamps.ts';
import { bytesOf } from '../hex.ts';
import { readChainHead } from '../ledger/ledger-bounds.ts';
import { NEWEST_DONE, pruneColumns, RECORD_PRUNE } from '../ledger/prune-rows.ts';
import { type PrunePlan, placePrune, pruneLedger } from '../prune/prune.ts';
import { pruneEvents } from '../prune/prune-events.ts';
import { BEGIN_LEDGER, NOTE_DELETION, type Portion } from '../prune/prune-portions.ts';
import { recordAction } from './activity.ts';
import type { AdminEngine } from './admin-engine.ts';
import { runPortion } from './portions.ts';

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
      deletePortion: (portion) => deletePortion(engine, portion),
    },
    beforeMs,
    author.actor,
  );
  await pruneEvents(result.start.sequence, (sql, values) =>
    runPortion(engine, () => engine.transaction(() => engine.run(sql, values))),
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
function deletePortion(engine: AdminEngine, { start, from, to, sequences }: Portion): Promise<number> {
  const remove = async () => {
    const noted = await engine.run(NOTE_DELETION, [start, from, to.sequence, bytesOf(to.hash)]);
    if (noted === 0 || sequences.length === 0) return 0;
    return engine.run(`DELETE FROM movements WHERE sequence IN (${sequences.join()})`);
  };
  return runPortion(engine, () => engine.transaction(remove));
}
