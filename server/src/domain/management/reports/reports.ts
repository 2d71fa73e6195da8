import type { MovementKind, PetStatus, Reason } from '@petstore-inventory/shared/words';
import { OperatorError } from '../../errors.ts';
import type { LedgerHead } from '../../ledger/ledger.ts';
import { timestamp } from '../../timestamps.ts';

/** Which pets a report has. */
export interface ReportFilter {
  /** Exactly this category. Categories have no history: a pet is in the one that it has now. */
  readonly category?: string | undefined;
  readonly petId?: bigint | undefined;
}

export interface StockQuery extends ReportFilter {
  /** The stock after this movement. */
  readonly sequence: number;
  /** Only pets after this one. */
  readonly after?: bigint | undefined;
}

/** The retention start and the newest movement. */
export interface LedgerBounds {
  readonly start: LedgerHead;
  readonly head: LedgerHead;
  readonly nowMs: number;
}

export interface ReportPet {
  readonly petId: bigint;
  /** `null` also for a pet that was deleted. */
  readonly name: string | null;
  readonly category: string | null;
}

/** The stock of a pet after a movement. */
export interface PetStock extends ReportPet {
  readonly quantity: number;
  readonly status: PetStatus;
  readonly reserved: number;
}

/** The stock of pets together. */
export interface StockSum {
  /** `null` also where sums are not by category. */
  readonly category: string | null;
  readonly pets: number;
  readonly quantity: bigint;
  readonly reserved: bigint;
}

/** Movements of a kind, with a reason, that have the rest in common too. */
export interface MovementSum {
  readonly kind: MovementKind;
  readonly reason: Reason | null;
  /** Of reverts: the reason of the movement to which they lead. A prune may have deleted that. */
  readonly revertedReason: Reason | null;
  readonly movements: number;
  readonly unitsIn: bigint;
  readonly unitsOut: bigint;
}

export interface CategorySum extends MovementSum {
  /** `null` also where sums are not by category. */
  readonly category: string | null;
}

export interface PetSum extends MovementSum {
  readonly petId: bigint;
  /** An index of the ends that were asked for. */
  readonly period: number;
}

/** A pet, and a movement at which to begin to follow its movements back. */
export interface ChainEntry {
  readonly petId: bigint;
  readonly sequence: number;
}

/**
 * Reads the ledger for reports, a limited number of rows per call. Movements never change, so calls with the same bounds fit
 * together. Each call refuses bounds before the retention start.
 * @throws OperatorError `history_pruned`.
 */
export interface ReportStore {
  bounds(): Promise<LedgerBounds>;
  /** When the first movement after one was recorded, and the last one up to one; `undefined` where there is none. */
  span(
    lower: number,
    upper: number,
  ): Promise<{ readonly firstMs: number; readonly lastMs: number } | undefined>;
  /** The last movement recorded at each of these moments or before. */
  sequencesAt(atMs: readonly number[]): Promise<readonly number[]>;
  /** The stock after a movement of the next pets after one, archived and since deleted ones too. */
  stock(query: StockQuery): Promise<{ readonly pets: readonly PetStock[]; readonly next?: bigint }>;
  /** Sums of that stock, which the database adds up: rows of all pets would take several times as long. */
  stockSums(
    query: StockQuery & { readonly isByCategory: boolean },
  ): Promise<{ readonly sums: readonly StockSum[]; readonly next?: bigint }>;
  /** Sums of the next movements after one, up to one. */
  sums(query: {
    readonly after: number;
    readonly upTo: number;
    readonly category?: string | undefined;
    readonly isByCategory: boolean;
  }): Promise<{ readonly sums: readonly CategorySum[]; readonly reached: number }>;
  /** The next pets after one that have movements between two, each with an entry to its chain. */
  pets(
    query: ReportFilter & {
      readonly lower: number;
      readonly upper: number;
      readonly after?: bigint | undefined;
    },
  ): Promise<{ readonly pets: readonly (ReportPet & ChainEntry)[]; readonly next?: bigint }>;
  /**
   * Follows the movements of some pets from their entries back to `lower`.
   * @param ends The last movement of each period.
   * @returns Sums per pet and period, and the entries of those pets that have more movements.
   */
  chains(query: {
    readonly entries: readonly ChainEntry[];
    readonly lower: number;
    readonly ends: readonly number[];
  }): Promise<{ readonly sums: readonly PetSum[]; readonly open: readonly ChainEntry[] }>;
}

/** The refusal of a report on movements that a prune deleted. */
export function pruned({ sequence, recordedAtMs }: LedgerHead): OperatorError {
  return new OperatorError(
    `The ledger is kept from movement ${sequence} of ${timestamp(recordedAtMs)}, and the report begins before it. Choose a later beginning, or leave it out to begin there.`,
    { code: 'history_pruned' },
  );
}
