import { isDeletion } from '@petstore-inventory/shared/deletion';
import type { ReportProgress } from '@petstore-inventory/shared/report-progress';
import { serviceUnavailable } from '../../domain/errors.ts';
import { FIRST_HASH } from '../../domain/ledger/ledger.ts';
import type { AuditReport, ChainPoint } from '../../domain/ledger-store.ts';
import { readHead, readStart } from '../ledger/ledger-bounds.ts';
import { balanceFault, deletionFault, historyFault, recordFault, revertFault } from './audit-checks.ts';
import { LedgerFaults } from './audit-findings.ts';
import {
  type AuditedMovement,
  type AuditedStock,
  type AuditSource,
  deletedPages,
  SequenceSet,
  stockPages,
} from './audit-rows.ts';
import { expectedFaults } from './expected-point.ts';
import { LastMovements } from './latest-movements.ts';
import { LedgerChain } from './ledger-chain.ts';

/** The most times that an audit begins again because a prune overtook it. */
const ATTEMPTS = 5;

/**
 * Recomputes every hash and every balance of a ledger while others write to it. A change in progress is never
 * reported as a fault. It needs memory per pet, and one bit per reverted movement.
 * @param expected Hashes that the ledger must contain, and that confirm its prunes. Without one, no prune needs
 * confirmation.
 * @throws ApiError `service_unavailable` when prunes overtake each attempt.
 */
export async function auditLedger(
  source: AuditSource,
  expected: readonly ChainPoint[] = [],
  progress?: ReportProgress,
): Promise<AuditReport> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const report = await new LedgerAudit(source, expected, progress).execute();
    if (report) return report;
  }
  throw serviceUnavailable('The ledger is being pruned; audit it later.', undefined, 60);
}

/** One pass over the ledger, and then over the stock. */
class LedgerAudit {
  readonly #source: AuditSource;
  readonly #expected: readonly ChainPoint[];
  readonly #progress: ReportProgress | undefined;
  readonly #faults = new LedgerFaults();
  readonly #pets = new LastMovements();
  readonly #reverted = new SequenceSet();
  #chain: LedgerChain | undefined;
  #retentionStart = 0;
  #petCount = 0;
  readonly #expectedSequences: ReadonlySet<number>;
  /** The hashes of the expected sequences that were found. */
  readonly #foundHashes = new Map<number, string>();

  constructor(source: AuditSource, expected: readonly ChainPoint[], progress: ReportProgress | undefined) {
    this.#source = source;
    this.#expected = expected;
    this.#progress = progress;
    this.#expectedSequences = new Set(expected.map(({ sequence }) => sequence));
  }

  /** Returns nothing when a prune overtook the audit. */
  async execute(): Promise<AuditReport | undefined> {
    try {
      const chain = await LedgerChain.open(this.#source, this.#faults);
      this.#chain = chain;
      this.#retentionStart = chain.prunes.start.sequence;
      await this.#readLedger(chain, await readHead(this.#source));
      // Pruning always leaves the newest movement of the ledger.
      const { sequence } = chain.head;
      if (this.#retentionStart > 0 && sequence === this.#retentionStart) chain.reportGap(sequence + 1);
      await this.#compareStock(chain);
      chain.prunes.checkEnd(chain.head.sequence);
      this.#checkExpected(chain);
      if (!this.#faults.isEmpty && (await this.#isOvertaken())) return undefined;
    } catch (error) {
      const damage = this.#source.damageOf(error);
      if (damage === undefined) throw error;
      this.#faults.add('damage', damage, null);
    }
    return this.#summary();
  }

  #summary(): AuditReport {
    const { prunes, movementCount = 0, hashesChecked = 0, head } = this.#chain ?? {};
    const { sequence, recordedAtMs } = prunes?.start ?? { sequence: 0, recordedAtMs: 0 };
    return {
      pets: this.#petCount,
      movements: movementCount,
      hashesChecked,
      retentionStart: { sequence, recordedAtMs },
      prunes: prunes?.prunes ?? [],
      head: head ?? { sequence: 0, hash: FIRST_HASH },
      firstBadSequence: this.#faults.firstBadSequence,
      faults: this.#faults.sentences,
      findings: this.#faults.findings,
    };
  }

  /** Each prune moves the retention start to a later movement. */
  async #isOvertaken(): Promise<boolean> {
    return (await readStart(this.#source))?.sequence !== this.#chain?.saidStart;
  }

  async #readLedger(chain: LedgerChain, head: number): Promise<void> {
    const total = head - this.#retentionStart + (chain.prunes.newest?.retained ?? 0);
    await this.#readUpTo(chain, head, () =>
      this.#progress?.('Verifying movements', chain.movementCount, total),
    );
  }

  async #readUpTo(chain: LedgerChain, head: number, onPage: () => void = () => {}): Promise<void> {
    for await (const page of chain.read(head)) {
      for (const audited of page) this.#take(audited);
      onPage();
    }
  }

