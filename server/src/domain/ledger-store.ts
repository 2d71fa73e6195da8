import type { FaultKind, MovementKind, PetStatus, Reason } from '@petstore-inventory/shared/words';
import type { Pet } from './inventory.ts';
import type { LedgerHead, Movement } from './ledger/ledger.ts';
import type { Prune } from './ledger/prunes.ts';
import type { SalesFacts } from './ledger/sales.ts';
import type { Stock, StockFilter } from './ledger/stock.ts';
import type { MaybePromise } from './maybe-promise.ts';
import type { OrderStore } from './orders/order-store.ts';
import type { WriteOutcome, WriteRequest } from './write-command.ts';

/** A pet with its stock and its sales. */
export type StockItem = Pet & Stock & SalesFacts;

/** Which movements a page has. An unset member does not restrict it. */
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
type MovementOrder = (typeof MOVEMENT_ORDERS)[number];

export interface MovementQuery {
  readonly filter: MovementFilter;
  readonly order: MovementOrder;
  /**
   * At most this many movements. A page may have fewer, or none, and not be the last one: it reads a limited number
   * of rows.
   */
  readonly limit: number;
  /**
   * The head of the ledger at a moment after the request arrived, if it is known. The page must include what is up to
   * it.
   */
  readonly head?: LedgerHead | undefined;
}

export interface MovementPage {
  readonly movements: readonly Movement[];
  /** The sequence after which (`asc`) or before which (`desc`) the next page begins, if there may be one. */
  readonly next: number | undefined;
}

export interface StockQuery {
  /** The stock is as it was after this movement. */
  readonly sequence: number;
  readonly filter: StockFilter;
  /** The page begins after this pet. */
  readonly after: bigint | undefined;
  /** At most this many items. */
  readonly limit: number;
}

/** A page of a list, small enough not to delay other requests. */
export interface StockPage {
  /** Each item's JSON with a comma before it. */
  readonly json: string;
  readonly itemCount: number;
  /** The next page begins after this pet; `undefined` when there is none. */
  readonly nextAfter: bigint | undefined;
}

/** The quantity of all pets per status, and the units that are reserved. Sums can exceed what a number holds. */
export interface StockTotals extends Readonly<Record<PetStatus, bigint>> {
  readonly reserved: bigint;
}

/** A movement with the hash of the chain at that point: its own, or that of a prune made after it. */
export interface ChainPoint {
  readonly sequence: number;
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string;
}

/** How many faults of a kind were found; more than 100 stands for any larger number. */
export interface Finding {
  readonly code: FaultKind;
  readonly count: number;
}

/** Result of recomputing the ledger. */
export interface AuditReport {
  readonly pets: number;
  /** The number of movements in the ledger. */
  readonly movements: number;
  /** Movements whose hash was recomputed. The newest prune's digest covers the others. */
  readonly hashesChecked: number;
  /** Movements up to this one may be deleted. */
  readonly retentionStart: LedgerHead;
  /** All prunes, the oldest first. */
  readonly prunes: readonly Prune[];
  /** The newest movement, and the hash to which the next record of the chain is added. */
  readonly head: ChainPoint;
  /** The first movement with a fault; `null` where there is no fault, or no movement has it. */
  readonly firstBadSequence: number | null;
  /** One sentence per fault; empty when the ledger is intact. */
  readonly faults: readonly string[];
  /** The kinds of these faults. */
  readonly findings: readonly Finding[];
}

/** Reads the ledger. Every method reads a bounded number of rows, however long the ledger is. */
export interface Ledger {
  /** The newest movement. */
  head(): MaybePromise<LedgerHead>;
  /** The retention start: movements up to this one may be deleted by a prune. */
  retentionStart(): MaybePromise<LedgerHead>;
  /** The prunes that were made after this movement and before the next one, the oldest first. */
  prunesAfter(sequence: number): MaybePromise<readonly Prune[]>;
  findMovement(sequence: number): MaybePromise<Movement | undefined>;
  listMovements(query: MovementQuery): MaybePromise<MovementPage>;
  /** The newest movement of a pet, not after `sequence`, that left this quantity, if it is among the last hundred or so. */
  lastSequenceWith(petId: bigint, quantity: number, sequence: number): MaybePromise<number | undefined>;
  /** The last movement recorded at this moment or before; 0 where there is none. */
  sequenceAt(atMs: number): MaybePromise<number>;
  /**
   * A page of the stock as it was after a movement. All pages of one sequence fit together, whatever comes later.
   */
  stockPage(query: StockQuery): MaybePromise<StockPage>;
  /** The quantity in stock now, by status. */
  stockTotals(): MaybePromise<StockTotals>;
}

/** The audits of a serving process. */
export interface Auditor {
  /**
   * Returns an audit that begins after this call: it recomputes every hash and every balance.
   * @param signal Aborted when the caller does not need it any more. An audit without callers is not begun.
   */
  next(signal?: AbortSignal): Promise<AuditReport>;
}

/** Reads and changes stock. */
export interface StockStore {
  /**
   * Executes one write. Resolves when its movements, the new stock and its idempotency record are durable.
   * @throws ApiError `service_unavailable` when nothing was changed and a retry may succeed, or when the result is
   * unknown.
   */
  write(request: WriteRequest): Promise<WriteOutcome>;
  /**
   * A pet with its stock, with every change that was acknowledged before this call.
   * @param nowMs The moment at which the days of the sales end.
   */
  findItem(petId: bigint, nowMs: number): MaybePromise<StockItem | undefined>;
  readonly ledger: Ledger;
  readonly orders: OrderStore;
  /**
   * Calls `listener` soon after any process has committed movements, and sometimes without any. Returns the function
   * that stops this. The listener then reads the ledger. It must not throw.
   */
  onMovements(listener: () => void): () => void;
}
