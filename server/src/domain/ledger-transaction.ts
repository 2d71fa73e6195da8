import { alertLevel, type Thresholds, thresholdsOf } from './alerts.ts';
import { type PetStatus, type StatusPolicy, statusAfter } from './inventory.ts';
import {
  type Author,
  type ChainHead,
  type Explanation,
  type Movement,
  movementHash,
  UNEXPLAINED,
} from './ledger.ts';
import { revertedSale, type Sale, saleOf } from './sales.ts';
import {
  availableOf,
  type Change,
  type ChangeOutcome,
  type Preconditions,
  type Stock,
  type StockRefusal,
  unmetHeader,
} from './stock.ts';

export interface StockRules {
  readonly statusPolicy: StatusPolicy;
  readonly maxQuantity: number;
  /** How long an order without an expiry of its own holds its units, in milliseconds; `null`: until it is closed. */
  readonly orderHoldMs: number | null;
}

/** What a transaction begins with, read under the ledger's lock. */
export interface LedgerState {
  readonly head: ChainHead;
  /** Of every pet that a change may name. The transaction changes it. */
  readonly stock: Map<bigint, Stock>;
  /** The thresholds of pets without their own. */
  readonly thresholds: Thresholds;
}

/** A pet's stock, and whether it already differs from the database's. */
interface Held {
  readonly stock: Stock;
  readonly isChanged: boolean;
}

/** What a movement can change. */
type Wanted = Pick<Stock, 'quantity' | 'reserved' | 'status' | 'lowStockAt' | 'restockAt'>;
type MoveFields = Pick<Movement, 'petId' | 'kind'> & {
  readonly explanation?: Explanation | undefined;
  readonly orderId?: number;
  readonly reverted?: Movement;
  /** Whether it may take units that are reserved. */
  readonly takesReserved: boolean;
};

/** A step of an order on the stock of one pet. */
export interface OrderMove {
  readonly petId: bigint;
  readonly kind: 'reserve' | 'release' | 'deliver' | 'return';
  readonly orderId: number;
  readonly units: number;
  readonly explanation: Explanation | undefined;
}

