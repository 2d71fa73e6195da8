import type { OrderStatus, OrderStep } from '@petstore-inventory/shared/words';
import type { Author } from '../ledger/ledger.ts';
import type { LedgerTransaction, OrderMove } from '../ledger/ledger-transaction.ts';
import { type Stock, unmetTag } from '../ledger/stock.ts';
import {
  type Order,
  type OrderCode,
  type OrderLine,
  type OrderStepCommand,
  orderTag,
  type PlaceOrderCommand,
  reservedUnits,
  type StepLine,
} from './orders.ts';

/** The statuses from which each step is possible. A return also needs units that were delivered and not returned. */
export const STEP_FROM: Readonly<Record<OrderStep, readonly OrderStatus[]>> = {
  approve: ['placed'],
  deliver: ['approved'],
  cancel: ['placed', 'approved'],
  return: ['approved', 'delivered', 'cancelled'],
  expire: ['placed'],
};

export interface OrderOutcome {
  readonly code: OrderCode;
  /** The order after the step, or the one that does not allow it; none where there is no such order. */
  readonly order: Order | null;
  /** The position of the line in the request that is refused. */
  readonly line: number | null;
  readonly petId: bigint | null;
  /** The stock that does not allow the line. */
  readonly stock: Stock | null;
}

/** Units that a step moves, with their position in the request. */
interface Move {
  readonly petId: bigint;
  readonly units: number;
  readonly line: number | null;
}

/** An order to write. */
export interface ChangedOrder {
  readonly order: Order;
  /** Whether it is not in the database yet. */
  readonly isNew: boolean;
  /** Whether units of its lines were delivered or returned. */
  readonly hasNewCounts: boolean;
}

/** Places orders and takes their steps, one after the other, within a transaction of the ledger. */
export class OrderBook {
  readonly #transaction: LedgerTransaction;
  readonly #orders: Map<number, Order>;
  readonly #changed = new Map<number, ChangedOrder>();
  #newestId: number;

  /**
   * @param orders Every order that a command may name. This object changes it.
   * @param newestId The largest orderId there is; 0 without orders.
   */
  constructor(transaction: LedgerTransaction, orders: Map<number, Order>, newestId: number) {
    this.#transaction = transaction;
    this.#orders = orders;
    this.#newestId = newestId;
  }

  /** The orders to write, in ascending order of their ids where they are new. */
  get changed(): readonly ChangedOrder[] {
    return [...this.#changed.values()];
  }

  /** Reserves all lines, or none. */
  place({ lines, expiresAtMs, explanation }: PlaceOrderCommand, author: Author): OrderOutcome {
    const { orderHoldMs } = this.#transaction.rules;
    const nowMs = this.#transaction.recordedAt(author);
    const heldUntilMs = orderHoldMs === null ? null : nowMs + orderHoldMs;
    const order: Order = {
      orderId: this.#newestId + 1,
      status: 'placed',
      version: 1,
      lines: lines.map(({ petId, quantity }) => ({ petId, quantity, delivered: 0, returned: 0 })),
      referenceId: explanation.referenceId,
      note: explanation.note,
      expiresAtMs: expiresAtMs === undefined ? heldUntilMs : expiresAtMs,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      actor: author.actor,
      actorName: author.actorName,
    };
    if (order.expiresAtMs !== null && order.expiresAtMs <= nowMs) return outcome('expiry_passed', null);
    const moves = lines.map(({ petId, quantity }, line) => ({ petId, units: quantity, line }));
    const refusal = this.#move(null, moves, author, { kind: 'reserve', orderId: order.orderId, explanation });
    if (refusal) return refusal;
    this.#newestId = order.orderId;
    return this.#keep(order);
  }

  step(command: OrderStepCommand, author: Author): OrderOutcome {
    const { step, orderId, explanation } = command;
    const order = this.#orders.get(orderId);
    if (!order) return outcome('no_such_order', null);
    const refusal = this.#refusal(order, command, author);
    if (refusal) return outcome(refusal, order);
    const moves = movesOf(order, command);
    if (!Array.isArray(moves)) return moves;
    const [first] = moves;
    const kind = KIND[step];
    if (kind && first) {
      const moved = this.#move(order, moves, author, { kind, orderId, explanation });
      if (moved) return moved;
    }
    return this.#keep(stepped(order, step, moves, this.#transaction.recordedAt(author)));
  }

  #refusal(order: Order, command: OrderStepCommand, author: Author): OrderCode | undefined {
    if (unmetTag(command, orderTag(order))) return 'precondition_failed';
    const { expiresAtMs, status } = order;
    const isOver = status === 'placed' && expiresAtMs !== null && expiresAtMs <= author.atMs;
    if (command.step !== 'expire' && isOver) return 'expiry_passed';
    if (!STEP_FROM[command.step].includes(status)) return 'invalid_transition';
    return command.step !== 'expire' || isOver || command.isForced ? undefined : 'invalid_transition';
  }

