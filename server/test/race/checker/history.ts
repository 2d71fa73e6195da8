import type { PetStatus } from '@petstore-inventory/shared/words';

/** The stock of one pet as the service shows it. Each movement raises the version by one. */
export interface Register {
  readonly quantity: number;
  /** Units of open orders. */
  readonly reserved: number;
  readonly status: PetStatus;
  readonly version: number;
}

/** Preconditions that the write itself checks; if one fails, nothing is written. */
export interface Preconditions {
  /** `changeFromQuantity`: otherwise `conflict`. */
  readonly ifQuantity?: number;
  /** `If-Match` with the entity tag that the pet had at this version: otherwise `precondition_failed`. */
  readonly ifVersion?: number;
}

/**
 * One change of one pet. A set or status equal to the current value records nothing. A revert undoes the movement
 * `sequence`, which changed the quantity by `delta` and the status by `status`; it restores the status only if no later
 * movement changed it. A second revert, or a revert without effect, is a `conflict`.
 *
 * An adjustment or revert that lowers the quantity leaves the reserved units, unless `takesReserved`. The step of an
 * order moves units of its line: it reserves available ones, or releases, delivers or returns those of its order.
 */
export type Change = Preconditions &
  (
    | { readonly kind: 'set'; readonly quantity: number }
    | { readonly kind: 'adjust'; readonly delta: number; readonly takesReserved?: boolean }
    | { readonly kind: OrderKind; readonly units: number }
    | { readonly kind: 'status'; readonly status: PetStatus }
    | {
        readonly kind: 'revert';
        readonly sequence: number;
        readonly delta: number;
        readonly status?: StatusChange;
        readonly takesReserved?: boolean;
        /** Whether only the steps of its order undo it. */
        readonly isOfOrder?: boolean;
      }
  );

/** The steps of an order that are movements. */
export const ORDER_KINDS = ['reserve', 'release', 'deliver', 'return'] as const;
export type OrderKind = (typeof ORDER_KINDS)[number];

/** How a movement changed the status of a pet, if it did. */
export interface StatusChange {
  readonly from: PetStatus;
  readonly to: PetStatus;
}

/**
 * The action of an operation on one pet. A batch has the rows of this pet only, applied in order and atomically. With
 * `reject_failed_rows`, each row is a separate operation.
 */
export type Action =
  | { readonly kind: 'read' }
  | { readonly kind: 'batch'; readonly changes: readonly Change[] }
  | Change;

/** The refusals that depend on the stock. */
export type Refusal = 'precondition_failed' | 'conflict' | 'insufficient_stock';

/** The stock as far as an answer reports it. After a change: the new stock. */
export interface Reported {
  /** The quantity that the change found. */
  readonly quantityBefore?: number;
  readonly quantity?: number;
  readonly reserved?: number;
  readonly status?: PetStatus;
  readonly version?: number;
  /** The movement that the operation recorded, the last one of a batch; `null` where it recorded none. */
  readonly sequence?: number | null;
}

/**
 * The outcome of an operation. `refused`: the stock did not allow it. `failed`: it had no effect, and the answer
 * reports no stock (400, 404, 429, or a 503 that excludes an effect). `unknown`: it took effect at most once, at any
 * time after its invocation, even long after the connection broke.
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
  /** The request id of its movements: that of an answer that is not a replay. */
  readonly requestId?: string;
}

/** All operations of the clients on one pet, starting from `initial`. */
export interface History {
  readonly petId: bigint;
  readonly initial: Register;
  readonly operations: readonly Operation[];
}

/** The changes of an action, in order; none for a read. */
export function changesOf(action: Action): readonly Change[] {
  if (action.kind === 'read') return [];
  return action.kind === 'batch' ? action.changes : [action];
}

/** The history as known at a moment, by invocation. An operation that had not returned by then is unknown. */
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
