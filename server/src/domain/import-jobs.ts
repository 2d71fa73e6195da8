import type { Faults, FileFault } from '@petstore-inventory/shared/pet-file/faults';
import type { RowContent } from '@petstore-inventory/shared/pet-file/rows';
import type { FileRow, PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import type { FileFacts, Reading } from '@petstore-inventory/shared/pet-file/reading';
import type { ImportFormat, ImportMode } from '@petstore-inventory/shared/words';
import type { DiskLimits } from './disk.ts';
import type { ImportFailureCode, ImportRow } from './management/imports.ts';
import type { CodeFacts, CodeKey } from './management/pet-codes.ts';

/** An import that needs work, held by one runner. Whatever a runner writes after the loss of its lease is refused. */
export interface ImportTask {
  readonly id: string;
  readonly state: 'checking' | 'applying';
  readonly format: ImportFormat;
  readonly mode: ImportMode;
  readonly reading: Reading;
  /** The applied import that it undoes; `null`: it has a file. */
  readonly undoes: string | null;
  /** Rows that it would change, once it is planned. */
  readonly changes: number;
  /** Names this lease. */
  readonly owner: string;
}

/** A row of a file with its place. */
export interface PlacedRow {
  readonly row: PetRow;
  readonly line: number;
  readonly element: number | null;
  readonly content?: RowContent;
}

/** A row of a file with its place, whose pet may be unknown. */
export interface PlacedFileRow extends Omit<PlacedRow, 'row'> {
  readonly row: FileRow;
}

/** A row that is not in the plan. */
export interface RefusedRow extends PlacedRow {
  /** The earlier line with its petId; `null`: the sum with its pet's quantity is out of range. */
  readonly earlierLine: number | null;
  /** The stock of the pet before the row. */
  readonly found: number;
}

export interface CheckProgress {
  /** The bytes of the file that were read so far. */
  readonly readBytes: number;
  readonly maxQuantity: number;
  /** The text of rows that are left out, with what is wrong with them. */
  readonly badRows: string;
}

/** What a check found. */
export interface CheckResult extends Faults {
  /** The SHA-256 of the file; `undefined`: it cannot be read to its end. */
  readonly fileHash: Uint8Array | undefined;
  readonly badRowCount: number;
  /** `undefined`: there is no file. */
  readonly facts: FileFacts | undefined;
}

/** Rows of the plan of an undo. */
export interface UndoPage {
  /** What keeps rows out of the plan. */
  readonly faults: readonly FileFault[];
  /** The last pet; `undefined`: no pets are left. */
  readonly last: bigint | undefined;
}

/** The stock of a pet before a row. */
export interface FoundStock {
  readonly petId: bigint;
  readonly found: number;
}

export interface CompareOptions {
  readonly mode: ImportMode;
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
   * @returns The rows that it refused; `undefined` if the lease is lost or the import is cancelled.
   */
  addRows(
    task: ImportTask,
    rows: readonly PlacedRow[],
    progress: CheckProgress,
  ): Promise<readonly RefusedRow[] | undefined>;
  /**
   * Plans the undo of rows of another import, from the pets after `after`.
   * @returns `'gone'`: the other import is deleted, or undone by now. `undefined`: as `addRows`.
   */
  addUndo(
    task: ImportTask,
    after: bigint | undefined,
    maxQuantity: number,
  ): Promise<UndoPage | 'gone' | undefined>;
  /** Finds the pets that have any of the codes. */
  findCodes(keys: readonly CodeKey[]): Promise<CodeFacts>;
  /** Compares rows with the stock, without a change. Returns those that would change something, in their order. */
  compare(rows: readonly PlacedRow[], options: CompareOptions): Promise<readonly ImportRow[]>;
  /** The pets to whose stock rows cannot be added, with what they have. */
  findWrongSums(rows: readonly PetRow[], maxQuantity: number): Promise<readonly FoundStock[]>;
  /** Ends the check: `planned`, or `invalid` with its faults. */
  finishCheck(task: ImportTask, result: CheckResult): Promise<void>;
  /** Writes all rows and the new state in one transaction; or finds that the plan is stale, or the lease lost. */
  apply(task: ImportTask): Promise<void>;
  /** Ends an import that can be planned again. */
  fail(task: ImportTask, reason: ImportFailureCode): Promise<void>;
  /** Free disk space, as `Store.freeBytes`. */
  freeBytes(disk: DiskLimits): Promise<number | undefined>;
  /** Lets another runner continue, after a delay. */
  release(task: ImportTask, delayMs: number): Promise<void>;
  /** Deletes old imports, and uploads that were interrupted, in batches. Returns whether there is more. */
  purge(): Promise<boolean>;
}
