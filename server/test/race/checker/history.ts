import type { PetStatus } from '../../../src/domain/inventory.ts';

/** The stock of one pet as the service shows it. Each movement raises the version by one. */
export interface Register {
  readonly quantity: number;
  readonly status: PetStatus;
  readonly version: number;
}

/** What must hold of the stock inside the write itself, or nothing is written. */
export interface Preconditions {
  /** `changeFromQuantity`: otherwise `conflict`. */
  readonly ifQuantity?: number;
  /** `If-Match` with the entity tag that the pet had at this version: otherwise `precondition_failed`. */
  readonly ifVersion?: number;
}

/**
 * One change of one pet. A set or a status that finds what it asks for already there records nothing. A revert
 * undoes the movement `sequence`, which had changed the quantity by `delta` and the status as `status` says; the status
 * only where it still is what the movement made it. A second revert, and one that would change nothing, is a `conflict`.
 */
export type Change = Preconditions &
  (
    | { readonly kind: 'set'; readonly quantity: number }
    | { readonly kind: 'adjust'; readonly delta: number }
    | { readonly kind: 'status'; readonly status: PetStatus }
    | {
        readonly kind: 'revert';
        readonly sequence: number;
        readonly delta: number;
        readonly status?: StatusChange;
      }
  );

/** How a movement changed the status of a pet, if it did. */
export interface StatusChange {
  readonly from: PetStatus;
  readonly to: PetStatus;
}

/**
 * What an operation asked of one pet. A batch has the rows of this pet alone, applied in order and all or none of
 * them; where failed rows are left out instead (`reject_failed_rows`), each row is an operation of its own.
 */
export type Action =
  | { readonly kind: 'read' }
  | { readonly kind: 'batch'; readonly changes: readonly Change[] }
  | Change;

/** The refusals that say something about the stock. */
export type Refusal = 'precondition_failed' | 'conflict' | 'insufficient_stock';

/** What an answer told of the stock, as far as it told it. After a change: as the change left it. */
export interface Reported {
  /** The quantity that the change found. */
  readonly quantityBefore?: number;
  readonly quantity?: number;
  readonly status?: PetStatus;
  readonly version?: number;
  /** The movement that the operation recorded, the last one of a batch; `null` where it recorded none. */
  readonly sequence?: number | null;
}

/**
 * What came of an operation: answered, refused for what the stock was, failed (surely nothing happened, and nothing
 * is learnt: 400, 404, 429, a 503 that says so), or unknown: it may have happened once at any time after its
 * invocation, even long after the connection broke, or never.
 */
export type Outcome =
  | ({ readonly result: 'done' } & Reported)
  | ({ readonly result: 'refused'; readonly refusal: Refusal } & Reported)
  | { readonly result: 'failed' }
  | { readonly result: 'unknown'; readonly sequence?: number | null };

/**
 * One operation on one pet. Tries again with the same `Idempotency-Key` are the same operation: it was invoked with
 * the first of them, and returned with the first answer.
 */
export interface Operation {
  readonly client: string;
  /** By one monotonic clock for all clients, read before the first byte is sent. */
  readonly invokedAtMs: number;
  /** By the same clock, read after the answer came; without meaning where the outcome is unknown. */
  readonly returnedAtMs: number;
  readonly action: Action;
  readonly outcome: Outcome;
  /** The key id that the ledger must name as the actor. */
  readonly actor?: string;
  /** Its `Idempotency-Key`, or any mark that no other operation has and the ledger keeps, as a `referenceId`. */
  readonly idempotencyKey?: string;
  /** The `X-Request-Id` of each try that is known. */
  readonly requestIds?: readonly string[];
  /** The one that its movements must name: that of an answer which was no repetition of an earlier one. */
  readonly requestId?: string;
}

/** All that clients did to one pet from the moment when it stood at `initial`. */
export interface History {
  readonly petId: bigint;
  readonly initial: Register;
  readonly operations: readonly Operation[];
}

/** The changes that an action asks for, in order; none for a read. */
export function changesOf(action: Action): readonly Change[] {
  if (action.kind === 'read') return [];
  return action.kind === 'batch' ? action.changes : [action];
}

/**
 * The history as it was known at a moment, by invocation: what had not returned then is unknown, and may or may not
 * have taken effect.
 */
export function knownAt({ operations, ...history }: History, atMs: number): History {
  const known = operations
    .filter(({ invokedAtMs }) => invokedAtMs <= atMs)
    .map((operation): Operation => {
      const isKnown = operation.returnedAtMs <= atMs || operation.outcome.result === 'unknown';
      return isKnown ? operation : { ...operation, outcome: { result: 'unknown' } };
    })
    .toSorted((a, b) => a.invokedAtMs - b.invokedAtMs);
  return { ...history, operations: known };
}
