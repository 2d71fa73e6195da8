import { type InStorePrefix, inStoreBarcode, skuFault } from '@petstore-inventory/shared/barcodes';
import { DAY_MS } from '@petstore-inventory/shared/durations';
import type { Thresholds } from '@petstore-inventory/shared/thresholds';
import type {
  BulkOutcome,
  BulkReason,
  BulkState,
  BulkUnits,
  PetStatus,
} from '@petstore-inventory/shared/words';
import { validationFailed } from '../errors.ts';
import { requireThresholds } from '../ledger/alerts.ts';
import type { ActionAuthor } from './activity.ts';
import { type ImportFailureCode, MAX_IMPORT_ATTEMPTS } from './imports.ts';
import { areSameBarcodes, type PetCodes } from './pet-codes.ts';
import { type PetQuery, requirePetText } from './pets.ts';
import { requireChange, requireSupplier } from './reorders.ts';

/** Changes of one key that the service works on. */
export const MAX_RUNNING_BULK_CHANGES = 5;
/** A bulk change without an action is deleted after this time, and cannot be undone any more. */
export const BULK_KEPT_MS = 7 * DAY_MS;

/** Bulk changes wait until the database can be opened, and are undone by themselves. */
export type BulkFailureCode = Exclude<ImportFailureCode, 'not_started' | 'nothing_to_undo'>;

/** Why a bulk change failed, as a sentence. */
export const BULK_FAILURES: Readonly<Record<BulkFailureCode, string>> = {
  disk_full: 'The disk of the database has no room for it. Make room; then plan it again.',
  interrupted: `It was interrupted ${MAX_IMPORT_ATTEMPTS} times.`,
};

export type BulkFilter = Omit<PetQuery, 'after' | 'limit'>;

/** The pets to change: named ones, or those that a filter finds. */
export type PetSelection =
  | {
      readonly petIds: readonly bigint[];
      /** Units to order, of each pet of `petIds`. */
      readonly units?: readonly number[] | undefined;
    }
  | { readonly filter: BulkFilter };

/** The new values; an unset member stays. `archived` is alone, and `supplier` is alone or with `ordered`. */
export interface BulkValues {
  /** `null` removes it. */
  readonly category?: string | null;
  readonly status?: PetStatus;
  readonly thresholds?: Thresholds;
  /** `null` removes it; else a text with `{petId}` in it, in place of which each pet has its petId. */
  readonly sku?: string | null;
  /** Removes all of them. */
  readonly barcodes?: readonly [];
  /** Gives pets without a barcode an EAN-13 that begins with this. Exclusive with `barcodes`. */
  readonly inStorePrefix?: InStorePrefix;
  readonly archived?: boolean;
  /** Who sells the pets to the shop; `null` removes it. */
  readonly supplier?: string | null;
  /** Units that are ordered of each pet. */
  readonly ordered?: number | BulkUnits;
  /** The day on which they are expected, such as 2026-12-03. Only with `ordered`. */
  readonly expectedOn?: string | null;
}

