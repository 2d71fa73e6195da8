import { hash as digest } from 'node:crypto';
import type { PetStatus } from './inventory.ts';

/** What made a movement: an import of pets, or one of the operations that change stock. */
export const MOVEMENT_KINDS = ['import', 'set', 'adjust', 'status', 'revert'] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** Why stock changed, in the field's words. */
export const REASONS = [
  'correction',
  'cycle_count',
  'received',
  'restock',
  'returned',
  'damaged',
  'shrinkage',
  'promotion',
  'sold',
  'other',
] as const;
export type Reason = (typeof REASONS)[number];

/** What a client may say about a change; none of it decides anything. */
export interface Explanation {
  readonly reason: Reason | null;
  readonly note: string | null;
  readonly referenceDocumentUri: string | null;
  /** The client's own name for what caused the change. */
  readonly referenceId: string | null;
  /** When it happened in the shop, by the client's clock; `recordedAtMs` is when we learned of it. */
  readonly occurredAtMs: number | null;
}

export const UNEXPLAINED: Explanation = {
  reason: null,
  note: null,
  referenceDocumentUri: null,
  referenceId: null,
  occurredAtMs: null,
};

/** Who changes stock; never anything that a request's body says. */
export interface Author {
  /** The id of the API key that asks, or `cli`. */
  readonly actor: string;
  /** What the key is called, or `cli`. */
  readonly actorName: string;
  readonly requestId: string | null;
  readonly atMs: number;
}

/** Where the ledger stands; both numbers are 0 before the first movement. */
export interface LedgerHead {
  readonly sequence: number;
  readonly recordedAtMs: number;
}

/**
 * A head with the hash that the next record of the chain is made over: that of the newest movement or, if a prune was
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
  /** The movement that this one takes back. */
  readonly revertedSequence: number | null;
}

/** What a movement's hash covers. */
export type MovementContent = Omit<Movement, 'hash' | 'actorName'>;

/** What the first movement's hash is made over. */
export const FIRST_HASH = '0'.repeat(64);

/**
 * The hash of a movement: SHA-256 over the hash before it and its fields, as a JSON array in this order. It is
 * published, so that anybody can check a ledger that was handed to them. The name of a key is not part of it.
 */
export function movementHash(previousHash: string, movement: MovementContent): string {
  return digest('sha256', JSON.stringify(hashedFields(previousHash, movement)), 'hex');
}

/**
 * The digest of movements that a prune retains, continued with the next one: SHA-256 over the digest so far, its fields
 * as for its hash, and its stored hash. It begins with `FIRST_HASH` and takes the movements in the order of sequence.
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

/** Of a pet's movements each one whose version is a multiple of this is found by an index; between them lie the chains. */
export const MILESTONE_EVERY = 32;
