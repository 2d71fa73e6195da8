import type { Faults, ImportFormat, ImportRow } from './management/imports.ts';
import type { PetRow } from './store.ts';

/** An import that needs work, held by one runner. Whatever a runner writes after the loss of its lease is refused. */
export interface ImportTask {
  readonly id: string;
  readonly state: 'checking' | 'applying';
  readonly format: ImportFormat;
  /** Names this lease. */
  readonly owner: string;
}

/** A row of a file with its place. */
export interface PlacedRow {
  readonly row: PetRow;
  readonly line: number;
  readonly element: number | null;
}

/** A row whose petId is on an earlier line. */
export interface RepeatedRow extends PlacedRow {
  readonly earlierLine: number;
}

/** What a runner needs of a database to check and apply imports. */
export interface ImportJobs {
  /** Takes the oldest import that needs work and that no other runner holds. */
  claim(): Promise<ImportTask | undefined>;
  /** Removes the rows of an earlier check. Returns whether the lease still holds. */
  clearRows(task: ImportTask): Promise<boolean>;
  /** A part of the file; `undefined` after the last one. */
  readPart(task: ImportTask, number: number): Promise<Uint8Array | undefined>;
  /**
   * Compares rows with the stock and adds them to the plan.
   * @returns The rows that it did not add because their petId is there already; `undefined` if the lease is lost or the
   * import is cancelled.
   */
  addRows(
    task: ImportTask,
    rows: readonly PlacedRow[],
    readBytes: number,
  ): Promise<readonly RepeatedRow[] | undefined>;
  /** Compares rows with the stock, without a change. Returns those that would change something, in their order. */
  compare(rows: readonly PlacedRow[]): Promise<readonly ImportRow[]>;
  /** Ends the check: `planned`, or `invalid` with its faults. */
  finishCheck(task: ImportTask, faults: Faults): Promise<void>;
  /** Writes all rows and the new state in one transaction; or finds that the plan is stale, or the lease lost. */
  apply(task: ImportTask): Promise<void>;
  /** Lets another runner continue, after a delay. */
  release(task: ImportTask, delayMs: number): Promise<void>;
  /** Deletes old imports, and uploads that were interrupted, in portions. Returns whether there is more. */
  purge(): Promise<boolean>;
}
