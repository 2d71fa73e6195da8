import type { MovementKind, PetStatus } from '@petstore-inventory/shared/words';
import { type StatusPolicy, statusAfter } from '../inventory.ts';
import type { Explanation, Movement } from './ledger.ts';
import {
  availableOf,
  type Change,
  type Preconditions,
  type Stock,
  type StockRefusal,
  unmetHeader,
} from './stock.ts';

/** What a movement can change. */
export type Wanted = Pick<Stock, 'quantity' | 'reserved' | 'status' | 'lowStockAt' | 'restockAt'>;

/** The stock that a change requests, allowed or not. */
export function wantedBy(change: Change, before: Stock, policy: StatusPolicy): Wanted {
  switch (change.kind) {
    case 'status':
      return { ...before, status: change.status };
    case 'thresholds': {
      const { lowStockAt, restockAt } = change;
      return lowStockAt === undefined ? before : { ...before, lowStockAt, restockAt };
    }
    case 'set':
      return withQuantity(before, change.quantity, policy);
    case 'adjust':
      return withQuantity(before, before.quantity + change.delta, policy);
  }
}

/** The stock without the quantity of a movement and, if the status is still the one that it set, without its status. */
export function wantedByRevert(movement: Movement, before: Stock, policy: StatusPolicy): Wanted {
  const { quantityBefore, quantityAfter, reservedBefore, statusBefore } = movement;
  const quantity = before.quantity - (quantityAfter - quantityBefore);
  const isStill =
    statusBefore !== null && statusBefore !== movement.statusAfter && before.status === movement.statusAfter;
  if (!isStill) return withQuantity(before, quantity, policy);
  // The status policy also holds after later changes: what is left of a reverted restock is not sold.
  const isSameStock = quantity === quantityBefore && before.reserved === reservedBefore;
  const status = isSameStock ? statusBefore : statusAt(statusBefore, before, quantity, policy);
  return { ...before, quantity, status };
}

/** How one unit of an order's step changes the stock. */
const UNIT = {
  reserve: { quantity: 0, reserved: 1 },
  release: { quantity: 0, reserved: -1 },
  deliver: { quantity: -1, reserved: -1 },
  return: { quantity: 1, reserved: 0 },
} as const;
export type OrderMoveKind = keyof typeof UNIT;

/** The stock after an order's step with so many units of the pet. */
export function wantedByOrder(
  { kind, units }: { readonly kind: OrderMoveKind; readonly units: number },
  before: Stock,
  policy: StatusPolicy,
): Wanted {
  const quantity = before.quantity + UNIT[kind].quantity * units;
  const reserved = before.reserved + UNIT[kind].reserved * units;
  return {
    ...before,
    quantity,
    reserved,
    status: statusAfter(policy, before.status, { quantity, reserved }),
  };
}

function withQuantity(before: Stock, quantity: number, policy: StatusPolicy): Wanted {
  return { ...before, quantity, status: statusAt(before.status, before, quantity, policy) };
}

function statusAt(
  status: PetStatus,
  { quantity, reserved }: Stock,
  wanted: number,
  policy: StatusPolicy,
): PetStatus {
  return wanted === quantity ? status : statusAfter(policy, status, { quantity: wanted, reserved });
}

/** Why a change is not allowed, if it is not. The first reason in the order of the checks. */
export function refusalOf(
  before: Stock,
  wanted: Wanted,
  conditions: Preconditions,
  { maxQuantity, takesReserved }: { readonly maxQuantity: number; readonly takesReserved: boolean },
): StockRefusal | undefined {
  if (unmetHeader(conditions, before)) return 'precondition_failed';
  const { changeFromQuantity } = conditions;
  if (changeFromQuantity !== undefined && changeFromQuantity !== before.quantity) return 'conflict';
  if (wanted.quantity < 0) return 'insufficient_stock';
  const isLess = availableOf(wanted) < availableOf(before);
  if (!takesReserved && isLess && availableOf(wanted) < 0) {
    return wanted.reserved > before.reserved ? 'insufficient_stock' : 'stock_reserved';
  }
  // Stock above a lowered ceiling can still be reduced.
  return wanted.quantity > Math.max(maxQuantity, before.quantity) ? 'too_much_stock' : undefined;
}

/** Whether a change is worth a movement: it changes something, or a set with a reason confirms a quantity (a recount). */
export function isRecorded(
  before: Stock,
  wanted: Wanted & Pick<Stock, 'alertLevel'>,
  kind: MovementKind,
  { reason }: Explanation,
): boolean {
  if (wanted.quantity !== before.quantity || wanted.status !== before.status) return true;
  if (wanted.reserved !== before.reserved) return true;
  if (kind === 'set') return reason !== null;
  if (kind !== 'thresholds') return false;
  const isSame = wanted.lowStockAt === before.lowStockAt && wanted.restockAt === before.restockAt;
  return !isSame || wanted.alertLevel !== before.alertLevel;
}
