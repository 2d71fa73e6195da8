import { NO_THRESHOLDS } from '@petstore-inventory/shared/thresholds';
import type { AlertLevel, PetStatus } from '@petstore-inventory/shared/words';
import { type Stock, stockTag } from '../../src/domain/ledger/stock.ts';
import { NOON } from '../support/harness.ts';
import type { KnownMovement } from './known-movement.ts';

/** A pet with its stock, as the answers so far have left it. */
export type KnownItem = Stock & { readonly petId: bigint };

/** The requested change of one pet. */
export interface Wish {
  readonly petId: bigint;
  readonly quantity?: number;
  readonly delta?: number;
  readonly status?: string;
  readonly reason?: string | null;
  readonly changeFromQuantity?: number;
  readonly takeReserved?: boolean;
  /** As a header or a row has it. */
  readonly ifMatch?: string | undefined;
  /** As a header has it. */
  readonly ifNoneMatch?: string | undefined;
  /** The sequence of the movement that a row of a batch reverts. */
  readonly revert?: number;
  readonly reverts?: KnownMovement;
}

/** Units that a step of an order moves. */
export interface OrderMove {
  readonly petId: bigint;
  readonly kind: 'reserve' | 'release' | 'deliver' | 'return';
  readonly units: number;
  readonly orderId: number;
  readonly reason: string | null;
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

/** The header with the tags of the stock alone, without the days that it lasts. */
function withoutDays(header: string): string {
  return header.replaceAll(/\.[0-9a-z]+"/g, '"');
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

  /** The tag of the pet's item, which has the days that the stock lasts. */
  itemTagOf(petId: bigint): string | undefined {
    const days = this.daysOfStock(petId);
    const tag = this.tagOf(petId);
    return days === null ? tag : tag?.replace(/"$/, `.${Math.round(days * 10).toString(36)}"`);
  }

  /** How long the stock of a pet lasts. Every pet was added, and every sale made, today. */
  daysOfStock(petId: bigint): number | null {
    const item = this.items.get(petId);
    const reverts = new Map(
      this.movements.map(({ revertedSequence, sequence }) => [revertedSequence, sequence]),
    );
    // A sale whose undo was undone is one again.
    const isInEffect = (sequence: number): boolean => {
      const revert = reverts.get(sequence);
      return revert === undefined || !isInEffect(revert);
    };
    const sold = this.movements
      .filter((one) => one.petId === petId && one.delta < 0 && isInEffect(one.sequence))
      .filter(({ kind, reason }) => kind === 'deliver' || (kind !== 'revert' && reason === 'sold'))
      .reduce((sum, { delta }) => sum - delta, 0);
    if (!item || sold === 0) return null;
    return Math.max(0, Math.floor(((item.quantity - item.reserved) * 10) / sold) / 10);
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
    const isSame = ifMatch === undefined || isNamed(withoutDays(ifMatch), tag);
    if (!isSame || (ifNoneMatch !== undefined && isNamed(withoutDays(ifNoneMatch), tag)))
      return { status: 412, code: 'precondition_failed' };
    if (changeFromQuantity !== undefined && changeFromQuantity !== item.quantity) return conflict();
    const delta = reverts ? -reverts.delta : (wish.delta ?? 0);
    const quantity = wish.quantity ?? item.quantity + delta;
    const takesReserved = wish.quantity !== undefined || wish.takeReserved === true;
    const isTaken = !takesReserved && quantity < item.quantity && quantity < item.reserved;
    if (quantity < 0 || isTaken) return { status: 409, code: 'insufficient_stock' };
    if (quantity > MAX_QUANTITY) return conflict();
    const status = (statusReverted(item, reverts) ?? wish.status ?? item.status) as PetStatus;
    const isRecount = wish.quantity !== undefined && (wish.reason ?? null) !== null;
    if (quantity === item.quantity && status === item.status && !isRecount)
      return reverts ? conflict() : { status: 200 };
    const { reserved } = item;
    const [kind, reason] = [kindOf(wish), wish.reason ?? null];
    const sequence = wish.reverts?.sequence ?? null;
    return {
      status: 200,
      movement: this.#record(
        item,
        { quantity, status, reserved },
        { kind, reason, revertedSequence: sequence },
      ),
    };
  }

  /** The outcome of a step of an order for one pet. */
  moveForOrder({ petId, kind, units, orderId, reason }: OrderMove): Outcome {
    const item = this.items.get(petId);
    if (!item) return { status: 404, code: 'not_found' };
    const isShort = kind === 'reserve' && item.quantity - item.reserved < units;
    if (isShort || (kind === 'deliver' && item.quantity < units))
      return { status: 409, code: 'insufficient_stock' };
    const quantity = item.quantity + { reserve: 0, release: 0, deliver: -units, return: units }[kind];
    if (quantity > MAX_QUANTITY) return conflict();
    const reserved = item.reserved + { reserve: units, release: -units, deliver: -units, return: 0 }[kind];
    const { status } = item;
    return {
      status: 200,
      movement: this.#record(item, { quantity, status, reserved }, { kind, reason, orderId }),
    };
  }

  /** Undoes what a command changes unless it is kept. */
  savepoint(command: () => boolean): void {
    const [items, length] = [new Map(this.items), this.movements.length];
    if (command()) return;
    this.movements.length = length;
    for (const [petId, item] of items) this.items.set(petId, item);
  }

  /** The result of a revert of a movement. */
  revert(sequence: number, conditions: Omit<Wish, 'petId'>): Outcome {
    const reverts = this.movement(sequence);
    if (!reverts) return { status: 404, code: 'not_found' };
    if (reverts.orderId !== null) return conflict();
    if (this.movements.some(({ revertedSequence }) => revertedSequence === sequence)) return conflict();
    return this.change({ ...conditions, petId: reverts.petId, reverts });
  }

  /** The result of each of many changes; none is applied unless all are. */
  batch(wishes: readonly Wish[], isKept: (outcomes: readonly Outcome[]) => boolean): Outcome[] {
    let outcomes: Outcome[] = [];
    this.savepoint(() => {
      outcomes = wishes.map((wish) => this.#row(wish));
      return isKept(outcomes);
    });
    return outcomes;
  }

  #row(wish: Wish): Outcome {
    const { petId, revert } = wish;
    if (revert === undefined) return this.change(wish);
    const isOfPet = this.movement(revert)?.petId === petId;
    return isOfPet ? this.revert(revert, wish) : { status: 404, code: 'not_found' };
  }

  /** The stock after a movement. */
  at(sequence: number): KnownItem[] {
    const items = new Map<bigint, KnownItem>();
    for (const movement of this.movements.slice(0, sequence)) {
      items.set(movement.petId, itemAfter(movement, items.get(movement.petId)?.version ?? 0));
    }
    return [...items.values()].toSorted((a, b) => (a.petId < b.petId ? -1 : 1));
  }

  /** Takes everything as the service has it. */
  reload(movements: readonly KnownMovement[]): void {
    this.movements.splice(0, this.movements.length, ...movements);
    this.items.clear();
    for (const item of this.at(this.head)) this.items.set(item.petId, item);
  }

  #record(item: KnownItem, wanted: Wanted, made: Made): KnownMovement {
    const alertAfter = levelOf(wanted);
    const movement: KnownMovement = {
      orderId: null,
      revertedSequence: null,
      ...made,
      sequence: this.head + 1,
      petId: item.petId,
      actor: this.#actor,
      delta: wanted.quantity - item.quantity,
      quantityAfter: wanted.quantity,
      statusBefore: item.status,
      statusAfter: wanted.status,
      reservedBefore: item.reserved,
      reservedAfter: wanted.reserved,
      alertAfter,
      alert: alertOf(item.alertLevel, alertAfter),
    };
    this.movements.push(movement);
    this.items.set(item.petId, itemAfter(movement, item.version));
    return movement;
  }
}

type Wanted = Pick<Stock, 'quantity' | 'status' | 'reserved'>;
type Made = Pick<KnownMovement, 'kind' | 'reason'> & Partial<KnownMovement>;

function itemAfter(movement: KnownMovement, version: number): KnownItem {
  return {
    petId: movement.petId,
    quantity: movement.quantityAfter,
    status: movement.statusAfter as PetStatus,
    reserved: movement.reservedAfter,
    version: version + 1,
    lastSequence: movement.sequence,
    updatedAtMs: NOON,
    alertLevel: movement.alertAfter,
    ...NO_THRESHOLDS,
  };
}

/** The level of a pet without thresholds. */
function levelOf({ quantity, reserved }: Wanted): AlertLevel | null {
  if (quantity > reserved) return null;
  return quantity === reserved ? 'out' : 'oversold';
}

function alertOf(before: AlertLevel | null, after: AlertLevel | null): string | null {
  if (after === null) return before === null ? null : 'back';
  return before === after || before === 'oversold' ? null : after;
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
