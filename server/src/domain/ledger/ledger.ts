import { hash as digest } from 'node:crypto';
import type { AlertLevel, MovementKind, PetStatus, Reason } from '@petstore-inventory/shared/words';

/** A client's explanation of a change. It never affects what is written to the stock. */
export interface Explanation {
  readonly reason: Reason | null;
  readonly note: string | null;
  readonly referenceDocumentUri: string | null;
  /** The client's own name for what caused the change. */
  readonly referenceId: string | null;
  /** When it happened in the shop, by the client's clock. `recordedAtMs` is the service's own time. */
  readonly occurredAtMs: number | null;
}

export const UNEXPLAINED: Explanation = {
  reason: null,
  note: null,
  referenceDocumentUri: null,
  referenceId: null,
  occurredAtMs: null,
};

/** Who changes stock. No part of it comes from a request's body. */
export interface Author {
  /** The id of the request's API key; `cli` for the operator, `service` for what the service does by itself. */
  readonly actor: string;
  /** The name of the key, or the same as `actor`. */
  readonly actorName: string;
  readonly requestId: string | null;
  readonly atMs: number;
}

/** The newest movement; both numbers are 0 before the first movement. */
export interface LedgerHead {
  readonly sequence: number;
  readonly recordedAtMs: number;
}

/**
 * A head with the hash to which the next record of the chain is added: that of the newest movement or, if a prune was
 * recorded since, of the newest prune; `FIRST_HASH` before the first movement.
 */
export interface ChainHead extends LedgerHead {
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string;
}

/**
 * One line of the append-only ledger. Sequences have no gaps and are in commit order; a pet's first movement
 * has no status before it, and each later one names the pet's previous movement.
 */
export interface Movement extends ChainHead, Explanation, Omit<Author, 'atMs'> {
  readonly previousSequence: number | null;
  readonly petId: bigint;
  /** The pet's version from this movement on: 1 for its first one, and one more for each. */
  readonly version: number;
  readonly kind: MovementKind;
  readonly quantityBefore: number;
  readonly quantityAfter: number;
  readonly statusBefore: PetStatus | null;
  readonly statusAfter: PetStatus;
  /** Units promised to open orders. */
  readonly reservedBefore: number;
  readonly reservedAfter: number;
  readonly alertBefore: AlertLevel | null;
  readonly alertAfter: AlertLevel | null;
  /** The order of which it is a step. */
  readonly orderId: number | null;
  /** The movement that this one reverts. */
  readonly revertedSequence: number | null;
}

/** What a movement's hash covers. */
type MovementContent = Omit<Movement, 'hash' | 'actorName'>;

/** The hash before the first movement. */
export const FIRST_HASH = '0'.repeat(64);

/** The head of the chain before the first movement. */
export const EMPTY_CHAIN: ChainHead = { sequence: 0, recordedAtMs: 0, hash: FIRST_HASH };

/**
 * The hash of a movement: SHA-256 over a JSON array of the hash before it and its fields in this order. The format is
 * public, so a copy of a ledger can be checked without the service. The name of a key is not part of it.
 */
export function movementHash(previousHash: string, movement: MovementContent): string {
  return digest('sha256', JSON.stringify(hashedFields(previousHash, movement)), 'hex');
}

/**
 * The digest of the movements that a prune retains, with the next one added: SHA-256 over the digest before it, its
 * fields as for its hash, and its stored hash. It begins with `FIRST_HASH`; movements are added in order of sequence.
 */
export function retainedDigest(
  digestSoFar: string,
  movement: MovementContent & Pick<Movement, 'hash'>,
): string {
  const fields = [...hashedFields(digestSoFar, movement), movement.hash];
  return digest('sha256', JSON.stringify(fields), 'hex');
}

function hashedFields(previousHash: string, movement: MovementContent): readonly unknown[] {
  return [
    previousHash,
    movement.sequence,
    movement.previousSequence,
    String(movement.petId),
    movement.version,
    movement.kind,
    movement.quantityBefore,
    movement.quantityAfter,
    movement.statusBefore,
    movement.statusAfter,
    movement.reservedBefore,
    movement.reservedAfter,
    movement.alertBefore,
    movement.alertAfter,
    movement.orderId,
    movement.reason,
    movement.note,
    movement.referenceDocumentUri,
    movement.referenceId,
    movement.occurredAtMs,
    movement.actor,
    movement.requestId,
    movement.recordedAtMs,
    movement.revertedSequence,
  ];
}

/**
 * An index has each movement of a pet whose version is a multiple of this; `previous_sequence` links those between.
 */
export const MILESTONE_EVERY = 32;
