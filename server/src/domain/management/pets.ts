import { hasAtMost } from '@petstore-inventory/shared/characters';
import { MAX_PET_TEXT } from '@petstore-inventory/shared/limits';
import { describeUnstorable, unstorableInLine } from '@petstore-inventory/shared/storable-text';
import type { Thresholds } from '@petstore-inventory/shared/thresholds';
import type { PetStatus } from '@petstore-inventory/shared/words';
import { validationFailed } from '../errors.ts';
import type { Stock, StockFilter } from '../ledger/stock.ts';
import type { PetCodes } from './pet-codes.ts';
import type { PetTexts } from './pet-words.ts';

/** A pet with everything that the shop knows of it. Its state has the tag `stockTag`, also after another name. */
export interface ManagedPet extends PetTexts, PetCodes, Stock {
  readonly petId: bigint;
  readonly createdAtMs: number;
  /** `null`: not archived. */
  readonly archivedAtMs: number | null;
}

/** Whether archived pets are left out of a list, included, or alone in it. */
export const ARCHIVED_FILTERS = ['exclude', 'include', 'only'] as const;
type ArchivedFilter = (typeof ARCHIVED_FILTERS)[number];

/** The last pet of a page. In a search pages are in the order of a word and petId. */
export interface PetPosition {
  readonly petId: bigint;
  readonly word?: string;
}

export interface PetQuery extends StockFilter {
  /**
   * Words, each the beginning of a word of the pet. A text that is a code, or a number, also finds the pets with this
   * barcode, SKU or petId, first and in this order.
   */
  readonly query?: string;
  /** The pet with this SKU. */
  readonly sku?: string;
  /** The pet with this barcode. */
  readonly barcode?: string;
  readonly archived: ArchivedFilter;
  /** Exactly this category. */
  readonly category?: string;
  /** Exactly this supplier; an empty text: none. */
  readonly supplier?: string;
  readonly after?: PetPosition;
  readonly limit: number;
  /** Pets of a page at most that a search finds by the same word, so that a frequent one does not fill the page. */
  readonly perWord?: number;
}

/** A page may have fewer pets than its limit, or none, and not be the last. */
export interface PetPage {
  readonly pets: readonly ManagedPet[];
  readonly next?: PetPosition;
}

export interface NewPet extends PetTexts, Thresholds, Partial<PetCodes>, TakesCodes {
  readonly petId: bigint;
  readonly quantity: number;
  readonly status: PetStatus;
}

interface TakesCodes {
  /** Whether codes of archived pets are taken from them. */
  readonly takeCodes?: boolean;
}

/** New values of a pet; an unset member keeps its value, `null` removes it. Without `lowStockAt` there is no `restockAt`. */
export type PetChanges = Partial<PetTexts & Thresholds & PetCodes> & TakesCodes;

/** A name or category as an import stores it: without spaces at its ends. @throws OperatorError `validation_failed`. */
export function requirePetText(field: 'name' | 'category', text: string | null): string | null {
  return requireLine(`The ${field}`, text, MAX_PET_TEXT);
}

/**
 * A text of one line as it is stored: without spaces at its ends, and `null` if it is empty.
 * @param subject Begins the sentence of a refusal, such as `The name`.
 * @throws OperatorError `validation_failed`.
 */
export function requireLine(subject: string, text: string | null, maxCharacters: number): string | null {
  const trimmed = text?.trim() ?? '';
  if (!hasAtMost(trimmed, maxCharacters)) {
    throw validationFailed(
      `${subject} has ${[...trimmed].length} characters, and may have ${maxCharacters}.`,
    );
  }
  const character = unstorableInLine(trimmed);
  if (character !== undefined) throw validationFailed(`${subject} has ${describeUnstorable(character)}`);
  return trimmed === '' ? null : trimmed;
}

/** By their bytes; pets without a category come first. */
export function compareCategories(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return a < b ? -1 : 1;
}
