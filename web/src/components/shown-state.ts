import { ORDER_EXPIRING_MS } from '@petstore-inventory/shared/limits';
import type { OrderState } from '@petstore-inventory/shared/words';
import type { Order, OrderStatus } from '../api/schemas.ts';

/** A status of an order, or the part of it that needs attention. */
export type ShownState = OrderStatus | OrderState;

/** The word that an order shows: its status, or the part of it that needs attention. */
export function shownState({ status, expiresAt, lines }: Order, nowMs: number): ShownState {
  if (status === 'placed' && expiresAt !== null && Date.parse(expiresAt) < nowMs + ORDER_EXPIRING_MS)
    return 'expiring';
  if (status === 'approved' && lines.some(({ delivered }) => delivered > 0)) return 'partly_delivered';
  return status;
}
