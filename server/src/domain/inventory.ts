import type { PetStatus } from '@petstore-inventory/shared/words';
import { ApiError, OperatorError } from './errors.ts';

/** The stock of one pet. `petId` is an int64, so it is never a JavaScript number. */
export interface InventoryItem {
  readonly petId: bigint;
  readonly quantity: number;
  readonly status: PetStatus;
}

/** What the shop knows of an animal besides its stock. */
export interface Pet {
  readonly petId: bigint;
  readonly name: string | null;
  readonly category: string | null;
  readonly status: PetStatus;
}

/** The refusal of a request for a pet that the store does not have. */
export function petNotFound(petId: bigint): ApiError {
  return new ApiError('not_found', noPet(petId));
}

/** The refusal of a command of the operator or of the management API, as `petNotFound`. */
export function unknownPet(petId: bigint): OperatorError {
  return new OperatorError(noPet(petId), { code: 'not_found' });
}

const noPet = (petId: bigint) => `There is no pet with petId ${petId}.`;

/**
 * Whether a change of stock changes the status. The specification authorises none, so `unchanged` is the default; the
 * others are an operator's choice.
 */
export const STATUS_POLICIES = ['unchanged', 'sold-at-zero', 'follow-orders'] as const;
export type StatusPolicy = (typeof STATUS_POLICIES)[number];

/**
 * The status after a pet's quantity or reservations have changed. Under `sold-at-zero`, none left is sold and a restock
 * brings it back. Under `follow-orders`, none left is sold, a pet whose units are all reserved is pending, and any other
 * is available, whatever it was before.
 */
export function statusAfter(
  policy: StatusPolicy,
  status: PetStatus,
  { quantity, reserved }: { readonly quantity: number; readonly reserved: number },
): PetStatus {
  switch (policy) {
    case 'unchanged':
      return status;
    case 'sold-at-zero':
      if (quantity === 0 && status === 'available') return 'sold';
      return quantity > 0 && status === 'sold' ? 'available' : status;
    case 'follow-orders':
      if (quantity === 0) return 'sold';
      return quantity <= reserved ? 'pending' : 'available';
  }
}
