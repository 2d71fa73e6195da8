import { isDeletion } from '@petstore-inventory/shared/deletion';
import type { Thresholds } from '@petstore-inventory/shared/thresholds';
import type { StatusPolicy } from '../inventory.ts';
import { alertLevel, thresholdsOf } from './alerts.ts';
import {
  isRecorded,
  type OrderMoveKind,
  refusalOf,
  type Wanted,
  wantedBy,
  wantedByOrder,
  wantedByRevert,
} from './change-rules.ts';
import {
  type Author,
  type ChainHead,
  type Explanation,
  type Movement,
  movementHash,
  UNEXPLAINED,
} from './ledger.ts';
import { oppositeSale, type Sale, saleOf } from './sales.ts';
import type { Change, ChangeOutcome, Preconditions, Stock } from './stock.ts';

export interface StockRules {
  readonly statusPolicy: StatusPolicy;
  readonly maxQuantity: number;
  /** How long an order without an expiry of its own holds its units, in milliseconds; `null`: until it is closed. */
  readonly orderHoldMs: number | null;
}

/** What a transaction begins with, read under the ledger's lock. */
export interface LedgerState {
  readonly head: ChainHead;
  /** Stock by petId, of every pet that a change may name. The transaction mutates this map. */
  readonly stock: Map<bigint, Stock>;
  /** The thresholds of pets without their own. */
  readonly thresholds: Thresholds;
}

/** A pet's stock, and whether it already differs from the database's. */
interface Held {
  readonly stock: Stock;
  readonly isChanged: boolean;
}

type MoveFields = Pick<Movement, 'petId' | 'kind'> & {
  readonly explanation?: Explanation | undefined;
  readonly orderId?: number;
  readonly reverted?: Movement;
  /** What the reverted movement changed in the sales. */
  readonly revertedSale?: Sale | undefined;
  /** Whether it may take units that are reserved. */
  readonly takesReserved: boolean;
};

/** A step of an order on the stock of one pet. */
export interface OrderMove {
  readonly petId: bigint;
  readonly kind: OrderMoveKind;
  readonly orderId: number;
  readonly units: number;
  readonly explanation: Explanation | undefined;
}

/**
 * Applies changes one after the other to stock that was read under the ledger's lock, as if each were alone. It alone
 * decides about changes: a database only reads before it, and writes `movements` and `changed` after it.
 */
export class LedgerTransaction {
  readonly rules: StockRules;
  readonly #stock: Map<bigint, Stock>;
  readonly #thresholds: Thresholds;
  readonly #changed = new Set<bigint>();
  readonly #movements: Movement[] = [];
  /** Changes of sales, each with its movement. */
  readonly #sales: { readonly sequence: number; readonly sale: Sale }[] = [];
  /** The reverts among the movements, by the sequence of what they revert. */
  readonly #reverts = new Map<number, number>();
  #head: ChainHead;
  /** The stock of each pet before the running savepoint changed it. */
  #held: Map<bigint, Held> | undefined;

  constructor(rules: StockRules, { head, stock, thresholds }: LedgerState) {
    this.rules = rules;
    this.#head = head;
    this.#stock = stock;
    this.#thresholds = thresholds;
  }

  /** The sequence of the newest movement, including those of this transaction. */
  get sequence(): number {
    return this.#head.sequence;
  }

  get movements(): readonly Movement[] {
    return this.#movements;
  }

  /** What the movements change in the sales. */
  get sales(): readonly Sale[] {
    return this.#sales.map(({ sale }) => sale);
  }

  /** The pets whose stock has changed, with the new stock. */
  *changed(): Generator<readonly [bigint, Stock]> {
    for (const petId of this.#changed) {
      const stock = this.#stock.get(petId);
      if (stock) yield [petId, stock];
    }
  }

  stockOf(petId: bigint): Stock | undefined {
    return this.#stock.get(petId);
  }

  /** A movement of this transaction, which is not in the database yet. */
  movement(sequence: number): Movement | undefined {
    return this.#movements[sequence - (this.#movements[0]?.sequence ?? 0)];
  }

  /** What a movement of this transaction changed in the sales. */
  changedSale(sequence: number): Sale | undefined {
    return this.#sales.find((changed) => changed.sequence === sequence)?.sale;
  }

  /** The movement of this transaction that reverts another one, if there is one. */
  revertOf(sequence: number): number | undefined {
    return this.#reverts.get(sequence);
  }

