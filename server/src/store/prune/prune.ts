import type { PruneResult } from '../../domain/admin-store.ts';
import { OperatorError } from '../../domain/errors.ts';
import { type ChainHead, EMPTY_CHAIN, FIRST_HASH, retainedDigest } from '../../domain/ledger/ledger.ts';
import { type Prune, pruneHash } from '../../domain/ledger/prunes.ts';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import { LedgerFaults } from '../audit/audit-findings.ts';
import {
  type AuditedMovement,
  movementPages,
  readSuperseded,
  type SequenceSet,
} from '../audit/audit-rows.ts';
import { LedgerChain } from '../audit/ledger-chain.ts';
import { hexOf } from '../hex.ts';
import { type Deletion, type LedgerStart, readHead, readStart } from '../ledger/ledger-bounds.ts';
import { readPrunes } from '../ledger/prune-rows.ts';
import { type RowReader, rowStatement } from '../sql-client.ts';

const VERIFY = 'verify the database for details.';

/** Movements per transaction: others wait for the database some hundredths of a second at most. */
const BATCH = 2_000;

const HASHES = rowStatement(
  'hashesOfBatch',
  `SELECT sequence, hash FROM movements WHERE sequence > $1 AND sequence <= $2 ORDER BY sequence LIMIT ${BATCH}`,
);
type HashRow = readonly [sequence: number, hash: Uint8Array];

/** Records that a batch is deleted: of the prune with start `$1`, from `$2` up to `$3` with hash `$4`. */
export const NOTE_DELETION = `UPDATE ledger_start SET deleted_sequence = $3, deleted_hash = $4
WHERE sequence = $1 AND deleted_sequence = $2`;

/** Sets the retention start to movement `$1`, recorded at `$2`, with hash `$3`; nothing is deleted yet. */
export const BEGIN_LEDGER = `UPDATE ledger_start SET sequence = $1, recorded_at = $2, hash = $3,
deleted_sequence = 0, deleted_hash = $4`;

/** A part of what a prune deletes. */
export interface Batch {
  /** The retention start of its prune. */
  readonly start: number;
  /** The batch begins after this movement. */
  readonly from: number;
  readonly to: Deletion;
  /** The movements to delete. */
  readonly sequences: readonly number[];
}

/** The batches that the newest prune still deletes, oldest first. */
class PruneBatches {
  readonly #ledger: RowReader;
  #start = 0;
  #superseded: SequenceSet | undefined;
  /** The start of the prune before. Up to it a batch ends with a digest, after it with a hash. */
  #earlierStart: ChainHead = EMPTY_CHAIN;

  constructor(ledger: RowReader) {
    this.#ledger = ledger;
  }

  /** The next batch; `undefined` when the prune is done. */
  async next(start: LedgerStart): Promise<Batch | undefined> {
    const { sequence, deletion } = start;
    if (deletion.sequence >= sequence) return undefined;
    const superseded = await this.#supersededAt(sequence);
    const isBeforeEarlier = deletion.sequence < this.#earlierStart.sequence;
    const { to, passed } = await (isBeforeEarlier ? this.#retained(deletion) : this.#hashes(start));
    const sequences = passed.filter((each) => superseded.has(each));
    return { start: sequence, from: deletion.sequence, to, sequences };
  }

  async #supersededAt(start: number): Promise<SequenceSet> {
    if (this.#superseded && this.#start === start) return this.#superseded;
    const prunes = await readPrunes(this.#ledger);
    const newest = prunes.at(-1);
    if (newest?.start.sequence !== start) {
      throw new OperatorError(
        `The ledger does not begin where its newest prune recorded, so nothing was pruned; ${VERIFY}`,
      );
    }
    this.#earlierStart = prunes.at(-2)?.start ?? EMPTY_CHAIN;
    this.#superseded = await readSuperseded(this.#ledger, newest.decidedSequence);
    this.#start = start;
    return this.#superseded;
  }

  /** A batch of the movements that the prune before retained. */
  async #retained(deletion: Deletion): Promise<{ to: Deletion; passed: readonly number[] }> {
    const { sequence, hash } = this.#earlierStart;
    const movements: AuditedMovement['movement'][] = [];
    for await (const page of movementPages(this.#ledger, deletion.sequence, sequence)) {
      movements.push(...page.map(({ movement }) => movement));
      if (movements.length >= BATCH) break;
    }
    const passed = movements.map((movement) => movement.sequence);
    const last = passed.at(-1);
    if (last === undefined || last === sequence) return { to: { sequence, hash }, passed };
    return { to: { sequence: last, hash: movements.reduce(retainedDigest, deletion.hash) }, passed };
  }

  async #hashes({
    sequence,
    hash,
    deletion,
  }: LedgerStart): Promise<{ to: Deletion; passed: readonly number[] }> {
    const rows = await this.#ledger.read<HashRow>(HASHES, [deletion.sequence, sequence]);
    const last = rows.at(-1);
    const to = last ? { sequence: last[0], hash: hexOf(last[1]) } : { sequence, hash };
    return { to, passed: rows.map((row) => row[0]) };
  }
}

const RECORDED_AT = rowStatement('recordedAt', 'SELECT recorded_at FROM movements WHERE sequence = $1');
type RecordedAtRow = readonly [recordedAtMs: number];

/** A prune before it is added to the chain. */
export interface PrunePlan extends Pick<
  Prune,
  'number' | 'start' | 'decidedSequence' | 'retained' | 'retainedDigest' | 'deleted' | 'actor'
> {
  readonly previousPruneHash: string;
}

/** A database whose ledger can be pruned. */
interface PrunableLedger extends RowReader {
  /**
   * Adds a prune to the chain and sets the retention start, in one transaction under the ledger's lock. Returns
   * nothing when another prune was recorded before, or is not done.
   */
  record(plan: PrunePlan): Promise<Prune | undefined>;
  /**
   * Deletes a batch and records it in one transaction, and lets others write after it. Returns the number of rows
   * deleted; none where another process has deleted them.
   */
  deleteBatch(batch: Batch): Promise<number>;
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
 * are deleted in batches, the oldest first. The next run completes an interrupted one.
 */
export async function pruneLedger(
  ledger: PrunableLedger,
  beforeMs: number,
  actor: string = CLI_AUTHOR.actor,
): Promise<PruneResult> {
  const batches = new PruneBatches(ledger);
  let movements = await deleteAll(ledger, batches);
  for (;;) {
    const { sequence: held } = await startOf(ledger);
    const wanted = await lastRecordedBefore(ledger, held, beforeMs);
    const plan = wanted > held ? await planPrune(ledger, { held, wanted, actor }) : undefined;
    const prune = plan && (await ledger.record(plan));
    movements += await deleteAll(ledger, batches);
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
async function deleteAll(ledger: PrunableLedger, batches: PruneBatches): Promise<number> {
  let movements = 0;
  for (;;) {
    const batch = await batches.next(await startOf(ledger));
    if (!batch) return movements;
    movements += await ledger.deleteBatch(batch);
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
  for await (const page of chain.read(wanted + 1)) {
    for (const { movement } of page) {
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
      // Another process may have pruned the movement.
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
