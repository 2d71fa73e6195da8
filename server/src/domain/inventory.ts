import { ApiError } from './errors.ts';

export const PET_STATUSES = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof PET_STATUSES)[number];

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

/** The largest quantity there can be: beyond it JSON readers disagree about integers (RFC 8259 section 6). */
export const MAX_QUANTITY = Number.MAX_SAFE_INTEGER;

export const MIN_INT64 = -(2n ** 63n);
export const MAX_INT64 = 2n ** 63n - 1n;
const CANONICAL_INTEGER = /^(?:0|-?[1-9][0-9]{0,18})$/;

/**
 * Reads a pet's identifier in canonical decimal: no sign but a minus, no leading zeros, within int64.
 * Any other spelling is `undefined`, so that no text can ever name another pet's row.
 */
export function parsePetId(text: string): bigint | undefined {
  if (!CANONICAL_INTEGER.test(text)) return undefined;
  const petId = BigInt(text);
  return petId >= MIN_INT64 && petId <= MAX_INT64 ? petId : undefined;
}

/** The refusal of a request for a pet that the store does not have. */
export function petNotFound(petId: bigint): ApiError {
  return new ApiError('not_found', `There is no pet with petId ${petId}.`);
}

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
