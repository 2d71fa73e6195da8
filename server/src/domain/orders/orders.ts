import type { OrderStatus, OrderStep } from '@petstore-inventory/shared/words';
import type { Author, Explanation } from '../ledger/ledger.ts';
import type { Preconditions } from '../ledger/stock.ts';

/** The units of one pet in an order. A pet has at most one line. */
export interface OrderLine {
  readonly petId: bigint;
  /** Units ordered. */
  readonly quantity: number;
  /** Units delivered so far, those that came back included. */
  readonly delivered: number;
  /** Delivered units that came back. */
  readonly returned: number;
}

/** A customer's request for units of one or more pets. */
export interface Order {
  /** 1 for the first order, and one more for each. */
  readonly orderId: number;
  readonly status: OrderStatus;
  /** 1 when placed, and one more for each step. */
  readonly version: number;
  readonly lines: readonly OrderLine[];
  /** The client's own name of the order. */
  readonly referenceId: string | null;
  readonly note: string | null;
  /** From this moment on, an order that is still `placed` expires; `null`: never. */
  readonly expiresAtMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Who placed it, as in `Author`. */
  readonly actor: string;
  readonly actorName: string;
}

/** Places an order. */
export interface PlaceOrderCommand {
  readonly kind: 'place';
  /** 1 to `MAX_ORDER_LINES`, each of another pet. */
  readonly lines: readonly Pick<OrderLine, 'petId' | 'quantity'>[];
  /** `undefined`: after the hold time of the rules. */
  readonly expiresAtMs?: number | null | undefined;
  readonly explanation: Explanation;
}

/** Units of one pet to deliver or return; without a quantity, all that are left. */
export interface StepLine {
  readonly petId: bigint;
  readonly quantity?: number | undefined;
}

/** A step of an order. */
export interface OrderStepCommand extends Pick<Preconditions, 'ifMatch' | 'ifNoneMatch'> {
  readonly kind: 'step';
  readonly step: OrderStep;
  readonly orderId: number;
  /** Only to deliver and return; without it, all lines with units left. */
  readonly lines?: readonly StepLine[] | undefined;
  readonly explanation?: Explanation | undefined;
  /** Only of `expire`: also before the time. */
  readonly isForced?: boolean | undefined;
}

/**
 * Result of a command on an order; except for `done`, nothing is changed.
 * - `invalid_transition`: the status does not allow the step.
 * - `expiry_passed`: a new order's expiry is not in the future, or a placed order is about to be expired.
 * - `no_such_line`, `too_many_units`: a line names a pet that is not in the order, or more units than are left.
 * - the others: about a line's stock.
 */
export type OrderCode =
  | 'done'
  | 'no_such_order'
  | 'precondition_failed'
  | 'invalid_transition'
  | 'expiry_passed'
  | 'no_such_line'
  | 'too_many_units'
  | 'not_found'
  | 'insufficient_stock'
  | 'too_much_stock';

/** The author of what the service does by itself. */
export function serviceAuthor(atMs: number): Author {
  return { actor: 'service', actorName: 'service', requestId: null, atMs };
}

/** Units of a line that its order reserves. */
export function reservedUnits({ status }: Pick<Order, 'status'>, line: OrderLine): number {
  return status === 'placed' || status === 'approved' ? line.quantity - line.delivered : 0;
}

/** Names one state of an order: the text between the quotes of its entity tag (RFC 9110 section 8.8.3). */
export function orderTag({ orderId, version, updatedAtMs }: Order): string {
  return `order-${orderId}-${version}-${updatedAtMs.toString(36)}`;
}
