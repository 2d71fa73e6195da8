import type { Thresholds } from '@petstore-inventory/shared/thresholds';
import type { BulkOutcome, BulkReason, BulkState, PetStatus } from '@petstore-inventory/shared/words';
import { OperatorError } from '../errors.ts';
import type { ActionAuthor } from './activity.ts';
import { type ImportFailureCode, MAX_IMPORT_ATTEMPTS } from './imports.ts';
import { type PetQuery, requirePetText } from './pets.ts';

/** Changes of one key that the service works on. */
export const MAX_RUNNING_BULK_CHANGES = 5;
/** A bulk change without an action is deleted after this time, and cannot be undone any more. */
export const BULK_KEPT_MS = 7 * 86_400_000;

/** Why a bulk change failed, as a sentence. */
export const BULK_FAILURES: Readonly<Record<ImportFailureCode, string>> = {
  disk_full: 'The disk of the database has no room for it. Make room; then plan it again.',
  interrupted: `It was interrupted ${MAX_IMPORT_ATTEMPTS} times.`,
};

export type BulkFilter = Omit<PetQuery, 'after' | 'limit'>;

/** The pets to change: named ones, or those that a filter finds. */
export type PetSelection = { readonly petIds: readonly bigint[] } | { readonly filter: BulkFilter };

/** The new values; an unset member stays. `archived` is alone. */
export interface BulkValues {
  /** `null` removes it. */
  readonly category?: string | null;
  readonly status?: PetStatus;
  readonly thresholds?: Thresholds;
  readonly archived?: boolean;
}

/** The values of a pet that a bulk change can change. */
export interface BulkFacts extends Thresholds {
  readonly category: string | null;
  readonly status: PetStatus;
  readonly isArchived: boolean;
}

/** A change of many pets that is planned, shown, and then applied in batches. */
export interface BulkChange {
  readonly id: string;
  readonly state: BulkState;
  /** `null`: the pets were named. */
  readonly filter: BulkFilter | null;
  readonly values: BulkValues;
  /** Pets by their outcome. */
  readonly counts: Readonly<Record<BulkOutcome, number>>;
  readonly failure: ImportFailureCode | null;
  readonly createdBy: string;
  /** Who applied it: the author of its movements. */
  readonly appliedBy: string | null;
  readonly undoneBy: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A pet of a bulk change. */
export interface BulkRow {
  readonly petId: bigint;
  readonly name: string | null;
  readonly outcome: BulkOutcome;
  /** Why it is refused. */
  readonly reason: BulkReason | null;
  /** As planned; `null`: there is no such pet. */
  readonly before: BulkFacts | null;
}

export interface BulkRowsQuery {
  readonly outcome?: BulkOutcome | undefined;
  /** With a greater petId. */
  readonly after?: bigint | undefined;
  readonly limit: number;
}

/**
 * Changes of many pets, as plan, preview, apply and undo. A refusal is an `OperatorError`: `not_found`,
 * `validation_failed`, or `conflict` with the state of the change.
 */
export interface BulkChangeStore {
  /** Begins a plan. It replaces the one of this author that is not applied. */
  create(selection: PetSelection, values: BulkValues, author: ActionAuthor): Promise<BulkChange>;
  /** The newest first. @param before The last one of the page before. */
  list(query: {
    readonly limit: number;
    readonly before?: string | undefined;
  }): Promise<readonly BulkChange[]>;
  find(id: string): Promise<BulkChange>;
  /** The pets, in the order of petIds. */
  rows(id: string, query: BulkRowsQuery): Promise<readonly BulkRow[]>;
  /** Applies a plan, in batches. Pets that have changed since the plan stay as they are. */
  apply(id: string, author: ActionAuthor): Promise<BulkChange>;
  /** Gives the changed pets their values back, in batches. Pets whose values were changed again stay as they are. */
  undo(id: string, author: ActionAuthor): Promise<BulkChange>;
  /** Stops the plan or the change where it is; what is changed can be undone. */
  cancel(id: string, author: ActionAuthor): Promise<BulkChange>;
}

/** What a change would do, without its plan. */
export interface BulkPreview {
  readonly counts: BulkChange['counts'];
  /** The first pets that would change or are refused. */
  readonly rows: readonly BulkRow[];
}

/** The work on bulk changes, for the thread that does it. Any number of processes may call it on one database. */
export interface BulkJobs {
  /** Compares pets with new values, and stores nothing. @param shown The number of rows. */
  preview(selection: PetSelection, values: BulkValues, shown: number): Promise<BulkPreview>;
  /** Works on the oldest change that needs it and that no other process holds. Returns whether there was one. */
  runNext(isStopping?: () => boolean): Promise<boolean>;
  /** Deletes old changes, in batches. Returns whether there is more. */
  purge(): Promise<boolean>;
}

/** The values as they are stored. @throws OperatorError `validation_failed`. */
export function requireBulkValues({ category, ...values }: BulkValues): BulkValues {
  const { status, thresholds, archived } = values;
  const isEdit = category !== undefined || status !== undefined || thresholds !== undefined;
  if (isEdit === (archived !== undefined)) throw invalid('set: give new values, or archived alone.');
  if (thresholds) requireThresholds(thresholds);
  return { ...values, ...(category !== undefined && { category: requirePetText('category', category) }) };
}

function requireThresholds({ lowStockAt, restockAt }: Thresholds): void {
  if (restockAt === null) return;
  if (lowStockAt === null) throw invalid('restockAt: it needs lowStockAt.');
  if (restockAt <= lowStockAt)
    throw invalid(`restockAt: ${restockAt} is not greater than lowStockAt, which is ${lowStockAt}.`);
}

function invalid(message: string): OperatorError {
  return new OperatorError(message, { code: 'validation_failed' });
}

/** Whether a pet has the new values already. */
export function hasValues({ category, status, thresholds, archived }: BulkValues, facts: BulkFacts): boolean {
  if (category !== undefined && facts.category !== category) return false;
  if (status !== undefined && facts.status !== status) return false;
  if (
    thresholds &&
    (facts.lowStockAt !== thresholds.lowStockAt || facts.restockAt !== thresholds.restockAt)
  ) {
    return false;
  }
  return archived === undefined || facts.isArchived === archived;
}
