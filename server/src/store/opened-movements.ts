import type { PetStatus } from '../domain/inventory.ts';
import { FIRST_HASH, type Movement, type MovementKind, movementHash, UNEXPLAINED } from '../domain/ledger.ts';

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

/** Gives the movements of the first step, in their order, their pets' versions and the chain of hashes. */
export class OpenedMovements {
  readonly #versions = new Map<bigint, number>();
  #hash = FIRST_HASH;

  next(movement: FirstMovement): Movement {
    const version = (this.#versions.get(movement.petId) ?? 0) + 1;
    this.#versions.set(movement.petId, version);
    const fields = {
      ...UNEXPLAINED,
      ...movement,
      version,
      actorName: movement.actor,
      revertedSequence: null,
    };
    this.#hash = movementHash(this.#hash, fields);
    return { ...fields, hash: this.#hash };
  }
}
