import type {
  AlertLevel,
  PetStatus,
  StocktakePosting,
  StocktakeState,
} from '@petstore-inventory/shared/words';
import type { Preconditions } from '../ledger/stock.ts';
import type { ActionAuthor } from './activity.ts';
import type { ManagedPet } from './pets.ts';

/** Which pets must be counted, as a filter of pets. Without a member: all that are not archived. */
export interface StocktakeScope {
  /** Words as in a search of pets. */
  readonly query?: string;
  readonly category?: string;
  readonly status?: PetStatus;
  readonly alertLevels?: readonly AlertLevel[];
}

export interface NewStocktake {
  readonly name: string;
  readonly scope: StocktakeScope;
  readonly posting: StocktakePosting;
}

export interface Stocktake extends NewStocktake {
  readonly id: string;
  readonly startedBy: string;
  /** The name of the key, or the same as `startedBy`. */
  readonly startedByName: string;
  readonly startedAtMs: number;
  /** The counts of the stock-take are movements after this one. */
  readonly startedSequence: number;
  /** Who ended the counting, by a close or by a cancel. */
  readonly closedBy: string | null;
  readonly closedByName: string | null;
  readonly closedAtMs: number | null;
  /** No count after this movement belongs to it. */
  readonly closedSequence: number | null;
  /** The differences of the close are movements up to this one. A cancel posts none: it has `null`. */
  readonly postedSequence: number | null;
  readonly undoneBy: string | null;
  readonly undoneByName: string | null;
  readonly undoneAtMs: number | null;
  /** The undo, or what a cancel took back, is the movements after this one. */
  readonly undoneSequence: number | null;
  /** When a prune deleted its movements; its report is that of this moment. */
  readonly prunedAtMs: number | null;
}

/** A cancel ends the counting and takes back what it changed in one step: only its posting is missing. */
export function stateOf({ closedAtMs, postedSequence, undoneAtMs }: Stocktake): StocktakeState {
  if (undoneAtMs !== null) return postedSequence === null ? 'cancelled' : 'undone';
  return closedAtMs === null ? 'running' : 'closed';
}

/** A pet that was counted. */
export interface StocktakeLine {
  readonly petId: bigint;
  /** The movement of the last count. */
  readonly sequence: number;
  /** The stock just before the last count, without what this stock-take itself had changed. */
  readonly expected: number;
  readonly counted: number;
  /** What the stock-take has changed in the stock: all of `counted - expected` after its close, 0 after its undo. */
  readonly posted: number;
  /** What a close must still change in the stock. It is exact, also where `expected` and `posted` end at their limits. */
  readonly unposted: number;
  /** How many counts there were; those that were undone are left out. */
  readonly counts: number;
  /** Who made the last count. */
  readonly actor: string;
  readonly actorName: string;
  readonly countedAtMs: number;
}

/** A line with the texts of its pet. */
export interface NamedLine extends StocktakeLine {
  readonly name: string | null;
  readonly category: string | null;
}

export const varianceOf = ({ counted, expected }: StocktakeLine): number => counted - expected;

/** A page may have fewer items than its limit, or none, and not be the last. */
export interface LinePage {
  readonly lines: readonly NamedLine[];
  /** The next page begins after this pet. */
  readonly next?: bigint;
}

export interface LineQuery {
  readonly after?: bigint | undefined;
  readonly limit: number;
  /** Only lines with a variance (`true`), or only those without (`false`). */
  readonly differs?: boolean | undefined;
}

export interface UncountedPage {
  readonly pets: readonly ManagedPet[];
  readonly next?: bigint;
}

export interface StocktakeTotals {
  /** The totals are those after this movement. */
  readonly sequence: number;
  /** Pets that were counted, also outside of the scope. */
  readonly counted: number;
  /** Pets of the scope that were not. */
  readonly uncounted: number;
  /** Counted pets with a variance. */
  readonly differences: number;
  /** Units that were found more than expected, of all pets with more. */
  readonly surplus: bigint;
  /** Units that were missing, of all pets with fewer. */
  readonly shortage: bigint;
  /** Counted pets whose variance is not what the stock-take has changed in the stock. */
  readonly unposted: number;
}

export interface NewCount extends Pick<Preconditions, 'ifMatch' | 'ifNoneMatch'> {
  readonly petId: bigint;
  readonly counted: number;
  readonly note: string | null;
  readonly occurredAtMs: number | null;
}

export interface RecordedCount {
  readonly petId: bigint;
  readonly counted: number;
  /** The sequence of the movement that recorded the count. */
  readonly sequence: number;
  /** The stock after that movement. */
  readonly quantity: number;
  readonly tag: string;
  /** Whether it was recorded by an earlier request with the same idempotency key. */
  readonly isReplayed: boolean;
}

/**
 * Stock-takes. Counts are movements, and everything that a report says is derived from them.
 * @throws OperatorError with the code `not_found`, `conflict`, `insufficient_stock`, `precondition_failed`,
 * `validation_failed` or `idempotency_key_reused`.
 */
export interface StocktakeStore {
  start(stocktake: NewStocktake, author: ActionAuthor): Promise<Stocktake>;
  /** The newest first. */
  list(query: {
    readonly limit: number;
    readonly before?: string | undefined;
    readonly state?: StocktakeState | undefined;
  }): Promise<readonly Stocktake[]>;
  find(id: string): Promise<Stocktake>;
  /** Records that a pet was counted. @throws OperatorError `conflict` for a stock-take that does not run. */
  count(
    id: string,
    count: NewCount,
    author: ActionAuthor & { readonly actorName: string },
    idempotency?: { readonly scope: string; readonly fingerprint: string },
  ): Promise<RecordedCount>;
  lines(id: string, query: LineQuery): Promise<LinePage>;
  /** The pets of the scope that were not counted, by petId. After its end, pets that were added since are left out. */
  uncounted(id: string, query: Omit<LineQuery, 'differs'>): Promise<UncountedPage>;
  totals(id: string): Promise<StocktakeTotals>;
  /**
   * Ends the counting, and posts the differences that are not posted yet, all or none. A closed one stays as it is.
   * @throws OperatorError `insufficient_stock` that names the pets with fewer units than are missing, `conflict` for one
   * that is cancelled.
   */
  close(id: string, author: ActionAuthor): Promise<Stocktake>;
  /** Reverts all that a closed stock-take changed in the stock, or nothing. */
  undo(id: string, author: ActionAuthor): Promise<Stocktake>;
  /** Ends a running stock-take: posts nothing, and reverts all that it changed in the stock, or does nothing. */
  cancel(id: string, author: ActionAuthor): Promise<Stocktake>;
}
