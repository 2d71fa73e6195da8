import type { Thresholds } from '@petstore-inventory/shared/thresholds';
import type { AlertLevel, PetStatus } from '@petstore-inventory/shared/words';
import { alertLevel, thresholdsOf } from '../../domain/ledger/alerts.ts';
import { type ChainHead, type Movement, movementHash, UNEXPLAINED } from '../../domain/ledger/ledger.ts';

/** A pet of a file with its new thresholds and its present stock, only where the two differ. */
export interface ImportedStock extends Thresholds {
  readonly petId: bigint;
  readonly quantity: number;
  readonly status: PetStatus;
  readonly quantityBefore: number | null;
  readonly statusBefore: PetStatus | null;
  readonly reserved: number | null;
  readonly alertBefore: AlertLevel | null;
  readonly version: number | null;
  readonly lastSequence: number | null;
}

interface MovementAuthor {
  readonly actor: string;
  readonly requestId: string | null;
  readonly atMs: number;
  /** The id of the import or of the change of many pets, if there is one. */
  readonly referenceId?: string | undefined;
}

/**
 * Makes the movements of an import, in the order of its rows, after the head of a ledger. A pet whose name or
 * category alone changes has a movement too: a version covers everything about an item.
 */
export class ImportedMovements {
  readonly #thresholds: Thresholds;
  readonly #author: MovementAuthor;
  readonly #atMs: number;
  #head: ChainHead;

  /** @param thresholds Of pets without their own. */
  constructor(head: ChainHead, thresholds: Thresholds, author: MovementAuthor) {
    this.#head = head;
    this.#thresholds = thresholds;
    this.#author = author;
    this.#atMs = Math.max(author.atMs, head.recordedAtMs);
  }

  next(row: ImportedStock): Movement {
    return this.#next(row, {});
  }

  /** The last movement of a pet, which reverts its only other one, so that no one reverts that again. */
  deletion(row: ImportedStock, note: string | null): Movement {
    return this.#next(row, {
      reason: 'correction',
      note,
      // The alert level stays: a pet that is gone is neither out of stock nor back.
      quantityAfter: 0,
      revertedSequence: row.lastSequence,
    });
  }

  #next(row: ImportedStock, changes: Partial<Movement>): Movement {
    const { actor, requestId, referenceId = null } = this.#author;
    const reserved = row.reserved ?? 0;
    const thresholds = thresholdsOf(row, this.#thresholds);
    const fields = {
      ...UNEXPLAINED,
      sequence: this.#head.sequence + 1,
      previousSequence: row.lastSequence,
      petId: row.petId,
      version: (row.version ?? 0) + 1,
      kind: 'import' as const,
      quantityBefore: row.quantityBefore ?? 0,
      quantityAfter: row.quantity,
      statusBefore: row.statusBefore,
      statusAfter: row.status,
      reservedBefore: reserved,
      reservedAfter: reserved,
      alertBefore: row.alertBefore,
      alertAfter: alertLevel(row.alertBefore, row.quantity - reserved, thresholds),
      orderId: null,
      actor,
      actorName: actor,
      requestId,
      referenceId,
      recordedAtMs: this.#atMs,
      revertedSequence: null,
      ...changes,
    };
    const movement = { ...fields, hash: movementHash(this.#head.hash, fields) };
    this.#head = movement;
    return movement;
  }
}
