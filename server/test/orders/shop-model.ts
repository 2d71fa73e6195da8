import type { OrderStatus, OrderStep, PetStatus } from '@petstore-inventory/shared/words';
import type { StatusPolicy } from '../../src/domain/inventory.ts';
import type { Change } from '../../src/domain/ledger/stock.ts';
import type { OrderStepCommand, PlaceOrderCommand } from '../../src/domain/orders/orders.ts';
import type { BatchCommand, RevertChange, RevertCommand } from '../../src/domain/write-command.ts';

/** A pet, without anything that follows from the orders. */
export interface ModelPet {
  readonly onHand: number;
  readonly status: PetStatus;
  readonly lowStockAt: number | null;
  readonly restockAt: number | null;
}

export interface ModelLine {
  readonly petId: bigint;
  readonly ordered: number;
  readonly delivered: number;
  readonly returned: number;
}

export interface ModelOrder {
  readonly status: OrderStatus;
  readonly expiresAtMs: number | null;
  readonly lines: readonly ModelLine[];
  readonly version: number;
}

/** A change that the ledger records. */
interface Entry {
  readonly petId: bigint;
  readonly before: ModelPet;
  readonly after: ModelPet;
  readonly reservedBefore: number;
  readonly isOfOrder: boolean;
  readonly reverts: number | undefined;
}

export interface ModelRules {
  readonly statusPolicy: StatusPolicy;
  readonly maxQuantity: number;
  readonly orderHoldMs: number | null;
}

/** The code of an outcome, with the position of the line that is refused. */
export interface ModelOutcome {
  readonly code: string;
  readonly line?: number | null;
}

interface State {
  readonly pets: ReadonlyMap<bigint, ModelPet>;
  readonly orders: readonly ModelOrder[];
  readonly entries: readonly Entry[];
}

const DONE: ModelOutcome = { code: 'done' };

/**
 * The shop as its owner would keep it on paper: states are values that are replaced as a whole, and reserved units are
 * added up from the open orders whenever they matter.
 */
export class ShopModel {
  readonly #rules: ModelRules;
  #state: State;

  constructor(pets: ReadonlyMap<bigint, ModelPet>, rules: ModelRules) {
    this.#rules = rules;
    this.#state = { pets, orders: [], entries: [] };
  }

  get pets(): ReadonlyMap<bigint, ModelPet> {
    return this.#state.pets;
  }

  get orders(): readonly ModelOrder[] {
    return this.#state.orders;
  }

  get entries(): readonly Entry[] {
    return this.#state.entries;
  }

  /** Units that open orders still wait for. */
  reserved(petId: bigint): number {
    const open = this.orders.filter(({ status }) => status === 'placed' || status === 'approved');
    const lines = open.flatMap((order) => order.lines).filter((line) => line.petId === petId);
    return lines.reduce((sum, { ordered, delivered }) => sum + ordered - delivered, 0);
  }

