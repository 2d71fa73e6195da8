import type { PetStatus } from '../../domain/inventory.ts';
import {
  FIRST_HASH,
  type Movement,
  type MovementKind,
  movementHash,
  UNEXPLAINED,
} from '../../domain/ledger.ts';

/** A movement as the first step of the schema kept it. */
export interface FirstMovement {
  readonly sequence: number;
  readonly previousSequence: number | null;
  readonly petId: bigint;
  readonly kind: MovementKind;
  readonly quantityBefore: number;
  readonly quantityAfter: number;
  readonly statusBefore: PetStatus | null;
  readonly statusAfter: PetStatus;
  readonly actor: string;
  readonly requestId: string | null;
  readonly recordedAtMs: number;
}

/** Makes every stock as old as its newest movement, which may have got a later time than it had. */
export const SET_UPDATED_AT = `UPDATE inventory SET updated_at = (
  SELECT recorded_at FROM movements WHERE sequence = last_sequence
) WHERE updated_at < (SELECT recorded_at FROM movements WHERE sequence = last_sequence)`;

/**
 * Gives the movements of the first step, in their order, their pets' versions and the chain of hashes. The first release
 * noted an import at the time at which it began, before movements that came earlier: none stays earlier than the one before it.
 */
export class OpenedMovements {
  readonly #versions = new Map<bigint, number>();
  #hash = FIRST_HASH;
  #recordedAtMs = 0;

  next(movement: FirstMovement): Movement {
    const version = (this.#versions.get(movement.petId) ?? 0) + 1;
    this.#versions.set(movement.petId, version);
    this.#recordedAtMs = Math.max(this.#recordedAtMs, movement.recordedAtMs);
    const fields = {
      ...UNEXPLAINED,
      ...movement,
      recordedAtMs: this.#recordedAtMs,
      version,
      actorName: movement.actor,
      revertedSequence: null,
    };
    this.#hash = movementHash(this.#hash, fields);
    return { ...fields, hash: this.#hash };
  }
}
