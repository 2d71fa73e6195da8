import type { Pet, PetStatus } from './inventory.ts';
import type { LedgerHead, Movement, MovementKind, Reason } from './ledger.ts';
import type { MaybePromise } from './maybe-promise.ts';
import type { Prune } from './prunes.ts';
import type { Stock } from './stock.ts';
import type { WriteAnswer, WriteRequest } from './write-command.ts';

/** A pet with its stock. */
export type StockItem = Pet & Stock;

/** Which movements a history tells; what is not set does not restrict it. */
export interface MovementFilter {
  readonly petId?: bigint;
  readonly kind?: MovementKind;
  readonly reason?: Reason;
  /** The id of an API key, or `cli`. */
  readonly actor?: string;
  /** Recorded at this moment or later. */
  readonly sinceMs?: number;
  /** Recorded before this moment. */
  readonly untilMs?: number;
  /** With a greater sequence. */
  readonly after?: number;
  /** With a smaller sequence. */
  readonly before?: number;
}

/** Oldest first, or newest first. */
export const MOVEMENT_ORDERS = ['asc', 'desc'] as const;
export type MovementOrder = (typeof MOVEMENT_ORDERS)[number];

export interface MovementQuery {
  readonly filter: MovementFilter;
  readonly order: MovementOrder;
  /** Movements at most. A page may have fewer, or none, and yet not be the last: no page reads more than so many lines. */
  readonly limit: number;
  /** Where the ledger stood after the request had arrived, if that is known; the page must not miss what is up to there. */
  readonly head?: LedgerHead | undefined;
}

export interface MovementPage {
  readonly movements: readonly Movement[];
  /** The sequence after which (`asc`) or before which (`desc`) the next page begins, if there may be one. */
  readonly next: number | undefined;
}

/** Which pets a list tells, by the stock they had. */
export interface StockFilter {
  readonly status?: PetStatus;
  readonly quantityLte?: number;
  readonly quantityGte?: number;
  /** Whose stock was changed at this moment or later. */
  readonly updatedSinceMs?: number;
  /** Ascending, each one once. */
  readonly petIds?: readonly bigint[];
}

export interface StockQuery {
  /** The movement after which the stock is told. */
  readonly sequence: number;
  readonly filter: StockFilter;
  /** The pet after which to go on. */
  readonly after: bigint | undefined;
  /** Items at most. */
  readonly limit: number;
}

/** A part of a list, small enough not to hold others up. */
export interface StockSlice {
  /** Each item's JSON with a comma before it. */
  readonly json: string;
  readonly itemCount: number;
  /** The pet after which to go on; `undefined` when there is none after this slice. */
  readonly nextAfter: bigint | undefined;
}

/** How many of which status there are; sums can be beyond what a number holds. */
export type StockTotals = Readonly<Record<PetStatus, bigint>>;

/** A movement with the hash of the chain there: its own, or that of a prune that was made after it. */
export interface ChainPoint {
  readonly sequence: number;
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string;
}

/** What came of recomputing the ledger. */
export interface AuditReport {
  readonly pets: number;
  /** Movements that are there. */
  readonly movements: number;
  /** Movements whose hash was recomputed. The newest prune's digest covers the others. */
  readonly hashesChecked: number;
  /** Movements up to there may be gone. */
  readonly retentionStart: LedgerHead;
  /** All prunes, the oldest first. */
  readonly prunes: readonly Prune[];
  /** The newest movement, and the hash that the next record of the chain is made over. */
  readonly head: ChainPoint;
  /** The first movement at which something is wrong; `null` where nothing is, or no movement is to blame. */
  readonly firstBadSequence: number | null;
  /** One sentence a fault; empty when everything is as the ledger says. */
  readonly faults: readonly string[];
}

/** What the ledger tells. All of it but `audit` reads a bounded number of rows, however long the ledger is. */
export interface Ledger {
  /** Where it stands now. */
  head(): MaybePromise<LedgerHead>;
  /** Where it begins: movements up to there may be gone, because the operator does not keep them. */
  retentionStart(): MaybePromise<LedgerHead>;
  /** The prunes that were made after this movement and before the next one, the oldest first. */
  prunesAfter(sequence: number): MaybePromise<readonly Prune[]>;
  findMovement(sequence: number): MaybePromise<Movement | undefined>;
  listMovements(query: MovementQuery): MaybePromise<MovementPage>;
  /** The newest movement of a pet, not after `sequence`, that left this quantity, if it is among the last hundred or so. */
  lastSequenceWith(petId: bigint, quantity: number, sequence: number): MaybePromise<number | undefined>;
  /** The last movement recorded at this moment or before; 0 where there is none. */
  sequenceAt(atMs: number): MaybePromise<number>;
  /** A part of the stock as a movement left it, whatever comes after: all slices of one sequence fit together. */
  stockSlice(query: StockQuery): MaybePromise<StockSlice>;
  /** How much there is now, by status. */
  stockTotals(): MaybePromise<StockTotals>;
  /** Recomputes every hash and every balance. */
  audit(signal?: AbortSignal): Promise<AuditReport>;
}

/** Changing stock. */
export interface StockStore {
  /**
   * Carries out one request that writes; resolves when its movements, the new stock and its answer are on disk.
   * @throws ApiError `service_unavailable` when nothing was changed and a later try may succeed, or nobody knows.
   */
  write(request: WriteRequest): Promise<WriteAnswer>;
  /** A pet with its stock, with every change that was acknowledged before this call. */
  findItem(petId: bigint): MaybePromise<StockItem | undefined>;
  readonly ledger: Ledger;
  /**
   * Has `listener` called soon after anybody's movements were committed; it may be called without any. Returns what
   * ends that. It only wakes up: the ledger tells what there is. A listener must not throw.
   */
  onMovements(listener: () => void): () => void;
}
