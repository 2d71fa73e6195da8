import { ORDER_EXPIRING_MS } from '@petstore-inventory/shared/limits';
import type { OrderState, OrderStatus } from '@petstore-inventory/shared/words';
import type { Author } from '../ledger/ledger.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { Order } from './orders.ts';

/** Which orders a page has. An unset member does not restrict it. */
export interface OrderFilter {
  readonly status?: OrderStatus;
  /** Placed, and expiring before this moment. */
  readonly expiresBeforeMs?: number;
  /** Approved, and delivered in part. */
  readonly isPartlyDelivered?: true;
  /** With a line of this pet. */
  readonly petId?: bigint;
  readonly referenceId?: string;
  /** Placed at this moment or later. */
  readonly createdSinceMs?: number;
  /** With a greater orderId. */
  readonly after?: number;
  /** With a smaller orderId. */
  readonly before?: number;
}

/** The orders that are in a state at a moment. */
export function ordersInState(state: OrderState | undefined, nowMs: number): OrderFilter {
  if (state === undefined) return {};
  return state === 'expiring' ? { expiresBeforeMs: nowMs + ORDER_EXPIRING_MS } : { isPartlyDelivered: true };
}

export interface OrderQuery {
  readonly filter: OrderFilter;
  /** Oldest first, or newest first. */
  readonly order: 'asc' | 'desc';
  /** At most this many orders. A page may have fewer, or none, and not be the last one: it reads a limited number of rows. */
  readonly limit: number;
}

export interface OrderPage {
  readonly orders: readonly Order[];
  /** The orderId after which (`asc`) or before which (`desc`) the next page begins, if there may be one. */
  readonly next: number | undefined;
}

/** Who approved an order, and when. */
export interface OrderApproval extends Pick<Author, 'actor' | 'actorName'> {
  readonly atMs: number;
}

/** Placed orders whose time to expire has come. */
export interface DueOrders {
  /** The moment, by the clock of the service's instances. */
  readonly atMs: number;
  readonly orderIds: readonly number[];
  /** Whether more orders may be due. */
  readonly hasMore: boolean;
}

/** Reads orders, with every step that was acknowledged before the call. */
export interface OrderStore {
  findOrder(orderId: number): MaybePromise<Order | undefined>;
  listOrders(query: OrderQuery): MaybePromise<OrderPage>;
  /** An approval moves no stock, so it is an event only. `undefined`: not approved, or its event is pruned. */
  findApproval(orderId: number): MaybePromise<OrderApproval | undefined>;
  /**
   * Up to `limit` orders to expire, those with the earliest expiry first. Of orders with many lines there are fewer: each
   * line is a movement, and other writes wait for all of them.
   */
  dueOrders(limit: number): MaybePromise<DueOrders>;
}
