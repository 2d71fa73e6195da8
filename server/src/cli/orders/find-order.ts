import { parseWholeNumber } from '@petstore-inventory/shared/numeral';
import { InvalidArgumentError } from 'commander';
import type { AdminStore } from '../../domain/admin-store.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { Order } from '../../domain/orders/orders.ts';

/** Reads the number of an order. */
export function parseOrderId(text: string): number {
  const orderId = parseWholeNumber(text);
  if (!orderId) throw new InvalidArgumentError('Give the number of an order, such as 17.');
  return orderId;
}

/** @throws OperatorError when there is none. */
export async function findOrder({ orders }: AdminStore, orderId: number): Promise<Order> {
  const order = await orders.findOrder(orderId);
  if (order) return order;
  throw noSuchOrder(orderId);
}

export function noSuchOrder(orderId: number): OperatorError {
  return new OperatorError(`There is no order ${orderId}; petstore-server orders list shows the newest.`);
}
