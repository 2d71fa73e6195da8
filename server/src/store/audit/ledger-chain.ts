import { type ChainHead, EMPTY_CHAIN, movementHash } from '../../domain/ledger/ledger.ts';
import type { ChainPoint } from '../../domain/ledger-store.ts';
import { type LedgerStart, readStart } from '../ledger/ledger-bounds.ts';
import { readPrunes } from '../ledger/prune-rows.ts';
import type { RowReader } from '../sql-client.ts';
import type { LedgerFaults } from './audit-findings.ts';
import { type AuditedMovement, movementPages, readSuperseded } from './audit-rows.ts';
import { PruneChain } from './prune-chain.ts';
import { RetainedCheck } from './retained-check.ts';

type Movement = AuditedMovement['movement'];

/**
 * Reads a ledger from its first movement and recomputes its one chain of movements and prunes. Up to the retention
 * start it compares the movements with what the newest prune retained, also while that prune deletes.
 */
export class LedgerChain {
  readonly prunes: PruneChain;
  /** The retention start when the reading began. */
  readonly saidStart: number | undefined;
  /** The number of movements in the ledger. */
  movementCount = 0;
  /** Movements whose hash was recomputed. */
  hashesChecked = 0;
  readonly #source: RowReader;
  readonly #faults: LedgerFaults;
  /** Checks the movements up to the retention start, until all of them are read. */
  #retained: RetainedCheck | undefined;
  #last: ChainHead = EMPTY_CHAIN;
  #position = Number.MIN_SAFE_INTEGER;

  /** Reads the start of the ledger and its prunes. */
  static async open(source: RowReader, faults: LedgerFaults): Promise<LedgerChain> {
    const start = await readStart(source);
    const prunes = new PruneChain(await readPrunes(source), faults);
    const chain = new LedgerChain(source, faults, prunes, start?.sequence);
    chain.#checkStart(start);
    await chain.#openRetained(start);
    return chain;
  }

  private constructor(
    source: RowReader,
    faults: LedgerFaults,
    prunes: PruneChain,
    saidStart: number | undefined,
  ) {
    this.#source = source;
    this.#faults = faults;
    this.prunes = prunes;
    this.saidStart = saidStart;
  }

  /** The newest movement read, from the retention start on, with the hash of the chain at it. */
  get head(): ChainPoint {
    return { sequence: this.#last.sequence, hash: this.prunes.hashAfter(this.#last) };
  }

  /** The next movements up to a sequence. The first time, it must be after the retention start. */
  async *read(upTo: number): AsyncGenerator<readonly AuditedMovement[]> {
    if (this.#retained) {
      yield* this.#readRetained(this.#retained);
      this.#passStart(this.#retained);
    }
    for await (const page of movementPages(this.#source, this.#position, upTo)) {
      yield page.filter(({ movement }) => this.#take(movement));
    }
  }

  reportGap(first: number, last = first): void {
    const range = first === last ? `${first}` : `${first} to ${last}`;
    this.#faults.add('gap', `The ledger has no movement ${range}.`, first);
  }

  #checkStart(said: LedgerStart | undefined): void {
    const { sequence, recordedAtMs, hash } = this.prunes.start;
    if (said?.sequence === sequence && said.recordedAtMs === recordedAtMs && said.hash === hash) return;
    const { newest } = this.prunes;
    const recorded = newest ? `prune ${newest.number} recorded` : 'no prune was recorded';
    if (!said) this.#faults.add('start', 'The ledger has no retention start.', null);
    else if (said.sequence === sequence) {
      this.#faults.add('start', `The ledger begins at another time or hash than ${recorded}.`, null);
    } else {
      const instead = newest ? `${recorded} movement ${sequence}` : recorded;
      this.#faults.add('start', `The ledger begins after movement ${said.sequence}, but ${instead}.`, null);
    }
  }

  async #openRetained(start: LedgerStart | undefined): Promise<void> {
    const { newest, earlier } = this.prunes;
    if (!newest) return;
    const isRunning = start !== undefined && start.deletion.sequence < newest.start.sequence;
    const deletion = isRunning ? start.deletion : newest.start;
    const superseded = isRunning ? await readSuperseded(this.#source, newest.decidedSequence) : undefined;
    this.#retained = new RetainedCheck({ newest, earlier, deletion, superseded }, this.#faults);
  }

  async *#readRetained(retained: RetainedCheck): AsyncGenerator<readonly AuditedMovement[]> {
    const start = this.prunes.start.sequence;
    for (let position = this.#position; position < start; position = this.#position) {
      const page = await retained.readPage(this.#source, position, start);
      yield page.filter(({ movement }) => this.#take(movement));
      if (this.#position <= position) return;
    }
  }

  /** Whether a movement can be part of the ledger at all. */
  #take(movement: Movement): boolean {
    const { sequence } = movement;
    this.movementCount += 1;
    if (sequence <= this.#position) {
      this.#faults.add('gap', `Movement ${sequence} is in the ledger twice.`, sequence);
      return false;
    }
    this.#position = sequence;
    if (sequence < 1) {
      const sentence = `Movement ${sequence} stands before the ledger begins at 1.`;
      this.#faults.add('start', sentence, sequence);
      return false;
    }
    const anchor = this.#retained?.take(movement);
    if (anchor && this.#last.sequence <= anchor.sequence) this.#last = { ...this.#last, ...anchor };
    this.#checkLink(movement, this.#retained === undefined || anchor !== undefined);
    this.#last = movement;
    return true;
  }

  /** @param isContiguous Whether the movement before it must be in the ledger. */
  #checkLink(movement: Movement, isContiguous: boolean): void {
    const { sequence, recordedAtMs, hash } = movement;
    const last = this.#last;
    if (recordedAtMs < last.recordedAtMs) {
      const sentence = `Movement ${sequence} was recorded before movement ${last.sequence}.`;
      this.#faults.add('time', sentence, sequence);
    }
    if (sequence === last.sequence + 1) {
      this.hashesChecked += 1;
      if (movementHash(this.prunes.hashAfter(last), movement) !== hash) {
        const changed =
          sequence === 1 ? 'it was changed' : `it was changed, or ${this.prunes.recordAfter(last.sequence)}`;
        this.#faults.add('hash', `Movement ${sequence} does not match its hash: ${changed}.`, sequence);
      }
    } else if (isContiguous) this.reportGap(last.sequence + 1, sequence - 1);
    this.prunes.checkAfter(movement);
  }

  #passStart(retained: RetainedCheck): void {
    const { start } = this.prunes;
    const last = this.#last;
    if (last.sequence === start.sequence && last.hash !== start.hash) {
      const sentence = `Movement ${last.sequence} does not have the hash that the ledger begins with.`;
      this.#faults.add('hash', sentence, last.sequence);
    }
    retained.finish();
    this.#retained = undefined;
    this.#position = start.sequence;
    this.#last = start;
  }
}