  #take(audited: AuditedMovement): void {
    const { movement } = audited;
    const { sequence, petId, revertedSequence } = movement;
    const isFirstRevert = revertedSequence === null || this.#reverted.add(revertedSequence);
    if (sequence > this.#retentionStart) {
      this.#checkHistory(movement);
      this.#report('revert', revertFault(audited, isFirstRevert, this.#retentionStart), sequence);
    }
    if (this.#expectedSequences.has(sequence)) this.#foundHashes.set(sequence, movement.hash);
    const isDeleted = isDeletion(movement);
    this.#pets.set(petId, {
      sequence,
      version: movement.version,
      quantity: movement.quantityAfter,
      status: isDeleted ? null : movement.statusAfter,
      recordedAtMs: movement.recordedAtMs,
      reserved: movement.reservedAfter,
      alertLevel: isDeleted ? null : movement.alertAfter,
    });
  }

  #checkExpected({ prunes: { prunes }, head }: LedgerChain): void {
    const ledger = { foundHashes: this.#foundHashes, prunes, head };
    for (const sentence of expectedFaults(this.#expected, ledger)) {
      this.#faults.add('expected', sentence, null);
    }
  }

  #checkHistory(movement: AuditedMovement['movement']): void {
    const last = this.#pets.get(movement.petId);
    const previous = movement.previousSequence ?? 0;
    const isPreviousGone = previous > (last?.sequence ?? 0) && previous <= this.#retentionStart;
    if (isPreviousGone) return;
    const fault = historyFault(movement, last) ?? deletionFault(movement, last);
    this.#report('history', fault, movement.sequence);
  }

  /**
   * Compares each page of the stock with the ledger as it was at the moment of the page. A pet that was added after
   * the first page may be missing in the pages, without a fault, and so may one that was deleted or added again since.
   */
  async #compareStock(chain: LedgerChain): Promise<void> {
    const seen = new Uint8Array(this.#pets.size);
    const begin = chain.head.sequence;
    for await (const { head, stock } of stockPages(this.#source)) {
      await this.#readUpTo(chain, head);
      this.#petCount += stock.length;
      this.#progress?.('Verifying pets', this.#petCount, this.#pets.size);
      for (const item of stock) {
        const place = this.#pets.placeOf(item.petId);
        if (place !== undefined && place < seen.length) seen[place] = 1;
        this.#checkBalance(item, place, chain.head.sequence);
      }
    }
    for await (const { head, deleted } of deletedPages(this.#source)) {
      await this.#readUpTo(chain, head);
      for (const pet of deleted) {
        const place = this.#pets.placeOf(pet.petId);
        if (place !== undefined && place < seen.length) seen[place] = 1;
        const last = place === undefined ? undefined : this.#pets.at(place);
        this.#report('balance', recordFault(pet, last), pet.lastSequence);
      }
    }
    // One byte per pet: a million of them take less than a turn of the event loop.
    for (let place = seen.indexOf(0); place >= 0; place = seen.indexOf(0, place + 1)) {
      const { sequence, status } = this.#pets.at(place);
      if (sequence > begin) continue;
      const what = status === null ? 'was deleted, but has no record of that' : 'has movements, but no stock';
      this.#faults.add('balance', `Pet ${this.#pets.petIdAt(place)} ${what}.`, sequence);
    }
  }

  #checkBalance(stock: AuditedStock, place: number | undefined, headSequence: number): void {
    if (place === undefined) {
      this.#faults.add('unexplained', `Pet ${stock.petId} has stock, but no movement.`, null);
      return;
    }
    const last = this.#pets.at(place);
    // Stock can name a movement that was deleted at the end of the ledger.
    const shownAt = Math.min(Math.max(stock.lastSequence, last.sequence), headSequence + 1);
    this.#report('balance', balanceFault(stock, last), shownAt);
  }

  #report(kind: 'history' | 'revert' | 'balance', sentence: string | undefined, sequence: number): void {
    if (sentence !== undefined) this.#faults.add(kind, sentence, sequence);
  }
}
