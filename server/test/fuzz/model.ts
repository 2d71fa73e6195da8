import type { PetStatus } from '../../src/domain/inventory.ts';
import { type Stock, stockTag } from '../../src/domain/stock.ts';
import type { ExactJson } from '../support/exact-json.ts';
import { NOON } from '../support/harness.ts';

/** A pet with its stock, as the answers so far have left it. */
export type KnownItem = Stock & { readonly petId: bigint };

/** A movement, as far as the answers report it. */
export interface KnownMovement {
  readonly sequence: number;
  readonly petId: bigint;
  readonly kind: string;
  readonly reason: string | null;
  readonly actor: string;
  readonly delta: number;
  readonly quantityAfter: number;
  readonly statusBefore: string | null;
  readonly statusAfter: string;
  readonly revertedSequence: number | null;
}

/** The requested change of one pet. */
export interface Wish {
  readonly petId: bigint;
  readonly quantity?: number;
  readonly delta?: number;
  readonly status?: string;
  readonly reason?: string | null;
  readonly changeFromQuantity?: number;
  /** As a header or a row has it. */
  readonly ifMatch?: string | undefined;
  /** As a header has it. */
  readonly ifNoneMatch?: string | undefined;
  readonly reverts?: KnownMovement;
}

/** The required result of a request: its status and code, and its movement. */
export interface Outcome {
  readonly status: number;
  readonly code?: string;
  readonly movement?: KnownMovement | undefined;
}

/** Whether a header of tags names this one, or any; none of those sent is the weak spelling of a known tag. */
export function isNamed(header: string, tag: string): boolean {
  return header === '*' || header.includes(tag);
}

/** The largest quantity there can be. */
const MAX_QUANTITY = Number.MAX_SAFE_INTEGER;

/** The stock and the ledger as a client knows them after all answers. */
export class StockModel {
  readonly items = new Map<bigint, KnownItem>();
  readonly movements: KnownMovement[] = [];
  readonly #actor: string;

  constructor(actor: string) {
    this.#actor = actor;
  }

  get head(): number {
    return this.movements.length;
  }

  tagOf(petId: bigint): string | undefined {
    const item = this.items.get(petId);
    return item && `"${stockTag(item)}"`;
  }

  movement(sequence: number): KnownMovement | undefined {
    return this.movements[sequence - 1];
  }

  /** The outcome of a change of one pet; the change is applied unless it is refused. */
  change(wish: Wish): Outcome {
    const item = this.items.get(wish.petId);
    if (!item) return { status: 404, code: 'not_found' };
    const { ifMatch, ifNoneMatch, changeFromQuantity, reverts } = wish;
    const tag = `"${stockTag(item)}"`;
    const isSame = ifMatch === undefined || isNamed(ifMatch, tag);
    if (!isSame || (ifNoneMatch !== undefined && isNamed(ifNoneMatch, tag)))
      return { status: 412, code: 'precondition_failed' };
    if (changeFromQuantity !== undefined && changeFromQuantity !== item.quantity) return conflict();
    const delta = reverts ? -reverts.delta : (wish.delta ?? 0);
    const quantity = wish.quantity ?? item.quantity + delta;
    if (quantity < 0) return { status: 409, code: 'insufficient_stock' };
    if (quantity > MAX_QUANTITY) return conflict();
    const status = (statusReverted(item, reverts) ?? wish.status ?? item.status) as PetStatus;
    const isRecount = wish.quantity !== undefined && (wish.reason ?? null) !== null;
    if (quantity === item.quantity && status === item.status && !isRecount)
      return reverts ? conflict() : { status: 200 };
    return { status: 200, movement: this.#record(item, wish, { quantity, status }) };
  }

  /** The result of a revert of a movement. */
  revert(sequence: number, conditions: Omit<Wish, 'petId'>): Outcome {
    const reverts = this.movement(sequence);
    if (!reverts) return { status: 404, code: 'not_found' };
    if (this.movements.some(({ revertedSequence }) => revertedSequence === sequence)) return conflict();
    return this.change({ ...conditions, petId: reverts.petId, reverts });
  }

  /** The result of each of many changes; none is applied unless all are. */
  batch(wishes: readonly Wish[], isKept: (outcomes: readonly Outcome[]) => boolean): Outcome[] {
    const [items, length] = [new Map(this.items), this.movements.length];
    const outcomes = wishes.map((wish) => this.change(wish));
    if (isKept(outcomes)) return outcomes;
    this.movements.length = length;
    for (const [petId, item] of items) this.items.set(petId, item);
    return outcomes;
  }

  /** The stock after a movement. */
  at(sequence: number): KnownItem[] {
    const items = new Map<bigint, KnownItem>();
    for (const movement of this.movements.slice(0, sequence)) {
      const { petId, quantityAfter, statusAfter } = movement;
      const version = (items.get(petId)?.version ?? 0) + 1;
      const status = statusAfter as PetStatus;
      const place = { lastSequence: movement.sequence, updatedAtMs: NOON };
      items.set(petId, { petId, quantity: quantityAfter, status, version, ...place });
    }
    return [...items.values()].toSorted((a, b) => (a.petId < b.petId ? -1 : 1));
  }

  /** Takes everything as the service has it. */
  reload(movements: readonly KnownMovement[]): void {
    this.movements.splice(0, this.movements.length, ...movements);
    this.items.clear();
    for (const item of this.at(this.head)) this.items.set(item.petId, item);
  }

  #record(item: KnownItem, wish: Wish, wanted: Pick<Stock, 'quantity' | 'status'>): KnownMovement {
    const { petId } = item;
    const sequence = this.head + 1;
    const movement: KnownMovement = {
      sequence,
      petId,
      kind: kindOf(wish),
      reason: wish.reason ?? null,
      actor: this.#actor,
      delta: wanted.quantity - item.quantity,
      quantityAfter: wanted.quantity,
      statusBefore: item.status,
      statusAfter: wanted.status,
      revertedSequence: wish.reverts?.sequence ?? null,
    };
    this.movements.push(movement);
    const place = { version: item.version + 1, lastSequence: sequence, updatedAtMs: NOON };
    this.items.set(petId, { petId, ...wanted, ...place });
    return movement;
  }
}

function conflict(): Outcome {
  return { status: 409, code: 'conflict' };
}

function kindOf({ reverts, quantity, delta }: Wish): string {
  if (reverts) return 'revert';
  if (quantity !== undefined) return 'set';
  return delta === undefined ? 'status' : 'adjust';
}

function statusReverted({ status }: KnownItem, reverts: KnownMovement | undefined): string | undefined {
  if (!reverts || reverts.statusBefore === null || reverts.statusBefore === reverts.statusAfter)
    return undefined;
  return status === reverts.statusAfter ? reverts.statusBefore : undefined;
}

/** The compared fields of a movement in an answer. */
export function knownMovement(row: ExactJson): KnownMovement {
  const { petId, actor, ...fields } = row as unknown as Omit<KnownMovement, 'petId' | 'actor'> & {
    readonly petId: number | bigint;
    readonly actor: { readonly keyId: string | null; readonly name: string };
  };
  const { sequence, kind, reason, delta, quantityAfter, statusBefore, statusAfter, revertedSequence } =
    fields;
  return {
    sequence,
    petId: BigInt(petId),
    kind,
    reason,
    actor: actor.keyId ?? actor.name,
    delta,
    quantityAfter,
    statusBefore,
    statusAfter,
    revertedSequence,
  };
}
