import { OperatorError } from '../../domain/errors.ts';
import { type ChainHead, FIRST_HASH, retainedDigest } from '../../domain/ledger.ts';
import { type Prune, pruneHash } from '../../domain/prunes.ts';
import type { PruneResult } from '../../domain/store.ts';
import { LedgerFaults } from '../audit/audit-findings.ts';
import { readSuperseded } from '../audit/audit-rows.ts';
import { LedgerChain } from '../audit/ledger-chain.ts';
import { type LedgerStart, readHead, readStart } from '../ledger/ledger-bounds.ts';
import { type RowReader, rowStatement } from '../sql-client.ts';
import { DeletePortions, type Portion } from './prune-portions.ts';

const VERIFY = 'petstore-server verify tells more.';

const RECORDED_AT = rowStatement('recordedAt', 'SELECT recorded_at FROM movements WHERE sequence = $1');
type RecordedAtRow = readonly [recordedAtMs: number];

/** A prune before it has a place in the chain. */
export interface PrunePlan
  extends Pick<
    Prune,
    'number' | 'start' | 'decidedSequence' | 'retained' | 'retainedDigest' | 'deleted' | 'actor'
  > {
  readonly previousPruneHash: string;
}

/** A database whose ledger can be cut off at its beginning. */
export interface PrunableLedger extends RowReader {
  /**
   * Records a prune at the end of the chain and begins the ledger at its start, in one transaction under the ledger's lock.
   * Returns nothing when another prune was recorded before it, or is not done.
   */
  record(plan: PrunePlan): Promise<Prune | undefined>;
  /**
   * Deletes a portion and notes it, in one transaction, and lets others write after it. Returns how many rows went; none
   * where another process has deleted them.
   */
  deletePortion(portion: Portion): Promise<number>;
}

/** Gives a planned prune its place in the chain, after where the ledger ends. */
export function placePrune(plan: PrunePlan, head: ChainHead, nowMs: number): Prune {
  const { previousPruneHash, ...fields } = plan;
  const prune = {
    ...fields,
    afterSequence: head.sequence,
    recordedAtMs: Math.max(nowMs, head.recordedAtMs),
    previousHash: head.hash,
  };
  return { ...prune, hash: pruneHash(previousPruneHash, prune) };
}

/**
 * Forgets movements recorded before a moment. The record comes first, and says what is retained; then the others are
 * deleted bit by bit, the oldest first. What an interrupted run has left the next one deletes.
 */
export async function pruneLedger(
  ledger: PrunableLedger,
  beforeMs: number,
  actor = 'cli',
): Promise<PruneResult> {
  const portions = new DeletePortions(ledger);
  let movements = await deleteAll(ledger, portions);
  for (;;) {
    const { sequence: held } = await startOf(ledger);
    const wanted = await lastRecordedBefore(ledger, held, beforeMs);
    const plan = wanted > held ? await planPrune(ledger, { held, wanted, actor }) : undefined;
    const prune = plan && (await ledger.record(plan));
    movements += await deleteAll(ledger, portions);
    const { sequence, recordedAtMs } = await startOf(ledger);
    // Less far where another prune was faster, and went less far.
    if (sequence >= wanted) return { movements, start: { sequence, recordedAtMs }, prune };
  }
}

/**
 * What `pruneLedger` would do now, without a change. A prune that would not begin the ledger later is empty here, also when
 * an interrupted prune left movements to delete.
 * @throws OperatorError as `pruneLedger` does.
 */
export async function previewPrune(ledger: RowReader, beforeMs: number): Promise<PruneResult> {
  const { sequence: held, recordedAtMs } = await startOf(ledger);
  const wanted = await lastRecordedBefore(ledger, held, beforeMs);
  const plan = wanted > held ? await planPrune(ledger, { held, wanted, actor: 'cli' }) : undefined;
  const start = plan?.start ?? { sequence: held, recordedAtMs };
  return {
    movements: plan?.deleted ?? 0,
    start: { sequence: start.sequence, recordedAtMs: start.recordedAtMs },
    prune: undefined,
  };
}

/** Returns how many movements this process deleted. */
async function deleteAll(ledger: PrunableLedger, portions: DeletePortions): Promise<number> {
  let movements = 0;
  for (;;) {
    const portion = await portions.next(await startOf(ledger));
    if (!portion) return movements;
    movements += await ledger.deletePortion(portion);
  }
}

/**
 * Decides what a prune retains. What it deletes can never be checked again, so all of it is checked before.
 * Returns nothing when another prune was faster.
 */
async function planPrune(
  ledger: RowReader,
  { held, wanted, actor }: { held: number; wanted: number; actor: string },
): Promise<PrunePlan | undefined> {
  const decidedSequence = await readHead(ledger);
  const superseded = await readSuperseded(ledger, decidedSequence);
  const faults = new LedgerFaults();
  const chain = await LedgerChain.open(ledger, faults);
  if (chain.prunes.start.sequence >= wanted) return overtaken(ledger, held, faults);
  let [retained, deleted, digest] = [0, 0, FIRST_HASH];
  let start: ChainHead | undefined;
  // The hash of the movement after it shows whether the last one is right.
  for await (const slice of chain.read(wanted + 1)) {
    for (const { movement } of slice) {
      if (movement.sequence > wanted) continue;
      if (superseded.has(movement.sequence)) deleted += 1;
      else {
        retained += 1;
        digest = retainedDigest(digest, movement);
      }
      start = movement;
    }
  }
  const { newest } = chain.prunes;
  if (!faults.isEmpty || start?.sequence !== wanted) return overtaken(ledger, held, faults);
  const { sequence, recordedAtMs, hash } = start;
  return {
    number: (newest?.number ?? 0) + 1,
    start: { sequence, recordedAtMs, hash },
    decidedSequence,
    retained,
    retainedDigest: digest,
    deleted,
    actor,
    previousPruneHash: newest?.hash ?? FIRST_HASH,
  };
}

/** @throws OperatorError unless another prune was recorded since the ledger began after `held`. */
async function overtaken(ledger: RowReader, held: number, faults: LedgerFaults): Promise<undefined> {
  if ((await startOf(ledger)).sequence !== held) return undefined;
  const [fault = 'The ledger is not as its prunes recorded.'] = faults.sentences;
  throw new OperatorError(`${fault} Nothing was pruned; ${VERIFY}`);
}

async function startOf(ledger: RowReader): Promise<LedgerStart> {
  const start = await readStart(ledger);
  if (start) return start;
  throw new OperatorError(`The ledger does not say where it begins, so nothing was pruned; ${VERIFY}`);
}

/** The last movement recorded before a moment, but not the newest of all; not before the ledger's beginning `start`. */
async function lastRecordedBefore(ledger: RowReader, start: number, beforeMs: number): Promise<number> {
  let before = start;
  let after = await readHead(ledger);
  // Times never decrease along the ledger, and after its beginning it has no gaps.
  while (after - before > 1) {
    const middle = before + Math.floor((after - before) / 2);
    const [movement] = await ledger.read<RecordedAtRow>(RECORDED_AT, [middle]);
    if (!movement) {
      // Somebody else may prune too, and have deleted it.
      const { sequence } = await startOf(ledger);
      if (sequence < middle) {
        throw new OperatorError(`The ledger has no movement ${middle}, so nothing was pruned; ${VERIFY}`);
      }
      before = sequence;
    } else if (movement[0] < beforeMs) before = middle;
    else after = middle;
  }
  return before;
}
