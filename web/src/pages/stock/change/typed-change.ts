import { IN_STORE_PREFIXES, type InStorePrefix } from '@petstore-inventory/shared/barcodes';
import { isRecord } from '@petstore-inventory/shared/is-record';
import { PET_STATUSES } from '@petstore-inventory/shared/words';
import type { BulkValues, PetStatus } from '../../../api/schemas.ts';
import { readOneOf, readTexts } from '../../../drafts/drafts.ts';

export const WHAT = ['category', 'status', 'thresholds', 'codes', 'supplier', 'archived'] as const;
export const CODE_ACTIONS = ['setSkus', 'addBarcodes', 'clearSkus', 'clearBarcodes'] as const;
/** Where an SKU has the petId. */
export const PLACE = '{petId}';

/** What a person typed to change many pets, of which `what` says what counts. */
export interface TypedChange {
  readonly what: (typeof WHAT)[number];
  readonly category: string;
  readonly status: PetStatus;
  readonly low: string;
  readonly restock: string;
  readonly supplier: string;
  /** Removes the category, the thresholds or the supplier, which an empty field does not. */
  readonly clears: boolean;
  readonly codes: (typeof CODE_ACTIONS)[number];
  readonly template: string;
  readonly prefix: InStorePrefix;
}

/** Before a person types. */
export const UNTOUCHED: TypedChange = {
  what: 'category',
  category: '',
  status: 'available',
  low: '',
  restock: '',
  supplier: '',
  clears: false,
  codes: 'setSkus',
  template: `SKU-${PLACE}`,
  prefix: '20',
};

/** What a draft kept, if it still is what a person can type. */
export function readTyped(value: unknown): TypedChange | undefined {
  const texts = readTexts(value, ['category', 'low', 'restock', 'template']);
  if (!texts || !isRecord(value)) return undefined;
  const [what, status] = [readOneOf(value.what, WHAT), readOneOf(value.status, PET_STATUSES)];
  const [codes, prefix] = [readOneOf(value.codes, CODE_ACTIONS), readOneOf(value.prefix, IN_STORE_PREFIXES)];
  if (!what || !status || !codes || !prefix) return undefined;
  // A draft of an earlier release has none.
  const supplier = typeof value.supplier === 'string' ? value.supplier : '';
  const clears = value.clears === true;
  return { ...texts, what, status, supplier, clears, codes, prefix };
}

/** Whether a text has the place of the petId, and no other braces. */
export function isTemplate(text: string): boolean {
  const pieces = text.split(PLACE);
  return pieces.length > 1 && !pieces.some((piece) => /[{}]/.test(piece));
}

/** A number, `null` for an empty field, `undefined` for another text. */
export function unitsOf(text: string): number | null | undefined {
  const digits = text.trim();
  if (digits === '') return null;
  return /^\d{1,15}$/.test(digits) ? Number(digits) : undefined;
}

/** Whether the restock threshold is no number above the low one. An empty one is right. */
export function isRestockWrong({ low, restock }: TypedChange): boolean {
  const [lowStockAt, restockAt] = [unitsOf(low), unitsOf(restock)];
  if (restockAt === null) return false;
  return restockAt === undefined || typeof lowStockAt !== 'number' || restockAt <= lowStockAt;
}

/** What to send; `undefined` while something is missing or wrong. */
export function valuesOf(typed: TypedChange, isArchived: boolean): BulkValues | undefined {
  const { what, category, status, low, restock, supplier, clears } = typed;
  if (what === 'category') {
    if (clears) return { category: null };
    return category.trim() === '' ? undefined : { category: category.trim() };
  }
  if (what === 'status') return { status };
  if (what === 'archived') return { archived: !isArchived };
  if (what === 'codes') return codeValuesOf(typed);
  if (what === 'supplier') {
    if (clears) return { supplier: null };
    return supplier.trim() === '' ? undefined : { supplier: supplier.trim() };
  }
  if (clears) return { lowStockAt: null, restockAt: null };
  const [lowStockAt, restockAt] = [unitsOf(low), unitsOf(restock)];
  if (typeof lowStockAt !== 'number' || restockAt === undefined || isRestockWrong(typed)) return undefined;
  return { lowStockAt, restockAt };
}

function codeValuesOf({ codes, template, prefix }: TypedChange): BulkValues | undefined {
  if (codes === 'clearSkus') return { sku: null };
  if (codes === 'clearBarcodes') return { barcodes: [] };
  if (codes === 'addBarcodes') return { inStorePrefix: prefix };
  return isTemplate(template) ? { sku: template.trim() } : undefined;
}
