import type { PetStatus } from './inventory.ts';

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
