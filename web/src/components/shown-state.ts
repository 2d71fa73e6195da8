import { ORDER_EXPIRING_MS } from '@petstore-inventory/shared/limits';
import type { OrderState } from '@petstore-inventory/shared/words';
import type { Order, OrderStatus } from '../api/schemas.ts';

/** A status of an order, or the part of it that needs attention: each has its own list. */
export type ListedState = OrderStatus | OrderState;
/** What an order shows, also where units came back. */
export type ShownState = ListedState | 'partly_returned' | 'returned';

/** The word that an order shows: its status, or more than that says. */
export function shownState({ status, expiresAt, lines }: Order, nowMs: number): ShownState {
  if (status === 'placed' && expiresAt !== null && Date.parse(expiresAt) < nowMs + ORDER_EXPIRING_MS)
    return 'expiring';
  if (status === 'approved' && lines.some(({ delivered }) => delivered > 0)) return 'partly_delivered';
  if (status === 'delivered' && lines.some(({ returned }) => returned > 0))
    return lines.every(({ delivered, returned }) => returned === delivered) ? 'returned' : 'partly_returned';
  return status;
}
