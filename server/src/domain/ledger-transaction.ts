import { type PetStatus, type StatusPolicy, statusAfter } from './inventory.ts';
import {
  type Author,
  type ChainHead,
  type Explanation,
  type Movement,
  movementHash,
  UNEXPLAINED,
} from './ledger.ts';
import {
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
}

/** A pet's stock, and whether it already differs from the database's. */
interface Held {
  readonly stock: Stock;
  readonly isChanged: boolean;
}

type Wanted = Pick<Stock, 'quantity' | 'status'>;
type MoveFields = Pick<Movement, 'petId' | 'kind' | 'revertedSequence'> & {
  readonly explanation: Explanation | undefined;
};

/**
 * Applies changes one after the other to stock that was read under the ledger's lock, as if each were alone. It alone
 * decides about changes: a database only reads before it, and writes `movements` and `changed` after it.
 */
export class LedgerTransaction {
  readonly #rules: StockRules;
  readonly #stock: Map<bigint, Stock>;
  readonly #changed = new Set<bigint>();
  readonly #movements: Movement[] = [];
  #head: ChainHead;
  /** The stock of each pet before the running savepoint changed it. */
  #held: Map<bigint, Held> | undefined;

  /** @param stock The stock of every pet that a change may name. This object changes it. */
  constructor(rules: StockRules, head: ChainHead, stock: Map<bigint, Stock>) {
    this.#rules = rules;
    this.#head = head;
    this.#stock = stock;
  }

  /** The sequence of the newest movement, including those of this transaction. */
  get sequence(): number {
    return this.#head.sequence;
  }

  get movements(): readonly Movement[] {
    return this.#movements;
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

  apply(change: Change, author: Author): ChangeOutcome {
    const before = this.#stock.get(change.petId);
    if (!before) return { code: 'not_found' };
    const { petId, kind, explanation } = change;
    return this.#move(before, this.#wantedBy(change, before), change, author, {
      petId,
      kind,
      explanation,
      revertedSequence: null,
    });
  }

  /** Reverts the quantity of a movement and, if the status is still the one that the movement set, the status. */
  revert(
    movement: Movement,
    author: Author,
    conditions: Preconditions & { readonly explanation?: Explanation | undefined },
  ): ChangeOutcome {
    const before = this.#stock.get(movement.petId);
    if (!before) return { code: 'not_found' };
    const quantity = before.quantity - (movement.quantityAfter - movement.quantityBefore);
    const status = this.#statusReverted(movement, before, quantity);
    return this.#move(before, { quantity, status }, conditions, author, {
      petId: movement.petId,
      kind: 'revert',
      explanation: conditions.explanation,
      revertedSequence: movement.sequence,
    });
  }

  /** Runs a command whose changes are kept only if it returns true; otherwise all of them are undone. */
  savepoint(command: () => boolean): boolean {
    const [head, movements] = [this.#head, this.#movements.length];
    const held = new Map<bigint, Held>();
    this.#held = held;
    const isKept = command();
    this.#held = undefined;
    if (isKept) return true;
    this.#head = head;
    this.#movements.length = movements;
    for (const [petId, { stock, isChanged }] of held) {
      this.#stock.set(petId, stock);
      if (!isChanged) this.#changed.delete(petId);
    }
    return false;
  }

  #wantedBy(change: Change, { quantity, status }: Stock): Wanted {
    if (change.kind === 'status') return { quantity, status: change.status };
    const wanted = change.kind === 'set' ? change.quantity : quantity + change.delta;
    return { quantity: wanted, status: this.#statusAt(status, quantity, wanted) };
  }

  #statusAt(status: PetStatus, quantity: number, wanted: number): PetStatus {
    return wanted === quantity ? status : statusAfter(this.#rules.statusPolicy, status, wanted);
  }

  /** The status policy also holds after later changes: what is left of a reverted restock is not sold. */
  #statusReverted(
    { quantityBefore, statusBefore, statusAfter: made }: Movement,
    { status, quantity }: Stock,
    wanted: number,
  ): PetStatus {
    const isStill = statusBefore !== null && statusBefore !== made && status === made;
    if (!isStill) return this.#statusAt(status, quantity, wanted);
    return wanted === quantityBefore ? statusBefore : this.#statusAt(statusBefore, quantity, wanted);
  }

  #refusal(before: Stock, wanted: Wanted, conditions: Preconditions): StockRefusal | undefined {
    if (unmetHeader(conditions, before)) return 'precondition_failed';
    const { changeFromQuantity } = conditions;
    if (changeFromQuantity !== undefined && changeFromQuantity !== before.quantity) return 'conflict';
    if (wanted.quantity < 0) return 'insufficient_stock';
    // Stock above a lowered ceiling can still be reduced.
    if (wanted.quantity > Math.max(this.#rules.maxQuantity, before.quantity)) return 'too_much_stock';
    return undefined;
  }

  #move(
    before: Stock,
    wanted: Wanted,
    conditions: Preconditions,
    { actor, actorName, requestId, atMs }: Author,
    { petId, kind, explanation = UNEXPLAINED, revertedSequence }: MoveFields,
  ): ChangeOutcome {
    const refusal = this.#refusal(before, wanted, conditions);
    if (refusal) return { code: refusal, stock: before };
    const { quantity, status } = wanted;
    // A set with a reason that finds its quantity is a recount: its confirmation is worth a movement.
    const isRecount = kind === 'set' && explanation.reason !== null;
    if (quantity === before.quantity && status === before.status && !isRecount) {
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
      reason: explanation.reason,
      note: explanation.note,
      referenceDocumentUri: explanation.referenceDocumentUri,
      referenceId: explanation.referenceId,
      occurredAtMs: explanation.occurredAtMs,
      actor,
      actorName,
      requestId,
      // A movement never has an earlier time than the one before it, whatever the clocks show.
      recordedAtMs: Math.max(atMs, this.#head.recordedAtMs),
      revertedSequence,
    };
    const movement: Movement = { ...fields, hash: movementHash(this.#head.hash, fields) };
    const stock: Stock = {
      quantity,
      status,
      version: movement.version,
      lastSequence: movement.sequence,
      updatedAtMs: movement.recordedAtMs,
    };
    if (this.#held && !this.#held.has(petId)) {
      this.#held.set(petId, { stock: before, isChanged: this.#changed.has(petId) });
    }
    this.#stock.set(petId, stock);
    this.#changed.add(petId);
    this.#movements.push(movement);
    this.#head = movement;
    return { code: 'done', before, stock, movement };
  }
}
