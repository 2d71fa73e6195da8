import type { PruneResult } from '../../domain/admin-store.ts';
import { OperatorError } from '../../domain/errors.ts';
import { type ChainHead, FIRST_HASH, retainedDigest } from '../../domain/ledger/ledger.ts';
import { type Prune, pruneHash } from '../../domain/ledger/prunes.ts';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import { LedgerFaults } from '../audit/audit-findings.ts';
import { readSuperseded } from '../audit/audit-rows.ts';
import { LedgerChain } from '../audit/ledger-chain.ts';
import { type LedgerStart, readHead, readStart } from '../ledger/ledger-bounds.ts';
import { type RowReader, rowStatement } from '../sql-client.ts';
import { DeletePortions, type Portion } from './prune-portions.ts';

const VERIFY = 'verify the database for details.';

const RECORDED_AT = rowStatement('recordedAt', 'SELECT recorded_at FROM movements WHERE sequence = $1');
type RecordedAtRow = readonly [recordedAtMs: number];

/** A prune before it is added to the chain. */
export interface PrunePlan
  extends Pick<
    Prune,
    'number' | 'start' | 'decidedSequence' | 'retained' | 'retainedDigest' | 'deleted' | 'actor'
  > {
  readonly previousPruneHash: string;
}

/** A database whose ledger can be pruned. */
export interface PrunableLedger extends RowReader {
  /**
   * Adds a prune to the chain and sets the retention start, in one transaction under the ledger's lock. Returns
   * nothing when another prune was recorded before, or is not done.
   */
  record(plan: PrunePlan): Promise<Prune | undefined>;
  /**
   * Deletes a portion and records it in one transaction, and lets others write after it. Returns the number of rows
   * deleted; none where another process has deleted them.
   */
  deletePortion(portion: Portion): Promise<number>;
}

/** Adds a planned prune to the chain after its head. */
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
 * Prunes the movements recorded before a moment. First the prune is recorded, with what it retains. Then the others
 * are deleted in portions, the oldest first. The next run completes an interrupted one.
 */
export async function pruneLedger(
  ledger: PrunableLedger,
  beforeMs: number,
  actor: string = CLI_AUTHOR.actor,
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
    // A faster prune of another process may have a start before the one wanted here.
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
  const plan = wanted > held ? await planPrune(ledger, { held, wanted, actor: CLI_AUTHOR.actor }) : undefined;
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
 * Decides what a prune retains. Deleted movements can never be checked again, so all of them are checked before.
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
  // The hash of the movement after the last one shows whether the last one is correct.
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

/** @throws OperatorError unless another prune was recorded since the retention start was `held`. */
async function overtaken(ledger: RowReader, held: number, faults: LedgerFaults): Promise<undefined> {
  if ((await startOf(ledger)).sequence !== held) return undefined;
  const [fault = 'The ledger is not as its prunes recorded.'] = faults.sentences;
  throw new OperatorError(`${fault} Nothing was pruned; ${VERIFY}`);
}

async function startOf(ledger: RowReader): Promise<LedgerStart> {
  const start = await readStart(ledger);
  if (start) return start;
  throw new OperatorError(`The ledger has no retention start, so nothing was pruned; ${VERIFY}`);
}

/** The last movement recorded before a moment, except the newest of all; not before the retention start. */
async function lastRecordedBefore(ledger: RowReader, start: number, beforeMs: number): Promise<number> {
  let before = start;
  let after = await readHead(ledger);
  // Times never decrease along the ledger, and after its beginning it has no gaps.
  while (after - before > 1) {
    const middle = before + Math.floor((after - before) / 2);
    const [movement] = await ledger.read<RecordedAtRow>(RECORDED_AT, [middle]);
    if (!movement) {
      // Another process may have pruned it.
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