  /** Moves the units of all lines, or none. */
  #move(
    order: Order | null,
    moves: readonly Move[],
    author: Author,
    shared: Pick<OrderMove, 'kind' | 'orderId' | 'explanation'>,
  ): OrderOutcome | undefined {
    let refusal: OrderOutcome | undefined;
    this.#transaction.savepoint(() => {
      for (const { petId, units, line } of moves) {
        const moved = this.#transaction.moveForOrder({ ...shared, petId, units }, author);
        if (moved.code === 'done') continue;
        const code = lineRefusal(moved.code);
        const stock = moved.code === 'not_found' ? null : moved.stock;
        refusal = { code, order, line, petId, stock };
        return false;
      }
      return true;
    });
    return refusal;
  }

  #keep(order: Order): OrderOutcome {
    const { orderId } = order;
    const before = this.#orders.get(orderId);
    const earlier = this.#changed.get(orderId);
    this.#orders.set(orderId, order);
    this.#changed.set(orderId, {
      order,
      isNew: earlier?.isNew ?? before === undefined,
      hasNewCounts: earlier?.hasNewCounts === true || (before !== undefined && before.lines !== order.lines),
    });
    return outcome('done', order);
  }
}

/** The kind of the movements of a step; an approval has none. */
const KIND: Readonly<Record<OrderStep, OrderMove['kind'] | undefined>> = {
  approve: undefined,
  deliver: 'deliver',
  cancel: 'release',
  return: 'return',
  expire: 'release',
};

function outcome(code: OrderCode, order: Order | null): OrderOutcome {
  return { code, order, line: null, petId: null, stock: null };
}

function lineRefusal(code: string): OrderCode {
  if (code === 'not_found' || code === 'insufficient_stock' || code === 'too_much_stock') return code;
  throw new Error(`A step of an order was answered with ${code}.`);
}

/** Units of a line that a step can still move. */
export function unitsLeft(step: OrderStep, order: Order, line: OrderLine): number {
  if (step === 'return') return line.delivered - line.returned;
  return step === 'approve' ? 0 : reservedUnits(order, line);
}

/** What a step moves, or why it cannot. */
function movesOf(order: Order, { step, lines }: OrderStepCommand): Move[] | OrderOutcome {
  if (lines) return requestedMoves(order, step, lines);
  const moves = order.lines
    .map((line) => ({ petId: line.petId, units: unitsLeft(step, order, line), line: null }))
    .filter(({ units }) => units > 0);
  return step === 'return' && moves.length === 0 ? outcome('invalid_transition', order) : moves;
}

function requestedMoves(order: Order, step: OrderStep, lines: readonly StepLine[]): Move[] | OrderOutcome {
  const leftOf = new Map(order.lines.map((line) => [line.petId, unitsLeft(step, order, line)]));
  const moves: Move[] = [];
  for (const [i, { petId, quantity }] of lines.entries()) {
    const left = leftOf.get(petId);
    if (left === undefined) return { ...outcome('no_such_line', order), line: i, petId };
    const units = quantity ?? left;
    if (units > left || units === 0) return { ...outcome('too_many_units', order), line: i, petId };
    leftOf.set(petId, left - units);
    moves.push({ petId, units, line: i });
  }
  return moves;
}

const STATUS_AFTER: Readonly<Record<OrderStep, OrderStatus | undefined>> = {
  approve: 'approved',
  deliver: undefined,
  cancel: 'cancelled',
  return: undefined,
  expire: 'expired',
};

function stepped(order: Order, step: OrderStep, moves: readonly Move[], atMs: number): Order {
  const units = new Map<bigint, number>();
  for (const move of moves) units.set(move.petId, (units.get(move.petId) ?? 0) + move.units);
  const counted = step === 'deliver' ? 'delivered' : 'returned';
  const hasNewCounts = step === 'deliver' || step === 'return';
  const lines = hasNewCounts
    ? order.lines.map((line) => ({ ...line, [counted]: line[counted] + (units.get(line.petId) ?? 0) }))
    : order.lines;
  const isDelivered = step === 'deliver' && lines.every((line) => line.delivered === line.quantity);
  const status = STATUS_AFTER[step] ?? (isDelivered ? 'delivered' : order.status);
  return { ...order, status, lines, version: order.version + 1, updatedAtMs: atMs };
}
