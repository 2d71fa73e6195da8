import { type PetStatus, type StatusPolicy, statusAfter } from './inventory.ts';

/** What made a movement: an import of pets, or `updateInventory`. */
export const MOVEMENT_KINDS = ['import', 'set'] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/**
 * One line of the append-only ledger. Sequences have no gaps and are in commit order; a pet's first movement
 * has no status before it, and each later one names the pet's previous movement.
 */
export interface Movement {
  readonly sequence: number;
  readonly previousSequence: number | null;
  readonly petId: bigint;
  readonly kind: MovementKind;
  readonly quantityBefore: number;
  readonly quantityAfter: number;
  readonly statusBefore: PetStatus | null;
  readonly statusAfter: PetStatus;
  readonly reason: string | null;
  /** The id of the API key that asked, or `cli`. */
  readonly actor: string;
  readonly requestId: string | null;
  readonly recordedAtMs: number;
}

export interface QuantityChange {
  readonly petId: bigint;
  readonly quantity: number;
  /** The id of the key that asks. */
  readonly actor: string;
  readonly requestId: string;
  readonly atMs: number;
}

/** The stock of a pet as the ledger last left it. */
export interface Stock {
  readonly quantity: number;
  readonly status: PetStatus;
  /** The pet's newest movement. */
  readonly lastSequence: number;
}

/** The newest line of the ledger; both numbers are 0 before the first. */
export interface LedgerHead {
  readonly sequence: number;
  readonly recordedAtMs: number;
}

/**
 * The movement that a change of quantity makes after `head`, or nothing where the quantity is there already.
 * A movement is never recorded as earlier than the one before it, whatever the clocks say.
 */
export function movementOf(
  change: QuantityChange,
  stock: Stock,
  head: LedgerHead,
  policy: StatusPolicy,
): Movement | undefined {
  if (stock.quantity === change.quantity) return undefined;
  return {
    sequence: head.sequence + 1,
    previousSequence: stock.lastSequence,
    petId: change.petId,
    kind: 'set',
    quantityBefore: stock.quantity,
    quantityAfter: change.quantity,
    statusBefore: stock.status,
    statusAfter: statusAfter(policy, stock.status, change.quantity),
    reason: null,
    actor: change.actor,
    requestId: change.requestId,
    recordedAtMs: Math.max(change.atMs, head.recordedAtMs),
  };
}
