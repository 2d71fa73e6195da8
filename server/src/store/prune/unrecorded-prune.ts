import { type ChainHead, FIRST_HASH, type Movement, retainedDigest } from '../../domain/ledger.ts';
import type { Prune } from '../../domain/prunes.ts';
import { placePrune } from './prune.ts';

/** Says that the prune of the record deletes nothing more. */
export const NOTE_UNRECORDED = 'UPDATE ledger_start SET deleted_sequence = sequence, deleted_hash = hash';

/**
 * The record of what was pruned before prunes were recorded. It vouches for the movements that are there from now on, and
 * for nothing before.
 */
export class UnrecordedPrune {
  readonly #start: ChainHead;
  #retained = 0;
  #digest = FIRST_HASH;

  /** @param start Where the ledger begins. */
  constructor(start: ChainHead) {
    this.#start = start;
  }

  /** Takes a movement up to the start, in the order of sequence. */
  take(movement: Omit<Movement, 'actorName'>): void {
    this.#retained += 1;
    this.#digest = retainedDigest(this.#digest, movement);
  }

  record(end: ChainHead, nowMs: number): Prune {
    const { sequence, recordedAtMs, hash } = this.#start;
    const plan = {
      number: 1,
      kind: 'unrecorded' as const,
      start: { sequence, recordedAtMs, hash },
      decidedSequence: end.sequence,
      retained: this.#retained,
      retainedDigest: this.#digest,
      deleted: sequence - this.#retained,
      actor: 'cli',
      previousPruneHash: FIRST_HASH,
    };
    return placePrune(plan, end, nowMs);
  }
}
