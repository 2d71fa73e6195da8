import type { MovementKind, OrderStatus, PetStatus, Reason } from '../src/index.ts';

/** A list that has every word of a type: the compiler reports one that is missing. */
function all<T extends string>(words: Readonly<Record<T, true>>): readonly T[] {
  return Object.keys(words) as T[];
}

export const PET_STATUSES = all<PetStatus>({ available: true, pending: true, sold: true });

export const ORDER_STATUSES = all<OrderStatus>({
  placed: true,
  approved: true,
  delivered: true,
  cancelled: true,
  expired: true,
});

export const REASONS = all<Reason>({
  correction: true,
  cycle_count: true,
  received: true,
  restock: true,
  returned: true,
  damaged: true,
  shrinkage: true,
  promotion: true,
  sold: true,
  other: true,
});

export const MOVEMENT_KINDS = all<MovementKind>({
  import: true,
  set: true,
  adjust: true,
  status: true,
  revert: true,
  reserve: true,
  release: true,
  deliver: true,
  return: true,
  thresholds: true,
});
