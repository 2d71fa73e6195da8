import type { PetCodes } from './pet-codes.ts';
import { DAY_MS } from '@petstore-inventory/shared/durations';
import type { Faults } from '@petstore-inventory/shared/pet-file/faults';
import type { FileFacts, Reading } from '@petstore-inventory/shared/pet-file/reading';
import type { Thresholds } from '@petstore-inventory/shared/thresholds';
import type { ImportEffect, ImportFormat, ImportMode, PetStatus } from '@petstore-inventory/shared/words';
import type { ActionAuthor } from './activity.ts';

/**
 * - `receiving`: the file arrives.
 * - `checking`: the file is read and compared with the stock. Then it is `planned`, or `invalid` for its faults.
 * - `applying`: it waits for its transaction, or that runs. Then it is `applied`, or `stale` because stock changed after
 *   the plan; it can be planned again.
 * - `failed`: it was interrupted too often.
 */
export const IMPORT_STATES = [
  'receiving',
  'checking',
  'planned',
  'invalid',
  'applying',
  'applied',
  'stale',
  'cancelled',
  'failed',
] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** Imports that arrive, or wait to be checked, applied or cancelled. */
export const MAX_UNFINISHED_IMPORTS = 20;
/** Unfinished imports of one key; the other places are for other keys. */
export const MAX_UNFINISHED_IMPORTS_PER_KEY = 5;
/** One transaction of so many rows holds the ledger for less than the time that a write of a client waits. */
export const MAX_IMPORT_ROWS = 2_000_000;
/** An import without an action is deleted after this time. */
export const IMPORT_KEPT_MS = 7 * DAY_MS;
/** Faults that are kept; the others are counted. */
export const MAX_IMPORT_FAULTS = 100;
/** Attempts to check or apply an import. A file that crashes its runner, such as by its memory, fails after them. */
export const MAX_IMPORT_ATTEMPTS = 10;

/** Why an import failed, as a sentence. */
export const IMPORT_FAILURES = {
  disk_full:
    'The disk of the database has no room for it. Make room, for example by deleting other imports; then plan it again.',
  not_started:
    'The service could not open the database for its check. Its log has the reason. Then plan it again.',
  interrupted: `It was interrupted ${MAX_IMPORT_ATTEMPTS} times.`,
  nothing_to_undo: 'The import that it undoes is deleted, or undone already.',
} as const;
export type ImportFailureCode = keyof typeof IMPORT_FAILURES;

/** A file of pets that is checked, shown and then applied as a whole. */
export interface Import extends Faults {
  readonly id: string;
  readonly state: ImportState;
  readonly format: ImportFormat;
  readonly mode: ImportMode;
  readonly fileName: string | null;
  readonly byteCount: number;
  /** How much of the file is checked. */
  readonly readBytes: number;
  /** Rows by their effect: as planned, or as applied. */
  readonly counts: Readonly<Record<ImportEffect, number>>;
  /** Rows with a fault, which are left out if the others are applied. */
  readonly badRowCount: number;
  /** New pets whose code may be mistyped: the codes of more rows found theirs. */
  readonly doubtfulCount: number;
  /** How the file was read; `null`: it is not checked yet, or there is no file. */
  readonly facts: FileFacts | null;
  /** Why it failed. */
  readonly failure: ImportFailureCode | null;
  /** Who uploaded the file. */
  readonly actor: string;
  /** Who applied it: the author of its movements. */
  readonly appliedBy: string | null;
  /** The newest other import of the same bytes and mode that was applied before. */
  readonly appliedBefore: string | null;
  /** The import that this one undoes, instead of a file; it may be deleted. */
  readonly undoes: string | null;
  /** The applied import that undid this one; it may be deleted. */
  readonly undoneBy: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface NewImport {
  readonly format: ImportFormat;
  readonly mode: ImportMode;
  readonly fileName: string | null;
  readonly reading?: Reading;
  readonly actor: string;
}

/** The values of a pet that an import can change, with its own thresholds. */
export interface PetValues extends Thresholds, PetCodes {
  readonly name: string | null;
  readonly category: string | null;
  readonly quantity: number;
  readonly status: PetStatus;
  readonly supplier: string | null;
}

/** A row of the preview. */
export interface ImportRow {
  readonly petId: bigint;
  readonly line: number;
  readonly element: number | null;
  readonly effect: ImportEffect;
  /** `null`: the pet is new, or does not change. */
  readonly before: PetValues | null;
  /** `null`: the pet does not change. */
  readonly after: PetValues | null;
}

export interface ImportRowsQuery {
  readonly effect?: ImportEffect | undefined;
  /** With a greater petId. */
  readonly after?: bigint | undefined;
  readonly limit: number;
}

/**
 * Imports as plan, preview and apply. A refusal is an `OperatorError`: `not_found`, or `conflict` with the state of the
 * import.
 */
export interface ImportStore {
  /** Begins an upload, which is `receiving`. Returns its id. @throws OperatorError while too many are unfinished. */
  begin(upload: NewImport): Promise<string>;
  /** Adds the next part of the file. An upload ends after a minute without a part, or when it is cancelled or deleted. */
  addPart(id: string, number: number, content: Uint8Array): Promise<void>;
  /** Ends the upload; the import is `checking`. */
  complete(id: string, author: ActionAuthor): Promise<Import>;
  /** Forgets an upload that is not complete. */
  abandon(id: string): Promise<void>;
  /** The newest first. @param before The last one of the page before, which may be deleted by now. */
  list(query: {
    readonly limit: number;
    readonly before?: Pick<Import, 'createdAtMs' | 'id'> | undefined;
  }): Promise<readonly Import[]>;
  find(id: string): Promise<Import | undefined>;
  /** The plan, in the order of petIds. */
  rows(id: string, query: ImportRowsQuery): Promise<readonly ImportRow[]>;
  /** Checks the file again, from `planned`, `stale` or `failed`. */
  plan(id: string, author: ActionAuthor): Promise<Import>;
  /** Applies a plan. @param leavesOut Whether the rows with faults of an `invalid` import are left out */
  apply(id: string, author: ActionAuthor, leavesOut?: boolean): Promise<Import>;
  /**
   * Makes an import that undoes an applied one, and is planned from its rows. While such a one waits to be applied, it
   * returns that.
   */
  undo(id: string, author: ActionAuthor): Promise<Import>;
  /** A part of the file of the rows with faults; `undefined` after the last one. */
  badRows(id: string, number: number): Promise<string | undefined>;
  /** Cancels an import that is not finished, and whose transaction has not begun. */
  cancel(id: string, author: ActionAuthor): Promise<Import>;
  /** Ends imports that waited for so long, and that no runner of any instance works on. Returns their number. */
  failUnstarted(waitedMs: number): Promise<number>;
  /** Deletes an import with its rows, except while it is applied. */
  delete(id: string, author: ActionAuthor): Promise<void>;
}
