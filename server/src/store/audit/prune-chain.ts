import { type ChainHead, EMPTY_CHAIN, FIRST_HASH } from '../../domain/ledger/ledger.ts';
import { type Prune, pruneHash } from '../../domain/ledger/prunes.ts';
import type { ChainPoint } from '../../domain/ledger-store.ts';
import type { LedgerFaults } from './audit-findings.ts';

/** The records of all prunes, each checked against its hash and the one before it. */
export class PruneChain {
  readonly prunes: readonly Prune[];
  readonly #faults: LedgerFaults;
  readonly #bySequence = new Map<number, Prune[]>();

  constructor(prunes: readonly Prune[], faults: LedgerFaults) {
    this.prunes = prunes;
    this.#faults = faults;
    let earlier: Prune | undefined;
    for (const prune of prunes) {
      this.#check(prune, earlier);
      const together = this.#bySequence.get(prune.afterSequence);
      if (together) together.push(prune);
      else this.#bySequence.set(prune.afterSequence, [prune]);
      earlier = prune;
    }
  }

  get newest(): Prune | undefined {
    return this.prunes.at(-1);
  }

  /** The prune before the newest one. */
  get earlier(): Prune | undefined {
    return this.prunes.at(-2);
  }

  /** The retention start by the newest prune. */
  get start(): ChainHead {
    return this.newest?.start ?? EMPTY_CHAIN;
  }

  /** The hash to which the next movement is added, after a movement. */
  hashAfter({ sequence, hash }: ChainPoint): string {
    return this.#bySequence.get(sequence)?.at(-1)?.hash ?? hash;
  }

  /** The record to which the next movement is added, for a sentence. */
  recordAfter(sequence: number): string {
    const newest = this.#bySequence.get(sequence)?.at(-1);
    return newest ? `prune ${newest.number}` : `movement ${sequence}`;
  }

  /** Checks that the prunes made after a movement follow from it. */
  checkAfter({ sequence, hash }: ChainPoint): void {
    const [first] = this.#bySequence.get(sequence) ?? [];
    if (!first || first.previousHash === hash) return;
    const sentence = `Prune ${first.number} does not follow from movement ${sequence}: one of the two was changed.`;
    this.#faults.add('prune', sentence, sequence);
  }

  /** Checks that no prune was made after the last movement of the ledger. */
  checkEnd(sequence: number): void {
    const beyond = this.prunes.find(({ afterSequence }) => afterSequence > sequence);
    if (!beyond) return;
    const sentence = `Prune ${beyond.number} was made after movement ${beyond.afterSequence}, which is not there.`;
    this.#faults.add('prune', sentence, sequence + 1);
  }

  #check(prune: Prune, earlier: Prune | undefined): void {
    const { number, afterSequence, start } = prune;
    const expected = (earlier?.number ?? 0) + 1;
    if (number !== expected)
      this.#report(`The ledger has prune ${number} where prune ${expected} is expected.`);
    if (pruneHash(earlier?.hash ?? FIRST_HASH, prune) !== prune.hash) {
      const changed = earlier ? `it was changed, or prune ${earlier.number}` : 'it was changed';
      this.#report(`Prune ${number} does not match its hash: ${changed}.`);
    }
    if (start.sequence <= (earlier?.start.sequence ?? 0) || start.sequence > afterSequence) {
      this.#report(`Prune ${number} begins the ledger after movement ${start.sequence}, which cannot be.`);
    }
    if (afterSequence < (earlier?.afterSequence ?? 0)) {
      this.#report(`Prune ${number} was made after movement ${afterSequence}, before prune ${number - 1}.`);
    }
    if (afterSequence === earlier?.afterSequence && prune.previousHash !== earlier.hash) {
      this.#report(`Prune ${number} does not follow from prune ${earlier.number}.`);
    }
  }

  #report(sentence: string): void {
    this.#faults.add('prune', sentence, null);
  }
}