/** The values of a pet that a bulk change can change. */
export interface BulkFacts extends Thresholds, PetCodes {
  readonly category: string | null;
  readonly status: PetStatus;
  readonly isArchived: boolean;
  readonly supplier: string | null;
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
  readonly failure: BulkFailureCode | null;
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
  /** The pet that has a code which this one would get. */
  readonly codeOwner: bigint | null;
  /** As planned; `null`: there is no such pet. */
  readonly before: BulkFacts | null;
  /** The codes of the pet after the change; `null`: the change sets none, or there is no such pet. */
  readonly codes: PetCodes | null;
  /** Units that the change orders; `null`: none. */
  readonly ordered: number | null;
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
  /** The newest first. @param before The last one of the page before, which may be deleted by now. */
  list(query: {
    readonly limit: number;
    readonly before?: Pick<BulkChange, 'createdAtMs' | 'id'> | undefined;
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
export function requireBulkValues({ category, sku, supplier, ...values }: BulkValues): BulkValues {
  const { status, thresholds, archived, barcodes, inStorePrefix, ordered, expectedOn } = values;
  const isEdit = [category, sku, status, thresholds, barcodes, inStorePrefix].some(
    (value) => value !== undefined,
  );
  if (ordered === undefined && expectedOn !== undefined)
    throw validationFailed('expectedOn: it needs ordered.');
  const isReorder = supplier !== undefined || ordered !== undefined;
  if ([isEdit, archived !== undefined, isReorder].filter(Boolean).length !== 1) {
    throw validationFailed(
      'set: give new values, or archived alone, or supplier alone, or ordered, to which expectedOn and supplier may belong.',
    );
  }
  requireChange({ ...(typeof ordered === 'number' && { ordered }), expectedOn });
  if (thresholds) requireThresholds(thresholds);
  if (barcodes && inStorePrefix !== undefined) {
    throw validationFailed('inStorePrefix: it is for pets without a barcode; give it without barcodes.');
  }
  return {
    ...values,
    ...(category !== undefined && { category: requirePetText('category', category) }),
    ...(sku !== undefined && { sku: requireTemplate(sku) }),
    ...(supplier !== undefined && { supplier: requireSupplier(supplier) }),
  };
}

const PLACE = '{petId}';

/** An SKU for many pets, without spaces at its ends. */
function requireTemplate(sku: string | null): string | null {
  const template = sku?.trim() ?? '';
  if (template === '') return null;
  const pieces = template.split(PLACE);
  if (pieces.length === 1 || pieces.some((piece) => /[{}]/.test(piece))) {
    throw validationFailed(
      `sku: write ${PLACE} for the petId of each pet, such as CAT-${PLACE}, and no other braces.`,
    );
  }
  const fault = skuFault(pieces.join('1'));
  if (fault !== undefined) throw validationFailed(`sku: with the shortest petId it ${fault}`);
  return template;
}

/** Whether new values have codes, which differ from pet to pet. */
export function setsCodes({ sku, barcodes, inStorePrefix }: BulkValues): boolean {
  return sku !== undefined || barcodes !== undefined || inStorePrefix !== undefined;
}

/** The codes of a pet with the new values. A barcode for which its petId has too many digits is missing. */
export function codesAfter(
  { sku, barcodes, inStorePrefix }: BulkValues,
  petId: bigint,
  before: PetCodes,
): PetCodes {
  const own =
    inStorePrefix !== undefined && before.barcodes.length === 0
      ? inStoreBarcode(inStorePrefix, petId)
      : undefined;
  return {
    // Two pets never get the same one, because what differs between them is the petId alone.
    sku: sku === undefined ? before.sku : (sku?.replaceAll(PLACE, String(petId)) ?? null),
    barcodes: own === undefined ? (barcodes ?? before.barcodes) : [own],
  };
}

/** Why a pet cannot have its codes, whatever the codes of others are. */
export function codeFault(
  { inStorePrefix }: BulkValues,
  before: PetCodes,
  after: PetCodes,
): 'sku_too_long' | 'no_barcode' | undefined {
  if (after.sku !== before.sku && after.sku !== null && skuFault(after.sku) !== undefined)
    return 'sku_too_long';
  return inStorePrefix !== undefined && after.barcodes.length === 0 ? 'no_barcode' : undefined;
}

/** Whether a pet has the new values. @param codes Those that it gets. */
export function hasValues(
  { category, status, thresholds, archived, supplier, ...values }: BulkValues,
  facts: BulkFacts,
  codes: PetCodes,
): boolean {
  if (setsCodes(values) && !hasCodes(values, facts, codes)) return false;
  if (category !== undefined && facts.category !== category) return false;
  if (status !== undefined && facts.status !== status) return false;
  if (supplier !== undefined && facts.supplier !== supplier) return false;
  if (
    thresholds &&
    (facts.lowStockAt !== thresholds.lowStockAt || facts.restockAt !== thresholds.restockAt)
  ) {
    return false;
  }
  return archived === undefined || facts.isArchived === archived;
}

function hasCodes(
  { sku, barcodes, inStorePrefix }: BulkValues,
  { sku: presentSku, barcodes: present }: PetCodes,
  wanted: PetCodes,
): boolean {
  if (sku !== undefined && presentSku !== wanted.sku) return false;
  if (barcodes === undefined && inStorePrefix === undefined) return true;
  return areSameBarcodes(present, wanted.barcodes);
}
