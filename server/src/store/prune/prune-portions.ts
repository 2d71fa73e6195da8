import { OperatorError } from '../../domain/errors.ts';
import { type ChainHead, FIRST_HASH, retainedDigest } from '../../domain/ledger/ledger.ts';
import { type AuditedMovement, movementSlices, readSuperseded } from '../audit/audit-rows.ts';
import type { SequenceSet } from '../audit/sequence-bitset.ts';
import { hexOf } from '../hex.ts';
import type { Deletion, LedgerStart } from '../ledger/ledger-bounds.ts';
import { readPrunes } from '../ledger/prune-rows.ts';
import { type RowReader, rowStatement } from '../sql-client.ts';

/** Movements per transaction: others wait for the database some hundredths of a second at most. */
const PORTION = 2_000;

const HASHES = rowStatement(
  'hashesOfPortion',
  `SELECT sequence, hash FROM movements WHERE sequence > $1 AND sequence <= $2 ORDER BY sequence LIMIT ${PORTION}`,
);
type HashRow = readonly [sequence: number, hash: Uint8Array];

/** Records that a portion is deleted: of the prune with start `$1`, from `$2` up to `$3` with hash `$4`. */
export const NOTE_DELETION = `UPDATE ledger_start SET deleted_sequence = $3, deleted_hash = $4
WHERE sequence = $1 AND deleted_sequence = $2`;

/** Sets the retention start to movement `$1`, recorded at `$2`, with hash `$3`; nothing is deleted yet. */
export const BEGIN_LEDGER = `UPDATE ledger_start SET sequence = $1, recorded_at = $2, hash = $3,
deleted_sequence = 0, deleted_hash = $4`;

/** A part of what a prune deletes. */
export interface Portion {
  /** The retention start of its prune. */
  readonly start: number;
  /** The portion begins after this movement. */
  readonly from: number;
  readonly to: Deletion;
  /** The movements to delete. */
  readonly sequences: readonly number[];
}

/** The portions that the newest prune still deletes, oldest first. */
export class DeletePortions {
  readonly #ledger: RowReader;
  #start = 0;
  #superseded: SequenceSet | undefined;
  /** The start of the prune before. Up to it a portion ends with a digest, after it with a hash. */
  #earlierStart: ChainHead = { sequence: 0, recordedAtMs: 0, hash: FIRST_HASH };

  constructor(ledger: RowReader) {
    this.#ledger = ledger;
  }

  /** The next portion; `undefined` when the prune is done. */
  async next(start: LedgerStart): Promise<Portion | undefined> {
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
        'The ledger does not begin where its newest prune recorded, so nothing was pruned; verify the database for details.',
      );
    }
    this.#earlierStart = prunes.at(-2)?.start ?? { sequence: 0, recordedAtMs: 0, hash: FIRST_HASH };
    this.#superseded = await readSuperseded(this.#ledger, newest.decidedSequence);
    this.#start = start;
    return this.#superseded;
  }

  /** A portion of the movements that the prune before retained. */
  async #retained(deletion: Deletion): Promise<{ to: Deletion; passed: readonly number[] }> {
    const { sequence, hash } = this.#earlierStart;
    const movements: AuditedMovement['movement'][] = [];
    for await (const slice of movementSlices(this.#ledger, deletion.sequence, sequence)) {
      movements.push(...slice.map(({ movement }) => movement));
      if (movements.length >= PORTION) break;
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