  /** The time to record: no record has an earlier time than the one before it, whatever the clocks show. */
  recordedAt({ atMs }: Author): number {
    return Math.max(atMs, this.#head.recordedAtMs);
  }

  apply(change: Change, author: Author): ChangeOutcome {
    const before = this.#stock.get(change.petId);
    if (!before) return { code: 'not_found' };
    const { petId, kind, explanation } = change;
    const takesReserved = kind !== 'adjust' || change.takesReserved === true;
    return this.#move(before, wantedBy(change, before, this.rules.statusPolicy), change, author, {
      petId,
      kind,
      explanation,
      takesReserved,
    });
  }

  /** Reverts the quantity of a movement and, if the status is still the one that the movement set, the status. */
  revert(
    movement: Movement,
    author: Author,
    conditions: Preconditions & {
      readonly explanation?: Explanation | undefined;
      readonly takesReserved?: boolean | undefined;
      /** What the movement changed in the sales. */
      readonly sale?: Sale | undefined;
    },
  ): ChangeOutcome {
    const before = this.#stock.get(movement.petId);
    if (!before) return { code: 'not_found' };
    // The pet that has this petId now is another one.
    if (isDeletion(movement)) return { code: 'nothing_to_revert', stock: before };
    const wanted = wantedByRevert(movement, before, this.rules.statusPolicy);
    return this.#move(before, wanted, conditions, author, {
      petId: movement.petId,
      kind: 'revert',
      explanation: conditions.explanation,
      reverted: movement,
      revertedSale: conditions.sale,
      takesReserved: conditions.takesReserved === true,
    });
  }

  /** A step of an order. It is refused where too few units are available to reserve, or on hand to deliver. */
  moveForOrder({ petId, kind, orderId, units, explanation }: OrderMove, author: Author): ChangeOutcome {
    const before = this.#stock.get(petId);
    if (!before) return { code: 'not_found' };
    const wanted = wantedByOrder({ kind, units }, before, this.rules.statusPolicy);
    return this.#move(before, wanted, {}, author, {
      petId,
      kind,
      explanation,
      orderId,
      takesReserved: kind !== 'reserve',
    });
  }

  /** Runs a command whose changes are kept only if it returns true; otherwise all of them are undone. */
  savepoint(command: () => boolean): boolean {
    const [head, movements, sales] = [this.#head, this.#movements.length, this.#sales.length];
    const held = new Map<bigint, Held>();
    this.#held = held;
    const isKept = command();
    this.#held = undefined;
    if (isKept) return true;
    this.#head = head;
    for (const { revertedSequence } of this.#movements.slice(movements)) {
      if (revertedSequence !== null) this.#reverts.delete(revertedSequence);
    }
    this.#movements.length = movements;
    this.#sales.length = sales;
    for (const [petId, { stock, isChanged }] of held) {
      this.#stock.set(petId, stock);
      if (!isChanged) this.#changed.delete(petId);
    }
    return false;
  }

  #move(
    before: Stock,
    wanted: Wanted,
    conditions: Preconditions,
    author: Author,
    { petId, kind, explanation = UNEXPLAINED, orderId, reverted, revertedSale, takesReserved }: MoveFields,
  ): ChangeOutcome {
    const refusal = refusalOf(before, wanted, conditions, {
      maxQuantity: this.rules.maxQuantity,
      takesReserved,
    });
    if (refusal) return { code: refusal, stock: before };
    const { quantity, reserved, status, lowStockAt, restockAt } = wanted;
    const thresholds = thresholdsOf(wanted, this.#thresholds);
    const level = alertLevel(before.alertLevel, quantity - reserved, thresholds);
    const after = { quantity, reserved, status, lowStockAt, restockAt, alertLevel: level };
    if (!isRecorded(before, after, kind, explanation)) {
      return kind === 'revert'
        ? { code: 'nothing_to_revert', stock: before }
        : { code: 'done', before, stock: before, movement: undefined };
    }
    const fields = {
      sequence: this.#head.sequence + 1,
      previousSequence: before.lastSequence,
      petId,
      version: before.version + 1,
      kind,
      quantityBefore: before.quantity,
      quantityAfter: quantity,
      statusBefore: before.status,
      statusAfter: status,
      reservedBefore: before.reserved,
      reservedAfter: reserved,
      alertBefore: before.alertLevel,
      alertAfter: level,
      orderId: orderId ?? null,
      reason: explanation.reason,
      note: explanation.note,
      referenceDocumentUri: explanation.referenceDocumentUri,
      referenceId: explanation.referenceId,
      occurredAtMs: explanation.occurredAtMs,
      actor: author.actor,
      actorName: author.actorName,
      requestId: author.requestId,
      recordedAtMs: this.recordedAt(author),
      revertedSequence: reverted?.sequence ?? null,
    };
    const movement: Movement = { ...fields, hash: movementHash(this.#head.hash, fields) };
    const { version, sequence: lastSequence, recordedAtMs: updatedAtMs } = movement;
    const stock: Stock = { ...after, version, lastSequence, updatedAtMs };
    this.#keep(before, stock, movement, revertedSale);
    return { code: 'done', before, stock, movement };
  }

  #keep(before: Stock, stock: Stock, movement: Movement, revertedSale: Sale | undefined): void {
    const { petId, sequence, revertedSequence } = movement;
    if (this.#held && !this.#held.has(petId)) {
      this.#held.set(petId, { stock: before, isChanged: this.#changed.has(petId) });
    }
    this.#stock.set(petId, stock);
    this.#changed.add(petId);
    this.#movements.push(movement);
    if (revertedSequence !== null) this.#reverts.set(revertedSequence, sequence);
    const sale = revertedSale ? oppositeSale(revertedSale) : saleOf(movement);
    if (sale) this.#sales.push({ sequence, sale });
    this.#head = movement;
  }
}
