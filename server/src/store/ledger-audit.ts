import { serviceUnavailable } from '../domain/errors.ts';
import { FIRST_HASH, type LedgerEnd, movementHash } from '../domain/ledger.ts';
import type { AuditReport } from '../domain/ledger-store.ts';
import {
  type AuditedMovement,
  type AuditedStock,
  type AuditSource,
  movementSlices,
  stockSlices,
} from './audited-rows.ts';
import { LastMovements } from './last-movements.ts';
import { readHead, readStart } from './ledger-bounds.ts';
import { LedgerFaults } from './ledger-faults.ts';
import { balanceFault, historyFault, revertFault } from './movement-faults.ts';
import { SequenceSet } from './sequence-set.ts';

/** An audit that pruning has overtaken is begun anew so often at most. */
const ATTEMPTS = 5;

/**
 * Recomputes every hash and every balance of a ledger, while others go on writing to it: no fault that it tells is only
 * a change on its way. Memory is needed for each pet, and a bit for each movement that was taken back.
 * @throws ApiError `service_unavailable` when the beginning of the ledger never stands still.
 */
export async function auditLedger(source: AuditSource): Promise<AuditReport> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const audit = new LedgerAudit(source);
    if (await audit.carryOut()) return audit.report;
  }
  throw serviceUnavailable('The ledger is being pruned; audit it later.', undefined, 60);
}

/** One pass over the ledger, and then over the stock. */
class LedgerAudit {
  readonly #source: AuditSource;
  readonly #faults = new LedgerFaults();
  readonly #pets = new LastMovements();
  readonly #reverted = new SequenceSet();
  #start: LedgerEnd = { sequence: 0, recordedAtMs: 0, hash: FIRST_HASH };
  /** The newest movement that was read, from where the ledger begins on. */
  #end = this.#start;
  #position = Number.MIN_SAFE_INTEGER;
  #movementCount = 0;
  #petCount = 0;

  constructor(source: AuditSource) {
    this.#source = source;
  }

  get report(): AuditReport {
    const { sequence, hash } = this.#end;
    return {
      pets: this.#petCount,
      movements: this.#movementCount,
      head: { sequence, hash },
      firstBadSequence: this.#faults.firstBadSequence,
      faults: this.#faults.sentences,
    };
  }

  /** Returns whether the report holds; it does not where movements were pruned under the audit's eyes. */
  async carryOut(): Promise<boolean> {
    try {
      const start = await readStart(this.#source);
      if (start) this.#start = start;
      else this.#faults.add('start', 'The ledger does not say where it begins.', null);
      this.#end = this.#start;
      await this.#readUpTo(await readHead(this.#source));
      // Pruning always leaves the newest movement of the ledger.
      if (this.#start.sequence > 0 && this.#end === this.#start) this.#tellGap(this.#end.sequence + 1);
      await this.#compareStock();
      if (this.#faults.areNone) return true;
      return (await readStart(this.#source))?.sequence === start?.sequence;
    } catch (error) {
      const damage = this.#source.damageOf(error);
      if (damage === undefined) throw error;
      this.#faults.add('damage', damage, null);
      return true;
    }
  }

  async #readUpTo(head: number): Promise<void> {
    for await (const slice of movementSlices(this.#source, this.#position, head)) {
      for (const audited of slice) this.#take(audited);
    }
  }

  #take(audited: AuditedMovement): void {
    const { movement } = audited;
    const { sequence, petId, revertedSequence } = movement;
    this.#movementCount += 1;
    if (sequence <= this.#position) {
      this.#faults.add('gap', `Movement ${sequence} stands in the ledger twice.`, sequence);
      return;
    }
    this.#position = sequence;
    if (sequence < 1) {
      const sentence = `Movement ${sequence} stands before the ledger begins at 1.`;
      this.#faults.add('start', sentence, sequence);
      return;
    }
    const isFirstRevert = revertedSequence === null || this.#reverted.add(revertedSequence);
    if (sequence > this.#start.sequence) {
      this.#checkLink(movement);
      this.#checkHistory(movement);
      this.#tell('revert', revertFault(audited, isFirstRevert, this.#start.sequence), sequence);
      this.#end = movement;
    } else if (sequence === this.#start.sequence && movement.hash !== this.#start.hash) {
      const sentence = `Movement ${sequence} does not have the hash that the ledger begins with.`;
      this.#faults.add('hash', sentence, sequence);
    }
    const { version, quantityAfter: quantity, statusAfter: status, recordedAtMs } = movement;
    this.#pets.set(petId, { sequence, version, quantity, status, recordedAtMs });
  }

  /** Whether the ledger goes on with a movement where it ended before it. */
  #checkLink(movement: AuditedMovement['movement']): void {
    const { sequence, recordedAtMs, hash } = movement;
    const end = this.#end;
    if (recordedAtMs < end.recordedAtMs) {
      this.#faults.add(
        'time',
        `Movement ${sequence} was recorded before movement ${end.sequence}.`,
        sequence,
      );
    }
    if (sequence > end.sequence + 1) this.#tellGap(end.sequence + 1, sequence - 1);
    else if (movementHash(end.hash, movement) !== hash) {
      const changed = sequence === 1 ? 'it was changed' : `it was changed, or movement ${end.sequence}`;
      this.#faults.add('hash', `Movement ${sequence} does not match its hash: ${changed}.`, sequence);
    }
  }

  #checkHistory(movement: AuditedMovement['movement']): void {
    const last = this.#pets.get(movement.petId);
    const previous = movement.previousSequence ?? 0;
    const isPreviousGone = previous > (last?.sequence ?? 0) && previous <= this.#start.sequence;
    if (!isPreviousGone) this.#tell('history', historyFault(movement, last), movement.sequence);
  }

  /**
   * Each slice of the stock is compared with the ledger as it was at the moment of the slice. A pet that came after
   * the first slice may have come behind it, and has no stock to be missed.
   */
  async #compareStock(): Promise<void> {
    const seen = new Uint8Array(this.#pets.size);
    for await (const { head, stock } of stockSlices(this.#source)) {
      await this.#readUpTo(head);
      this.#petCount += stock.length;
      for (const item of stock) {
        const place = this.#pets.placeOf(item.petId);
        if (place !== undefined && place < seen.length) seen[place] = 1;
        this.#checkBalance(item, place);
      }
    }
    // A look at a byte for each pet: a million of them within a turn of the event loop.
    for (let place = seen.indexOf(0); place >= 0; place = seen.indexOf(0, place + 1)) {
      const { sequence } = this.#pets.at(place);
      const petId = this.#pets.petIdAt(place);
      this.#faults.add('balance', `Pet ${petId} has movements, but no stock.`, sequence);
    }
  }

  #checkBalance(stock: AuditedStock, place: number | undefined): void {
    if (place === undefined) {
      this.#faults.add('unexplained', `Pet ${stock.petId} has stock, but no movement.`, null);
      return;
    }
    const last = this.#pets.at(place);
    // Stock can name a movement that was cut off the end.
    const shownAt = Math.min(Math.max(stock.lastSequence, last.sequence), this.#end.sequence + 1);
    this.#tell('balance', balanceFault(stock, last), shownAt);
  }

  #tellGap(first: number, last = first): void {
    const range = first === last ? `${first}` : `${first} to ${last}`;
    this.#faults.add('gap', `The ledger has no movement ${range}.`, first);
  }

  #tell(sort: 'history' | 'revert' | 'balance', sentence: string | undefined, sequence: number): void {
    if (sentence !== undefined) this.#faults.add(sort, sentence, sequence);
  }
}