  place({ lines, expiresAtMs }: PlaceOrderCommand, nowMs: number): ModelOutcome {
    const held = this.#rules.orderHoldMs === null ? null : nowMs + this.#rules.orderHoldMs;
    const expiry = expiresAtMs === undefined ? held : expiresAtMs;
    if (expiry !== null && expiry <= nowMs) return { code: 'expiry_passed' };
    for (const [line, { petId, quantity }] of lines.entries()) {
      const pet = this.pets.get(petId);
      if (!pet) return { code: 'not_found', line };
      if (pet.onHand - this.reserved(petId) < quantity) return { code: 'insufficient_stock', line };
    }
    const fresh: ModelOrder = {
      status: 'placed',
      expiresAtMs: expiry,
      version: 1,
      lines: lines.map(({ petId, quantity }) => ({ petId, ordered: quantity, delivered: 0, returned: 0 })),
    };
    this.#commitOrder(
      this.orders.length,
      fresh,
      lines.map(({ petId }) => ({ petId, onHand: 0 })),
    );
    return DONE;
  }

  step({ step, orderId, lines, isForced }: OrderStepCommand, nowMs: number): ModelOutcome {
    const order = this.orders[orderId - 1];
    if (!order) return { code: 'no_such_order' };
    const isLate = order.status === 'placed' && order.expiresAtMs !== null && order.expiresAtMs <= nowMs;
    if (isLate && step !== 'expire') return { code: 'expiry_passed' };
    switch (`${step} ${order.status}`) {
      case 'approve placed':
        return this.#close(orderId, { ...order, status: 'approved' });
      case 'cancel placed':
      case 'cancel approved':
        return this.#close(orderId, { ...order, status: 'cancelled' });
      case 'expire placed':
        return isLate || isForced === true
          ? this.#close(orderId, { ...order, status: 'expired' })
          : { code: 'invalid_transition' };
      case 'deliver approved':
      case 'return approved':
      case 'return delivered':
      case 'return cancelled':
        return this.#ship(orderId, order, step, lines);
      default:
        return { code: 'invalid_transition' };
    }
  }

  change(change: Change): ModelOutcome {
    const pet = this.pets.get(change.petId);
    if (!pet) return { code: 'not_found' };
    switch (change.kind) {
      case 'set':
        return this.#recount(
          change.petId,
          pet,
          change.quantity,
          (change.explanation?.reason ?? null) !== null,
        );
      case 'adjust':
        return this.#adjust(change.petId, pet, change.delta, change.takesReserved === true);
      case 'status':
        this.#record(change.petId, { ...pet, status: change.status });
        return DONE;
      case 'thresholds': {
        const { lowStockAt = pet.lowStockAt, restockAt = pet.restockAt } = change;
        this.#record(change.petId, { ...pet, lowStockAt, restockAt });
        return DONE;
      }
    }
  }

  /** Gives a pet other values, as an import does: whatever is reserved, and without the policy for the status. */
  overwrite(petId: bigint, values: Partial<Pick<ModelPet, 'onHand' | 'status'>>): void {
    this.#record(petId, { ...this.pets.get(petId)!, ...values });
  }

  /** The code of each row. */
  batch({ changes, errorPolicy, isDryRun }: BatchCommand): readonly string[] {
    const before = this.#state;
    const codes = changes.map(
      (change) => (change.kind === 'revert' ? this.#revertOf(change) : this.change(change)).code,
    );
    const isRefused = errorPolicy === 'reject_everything' && codes.some((code) => code !== 'done');
    if (isDryRun || isRefused) this.#state = before;
    return codes;
  }

  /** A row of a batch reverts only movements of its pet. */
  #revertOf(change: RevertChange): ModelOutcome {
    const entry = this.entries[change.sequence - 1];
    return entry && entry.petId !== change.petId ? { code: 'no_such_movement' } : this.revert(change);
  }

  /** @param most The largest quantity; the end of a stock-take limits only the last of its reverts. */
  revert({ sequence, takesReserved }: RevertCommand, most: number = this.#rules.maxQuantity): ModelOutcome {
    const entry = this.entries[sequence - 1];
    if (!entry) return { code: 'no_such_movement' };
    if (entry.isOfOrder) return { code: 'movement_of_order' };
    if (this.entries.some(({ reverts }) => reverts === sequence)) return { code: 'already_reverted' };
    const { petId, before, after } = entry;
    const pet = this.pets.get(petId)!;
    const onHand = pet.onHand - (after.onHand - before.onHand);
    const refusal = this.#refusal(petId, pet, onHand, { takesReserved: takesReserved === true, most });
    if (refusal) return { code: refusal };
    const isStatusStill = before.status !== after.status && pet.status === after.status;
    const isAsBefore = onHand === before.onHand && this.reserved(petId) === entry.reservedBefore;
    const status = isStatusStill ? before.status : pet.status;
    const reverted = { ...pet, onHand, status };
    const made =
      onHand === pet.onHand || (isStatusStill && isAsBefore) ? reverted : this.#restated(petId, reverted);
    if (made.onHand === pet.onHand && made.status === pet.status) return { code: 'nothing_to_revert' };
    this.#record(petId, made, { reverts: sequence });
    return DONE;
  }

  #recount(petId: bigint, pet: ModelPet, onHand: number, isConfirmed: boolean): ModelOutcome {
    const refusal = this.#refusal(petId, pet, onHand, { takesReserved: true });
    if (refusal) return { code: refusal };
    const made = onHand === pet.onHand ? pet : this.#restated(petId, { ...pet, onHand });
    this.#record(petId, made, { isConfirmed });
    return DONE;
  }

  #adjust(petId: bigint, pet: ModelPet, delta: number, takesReserved: boolean): ModelOutcome {
    const onHand = pet.onHand + delta;
    const refusal = this.#refusal(petId, pet, onHand, { takesReserved });
    if (refusal) return { code: refusal };
    if (delta !== 0) this.#record(petId, this.#restated(petId, { ...pet, onHand }));
    return DONE;
  }

  /** Why a quantity cannot be had without an order. */
  #refusal(
    petId: bigint,
    pet: ModelPet,
    onHand: number,
    { takesReserved, most = this.#rules.maxQuantity }: { takesReserved: boolean; most?: number },
  ): string | undefined {
    if (onHand < 0) return 'insufficient_stock';
    if (!takesReserved && onHand < pet.onHand && onHand < this.reserved(petId)) return 'stock_reserved';
    return onHand > most && onHand > pet.onHand ? 'too_much_stock' : undefined;
  }

  /** Approves, or releases what is left. */
  #close(orderId: number, order: ModelOrder): ModelOutcome {
    const left =
      order.status === 'approved' ? [] : order.lines.filter((line) => line.ordered > line.delivered);
    this.#commitOrder(
      orderId - 1,
      order,
      left.map(({ petId }) => ({ petId, onHand: 0 })),
    );
    return DONE;
  }

  /** Delivers or returns units. */
  #ship(
    orderId: number,
    order: ModelOrder,
    step: OrderStep,
    requested: OrderStepCommand['lines'],
  ): ModelOutcome {
    const sign = step === 'deliver' ? -1 : 1;
    const left = new Map(order.lines.map((line) => [line.petId, leftOf(line, step)]));
    const all = [...left].filter(([, units]) => units > 0).map(([petId]) => ({ petId, quantity: undefined }));
    if (!requested && all.length === 0) return { code: 'invalid_transition' };
    const units = new Map<bigint, number>();
    for (const [line, { petId, quantity }] of (requested ?? all).entries()) {
      const possible = left.get(petId);
      if (possible === undefined) return { code: 'no_such_line', line };
      if (possible === 0 || (quantity ?? 0) > possible) return { code: 'too_many_units', line };
      units.set(petId, quantity ?? possible);
    }
    for (const [line, [petId, moved]] of [...units].entries()) {
      const { onHand } = this.pets.get(petId)!;
      const at = requested ? line : null;
      if (sign < 0 && onHand < moved) return { code: 'insufficient_stock', line: at };
      if (sign > 0 && onHand + moved > Math.max(this.#rules.maxQuantity, onHand)) {
        return { code: 'too_much_stock', line: at };
      }
    }
    const lines = order.lines.map((line) => shipped(line, step, units.get(line.petId) ?? 0));
    const isDelivered = step === 'deliver' && lines.every((line) => line.delivered === line.ordered);
    this.#commitOrder(
      orderId - 1,
      { ...order, lines, status: isDelivered ? 'delivered' : order.status },
      [...units].map(([petId, moved]) => ({ petId, onHand: sign * moved })),
    );
    return DONE;
  }

  /** Replaces an order, and then records what that makes of each of its pets. */
  #commitOrder(
    index: number,
    order: ModelOrder,
    moves: readonly { readonly petId: bigint; readonly onHand: number }[],
  ): void {
    const reservedBefore = new Map(moves.map(({ petId }) => [petId, this.reserved(petId)]));
    const version = index === this.orders.length ? 1 : order.version + 1;
    const orders = [...this.orders];
    orders[index] = { ...order, version };
    this.#state = { ...this.#state, orders };
    for (const { petId, onHand } of moves) {
      const pet = this.pets.get(petId)!;
      const made = this.#restated(petId, { ...pet, onHand: pet.onHand + onHand });
      this.#record(petId, made, { reservedBefore: reservedBefore.get(petId)!, isOfOrder: true });
    }
  }

  /** The status that the policy requires of a pet whose units have changed. */
  #restated(petId: bigint, pet: ModelPet): ModelPet {
    const { statusPolicy } = this.#rules;
    if (statusPolicy === 'follow-orders') {
      const held = pet.onHand > this.reserved(petId) ? 'available' : 'pending';
      return { ...pet, status: pet.onHand === 0 ? 'sold' : held };
    }
    if (statusPolicy === 'unchanged' || pet.status === 'pending') return pet;
    return { ...pet, status: pet.onHand === 0 ? 'sold' : 'available' };
  }

  #record(
    petId: bigint,
    after: ModelPet,
    more: { isConfirmed?: boolean; reservedBefore?: number; isOfOrder?: boolean; reverts?: number } = {},
  ): void {
    const before = this.pets.get(petId)!;
    const { isConfirmed = false, isOfOrder = false, reverts, reservedBefore = this.reserved(petId) } = more;
    const names = Object.keys(after) as (keyof ModelPet)[];
    const isSame = names.every((name) => after[name] === before[name]);
    if (isSame && !isConfirmed && !isOfOrder) return;
    const entry: Entry = { petId, before, after, reservedBefore, isOfOrder, reverts };
    const pets = new Map(this.pets).set(petId, after);
    this.#state = { ...this.#state, pets, entries: [...this.entries, entry] };
  }
}

function leftOf(line: ModelLine, step: OrderStep): number {
  return step === 'deliver' ? line.ordered - line.delivered : line.delivered - line.returned;
}

function shipped(line: ModelLine, step: OrderStep, units: number): ModelLine {
  return step === 'deliver'
    ? { ...line, delivered: line.delivered + units }
    : { ...line, returned: line.returned + units };
}
