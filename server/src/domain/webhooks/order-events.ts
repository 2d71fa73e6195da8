import type { OrderStep } from '@petstore-inventory/shared/words';
import type { Author } from '../ledger/ledger.ts';
import { type FlatOrder, flatOrder, orderOf } from '../orders/order-text.ts';
import type { Order } from '../orders/orders.ts';
import type { RecordedEventType } from './events.ts';

/** What an event of an order records: the order after the step, and who made the step. */
interface OrderEventData extends Pick<Author, 'actor' | 'actorName'> {
  readonly order: Order;
}

const TYPE: Readonly<Record<OrderStep, RecordedEventType>> = {
  approve: 'order.approved',
  deliver: 'order.delivered',
  cancel: 'order.cancelled',
  return: 'order.returned',
  expire: 'order.expired',
};

/** @param step Without one, the order was placed. */
export function orderEventType(step: OrderStep | undefined): RecordedEventType {
  return step === undefined ? 'order.placed' : TYPE[step];
}

export function orderEventText(order: Order, { actor, actorName }: Author): string {
  return JSON.stringify([actor, actorName, ...flatOrder(order)]);
}

export function parseOrderEvent(text: string): OrderEventData {
  const [actor, actorName, ...flat] = JSON.parse(text) as [string, string, ...FlatOrder];
  return { actor, actorName, order: orderOf(flat) };
}
