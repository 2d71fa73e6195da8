import { FIRST_HASH, retainedDigest } from '../../domain/ledger/ledger.ts';
import type { Prune } from '../../domain/ledger/prunes.ts';
import type { ChainPoint } from '../../domain/ledger-store.ts';
import { type Deletion, readStart } from '../ledger/ledger-bounds.ts';
import type { RowReader } from '../sql-client.ts';
import type { LedgerFaults } from './audit-findings.ts';
import { type AuditedMovement, nextPage, type SequenceSet } from './audit-rows.ts';

interface RetainedState {
  readonly newest: Prune;
  /** The prune before the newest one. */
  readonly earlier: Prune | undefined;
  /** How far the newest prune has deleted. */
  readonly deletion: Deletion;
  /** Movements that the newest prune deletes; only needed until it is complete. */
  readonly superseded: SequenceSet | undefined;
}

/**
 * Compares the movements up to the retention start with the digest of those that the newest prune retained. While
 * that prune deletes, or after an interruption, other movements are still present. They must be unchanged: up to the
 * start of the prune before it the movements which that one retained, and after it every movement. `Deletion` lets
 * both be checked.
 */
export class RetainedCheck {
  readonly #state: RetainedState;
  readonly #faults: LedgerFaults;
  readonly #earlierStart: ChainPoint;
  #deletion: Deletion;
  #digest = FIRST_HASH;
  #count = 0;
  #earlierDigest: string;
  /** The last movement that was read. */
  #last: ChainPoint = { sequence: 0, hash: FIRST_HASH };

  constructor(state: RetainedState, faults: LedgerFaults) {
    this.#state = state;
    this.#faults = faults;
    this.#deletion = state.deletion;
    this.#earlierDigest = state.deletion.hash;
    this.#earlierStart = state.earlier?.start ?? this.#last;
  }

  /** The next movements, read with no deletion in between: a deletion also goes up, and may overtake. */
  async readPage(source: RowReader, after: number, upTo: number): Promise<readonly AuditedMovement[]> {
    for (;;) {
      const page = await nextPage(source, after, upTo);
      if (this.#deletion.sequence >= this.#state.newest.start.sequence) return page;
      const start = await readStart(source);
      const now = start?.deletion;
      // With another start a prune has overtaken the whole audit, which then begins again.
      if (!now || start.sequence !== this.#state.newest.start.sequence) return page;
      if (now.sequence === this.#deletion.sequence) return page;
      this.#deletion = now;
      if (now.sequence > after) this.#earlierDigest = now.hash;
    }
  }

  /** Returns the point of the chain after which no movement may be missing, where it is before this movement. */
  take(movement: AuditedMovement['movement']): ChainPoint | undefined {
    const { sequence } = movement;
    const isRetained = !this.#state.superseded?.has(sequence);
    if (isRetained) {
      this.#digest = retainedDigest(this.#digest, movement);
      this.#count += 1;
    }
    this.#last = movement;
    if (sequence <= this.#deletion.sequence) {
      if (!isRetained)
        this.#report(`Movement ${sequence} is there, but prune ${this.#state.newest.number} deleted it.`);
      return undefined;
    }
    if (sequence <= this.#earlierStart.sequence) {
      this.#earlierDigest = retainedDigest(this.#earlierDigest, movement);
      return undefined;
    }
    return this.#deletion.sequence < this.#earlierStart.sequence ? this.#earlierStart : this.#deletion;
  }

  /** Compares what was read, up to the retention start. */
  finish(): void {
    const { newest, earlier } = this.#state;
    if (this.#count !== newest.retained || this.#digest !== newest.retainedDigest) {
      const are = `The ${this.#count} movements before the retention start`;
      this.#report(
        `${are} are not the ${newest.retained} that prune ${newest.number} retained: at least one was changed, added or deleted.`,
      );
    }
    if (this.#deletion.sequence >= newest.start.sequence) return;
    if (this.#last.sequence !== newest.start.sequence) {
      this.#report(`Prune ${newest.number} is not done, and movements up to its start are missing.`);
    }
    const isEarlierThere = earlier && this.#deletion.sequence < earlier.start.sequence;
    if (isEarlierThere && this.#earlierDigest !== earlier.retainedDigest) {
      this.#report(`Movements that prune ${earlier.number} retained were changed, added or deleted.`);
    }
  }

  #report(sentence: string): void {
    this.#faults.add('retained', sentence, null);
  }
}