/** How one unit of a step changes the stock. */
const UNIT = {
  reserve: { quantity: 0, reserved: 1 },
  release: { quantity: 0, reserved: -1 },
  deliver: { quantity: -1, reserved: -1 },
  return: { quantity: 1, reserved: 0 },
} as const;

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
  readonly #sales: Sale[] = [];
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

  /** The sales of the movements. */
  get sales(): readonly Sale[] {
    return this.#sales;
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

  /** The movement of this transaction that reverts another one, if there is one. */
  revertOf(sequence: number): number | undefined {
    return this.#movements.find(({ revertedSequence }) => revertedSequence === sequence)?.sequence;
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
    return this.#move(before, this.#wantedBy(change, before), change, author, {
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
    },
  ): ChangeOutcome {
    const before = this.#stock.get(movement.petId);
    if (!before) return { code: 'not_found' };
    const quantity = before.quantity - (movement.quantityAfter - movement.quantityBefore);
    const status = this.#statusReverted(movement, before, quantity);
    return this.#move(before, { ...before, quantity, status }, conditions, author, {
      petId: movement.petId,
      kind: 'revert',
      explanation: conditions.explanation,
      reverted: movement,
      takesReserved: conditions.takesReserved === true,
    });
  }

  /** A step of an order. It is refused where too few units are available to reserve, or on hand to deliver. */
  moveForOrder({ petId, kind, orderId, units, explanation }: OrderMove, author: Author): ChangeOutcome {
    const before = this.#stock.get(petId);
    if (!before) return { code: 'not_found' };
    const quantity = before.quantity + UNIT[kind].quantity * units;
    const reserved = before.reserved + UNIT[kind].reserved * units;
    const status = statusAfter(this.rules.statusPolicy, before.status, { quantity, reserved });
    return this.#move(before, { ...before, quantity, reserved, status }, {}, author, {
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
    this.#movements.length = movements;
    this.#sales.length = sales;
    for (const [petId, { stock, isChanged }] of held) {
      this.#stock.set(petId, stock);
      if (!isChanged) this.#changed.delete(petId);
    }
    return false;
  }

  #wantedBy(change: Change, before: Stock): Wanted {
    if (change.kind === 'status') return { ...before, status: change.status };
    if (change.kind === 'thresholds') {
      const { lowStockAt, restockAt } = change;
      return lowStockAt === undefined ? before : { ...before, lowStockAt, restockAt };
    }
    const quantity = change.kind === 'set' ? change.quantity : before.quantity + change.delta;
    return { ...before, quantity, status: this.#statusAt(before.status, before, quantity) };
  }

  #statusAt(status: PetStatus, { quantity, reserved }: Stock, wanted: number): PetStatus {
    if (wanted === quantity) return status;
    return statusAfter(this.rules.statusPolicy, status, { quantity: wanted, reserved });
  }

  /** The status policy also holds after later changes: what is left of a reverted restock is not sold. */
  #statusReverted(
    { quantityBefore, reservedBefore, statusBefore, statusAfter: made }: Movement,
    before: Stock,
    wanted: number,
  ): PetStatus {
    const isStill = statusBefore !== null && statusBefore !== made && before.status === made;
    if (!isStill) return this.#statusAt(before.status, before, wanted);
    const isSameStock = wanted === quantityBefore && before.reserved === reservedBefore;
    return isSameStock ? statusBefore : this.#statusAt(statusBefore, before, wanted);
  }

  #refusal(
    before: Stock,
    wanted: Wanted,
    conditions: Preconditions,
    takesReserved: boolean,
  ): StockRefusal | undefined {
    if (unmetHeader(conditions, before)) return 'precondition_failed';
    const { changeFromQuantity } = conditions;
    if (changeFromQuantity !== undefined && changeFromQuantity !== before.quantity) return 'conflict';
    if (wanted.quantity < 0) return 'insufficient_stock';
    const isLess = availableOf(wanted) < availableOf(before);
    if (!takesReserved && isLess && availableOf(wanted) < 0) {
      return wanted.reserved > before.reserved ? 'insufficient_stock' : 'stock_reserved';
    }
    // Stock above a lowered ceiling can still be reduced.
    if (wanted.quantity > Math.max(this.rules.maxQuantity, before.quantity)) return 'too_much_stock';
    return undefined;
  }

  #move(
    before: Stock,
    { quantity, reserved, status, lowStockAt, restockAt }: Wanted,
    conditions: Preconditions,
    author: Author,
    { petId, kind, explanation = UNEXPLAINED, orderId, reverted, takesReserved }: MoveFields,
  ): ChangeOutcome {
    const wanted = { quantity, reserved, status, lowStockAt, restockAt };
    const refusal = this.#refusal(before, wanted, conditions, takesReserved);
    if (refusal) return { code: refusal, stock: before };
    const level = alertLevel(before.alertLevel, availableOf(wanted), thresholdsOf(wanted, this.#thresholds));
    if (!isRecorded(before, wanted, level, kind, explanation)) {
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
    const stock: Stock = {
      quantity,
      reserved,
      status,
      version: movement.version,
      lastSequence: movement.sequence,
      updatedAtMs: movement.recordedAtMs,
      alertLevel: level,
      lowStockAt,
      restockAt,
    };
    this.#keep(before, stock, movement, reverted);
    return { code: 'done', before, stock, movement };
  }

  #keep(before: Stock, stock: Stock, movement: Movement, reverted: Movement | undefined): void {
    const { petId } = movement;
    if (this.#held && !this.#held.has(petId)) {
      this.#held.set(petId, { stock: before, isChanged: this.#changed.has(petId) });
    }
    this.#stock.set(petId, stock);
    this.#changed.add(petId);
    this.#movements.push(movement);
    const sale = reverted ? revertedSale(reverted) : saleOf(movement);
    if (sale) this.#sales.push(sale);
    this.#head = movement;
  }
}

/** Whether a change is worth a movement: it changes something, or a set with a reason confirms a quantity (a recount). */
function isRecorded(
  before: Stock,
  wanted: Wanted,
  level: Stock['alertLevel'],
  kind: Movement['kind'],
  { reason }: Explanation,
): boolean {
  if (wanted.quantity !== before.quantity || wanted.status !== before.status) return true;
  if (wanted.reserved !== before.reserved) return true;
  if (kind === 'set') return reason !== null;
  if (kind !== 'thresholds') return false;
  const isSame = wanted.lowStockAt === before.lowStockAt && wanted.restockAt === before.restockAt;
  return !isSame || level !== before.alertLevel;
}
