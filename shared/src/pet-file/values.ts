import { hasAtMost } from '../characters.ts';
import { barcodeKey, findBarcodeFault, skuFault } from '../barcodes.ts';
import { MAX_BARCODE, MAX_BARCODES, MAX_PET_TEXT, MAX_QUANTITY, MAX_SKU, MAX_SUPPLIER } from '../limits.ts';
import { parseExactNumber } from '../numeral.ts';
import { parsePetId } from '../pet-id.ts';
import { brief, shownValue } from '../shown-value.ts';
import { unstorableInLine } from '../storable-text.ts';
import { NO_THRESHOLDS, type Thresholds } from '../thresholds.ts';
import { PET_STATUSES, type PetStatus } from '../words.ts';
import { AmbiguousCount } from './counts.ts';
import type { PetField } from './headings.ts';
import { type ImportProblem, importProblem } from './import-problems.ts';
import type { RowCodes } from './pet-row.ts';

export type UncheckedPet = Readonly<Partial<Record<PetField, unknown>>>;

/** The fields with a number that a JavaScript number holds exactly. */
export const NUMBER_FIELDS = ['quantity', 'lowStockAt', 'restockAt'] as const satisfies readonly PetField[];

/** The value that removes a threshold or a supplier; an empty field keeps it. */
const NONE = 'none';

/** Records a fault of a field. */
export type Complain = (field: PetField, problem: ImportProblem) => void;

/** A number as a JSON file spells it, where a JavaScript number could have lost some of it. */
export class NumberSource {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

const STATUSES: ReadonlyMap<unknown, PetStatus> = new Map(PET_STATUSES.map((status) => [status, status]));

/** A value as `shownValue` shows it, a number as its file has it. */
export function shown(value: unknown): string {
  return value instanceof NumberSource ? brief(value.source) : shownValue(value);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

export function readPetId(value: unknown, complain: Complain): bigint | undefined {
  if (isAbsent(value)) {
    complain('petId', importProblem('missing_value'));
    return undefined;
  }
  const text = value instanceof NumberSource ? value.source : value;
  const petId = typeof text === 'string' || typeof text === 'number' ? parsePetId(String(text)) : undefined;
  if (petId === undefined) {
    complain('petId', importProblem('invalid_pet_id', { value: shown(value) }));
  }
  return petId;
}

/** Whether a row names a pet by a code only. */
export function isNamedByCode({ petId, sku, barcodes }: UncheckedPet): boolean {
  return isAbsent(petId) && !(isBlankCode(sku) && isBlankCode(barcodes));
}

function isBlankCode(value: unknown): boolean {
  return (
    isAbsent(value) ||
    (typeof value === 'string' && value.trim() === '') ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** Codes of a row; `undefined` where it has none. */
export function readCodes({ sku, barcodes }: UncheckedPet, complain: Complain): RowCodes | undefined {
  if (isBlankCode(sku) && isBlankCode(barcodes)) return undefined;
  return { sku: readSku(sku, complain), barcodes: readBarcodes(barcodes, complain) };
}

function readSku(value: unknown, complain: Complain): string | null {
  if (isBlankCode(value)) return null;
  const text = textOf(value)?.trim();
  if (text === undefined) complain('sku', importProblem('not_a_text', { value: shown(value) }));
  else if (SHORTENED.test(text)) complain('sku', importProblem('shortened_code', { value: shown(text) }));
  else if (skuFault(text) !== undefined)
    complain('sku', importProblem('invalid_sku', { value: shown(text), maximum: MAX_SKU }));
  return text ?? null;
}

/** A long number as a spreadsheet shows it, which has lost digits. */
const SHORTENED = /^\d[.,]\d+E\+\d+$/i;
/** Several codes in one field. Codes of digits only may have other marks between them than line breaks. */
const DIGITS = /^\d+(?:[\s,;|]+\d+)*$/;

function readBarcodes(value: unknown, complain: Complain): readonly string[] | null {
  if (isBlankCode(value)) return null;
  const wrong = (problem: ImportProblem) => complain('barcodes', problem);
  const texts = Array.isArray(value) ? value.map(textOf) : splitCodes(textOf(value));
  if (texts.length > MAX_BARCODES) {
    wrong(importProblem('too_many_barcodes', { count: texts.length, maximum: MAX_BARCODES }));
    return [];
  }
  const codes = new Map<string, string>();
  for (const text of texts) {
    const problem =
      text === undefined ? importProblem('not_a_text', { value: shown(value) }) : barcodeProblem(text);
    if (problem) wrong(problem);
    // A code in two lengths counts one time.
    else if (text !== undefined && !codes.has(barcodeKey(text))) codes.set(barcodeKey(text), text);
  }
  return [...codes.values()];
}

function splitCodes(text: string | undefined): readonly (string | undefined)[] {
  if (text === undefined) return [undefined];
  const pieces = text.trim().split(DIGITS.test(text.trim()) ? /[\s,;|]+/ : /[\r\n]+/);
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
}

function barcodeProblem(code: string): ImportProblem | undefined {
  if (SHORTENED.test(code)) return importProblem('shortened_code', { value: shown(code) });
  const fault = findBarcodeFault(code);
  if (fault === undefined) return undefined;
  if (fault.kind === 'zeros') return importProblem('zero_barcode', { value: shown(code) });
  return fault.kind === 'checkDigit'
    ? importProblem('wrong_check_digit', { value: shown(code), right: fault.right })
    : importProblem('invalid_barcode', { value: shown(code), maximum: MAX_BARCODE });
}

/** A text, or the digits of a number. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim();
  if (value instanceof NumberSource) return value.source;
  return typeof value === 'number' ? String(value) : undefined;
}

export function readText(
  field: PetField,
  value: unknown,
  complain: Complain,
  maximum = MAX_PET_TEXT,
): string | null {
  if (isAbsent(value)) return null;
  if (typeof value !== 'string') {
    complain(field, importProblem('not_a_text', { value: shown(value) }));
    return null;
  }
  const text = value.trim();
  if (!hasAtMost(text, maximum)) {
    complain(field, importProblem('text_too_long', { length: [...text].length, maximum }));
  }
  const character = unstorableInLine(text);
  if (character !== undefined) {
    complain(field, importProblem('invalid_character', { value: shown(text), character }));
  }
  return text === '' ? null : text;
}

/** Suppliers with the name of the removal, and those that begin with the mark. */
const LIKE_NONE = /^'*none$/i;

/** The supplier of a row, `null` to remove that of the pet; `undefined` where it changes none. */
export function readSupplier({ supplier }: UncheckedPet, complain: Complain): string | null | undefined {
  const name = typeof supplier === 'string' ? supplier.trim() : '';
  const isMarked = name.startsWith("'") && LIKE_NONE.test(name);
  const text = readText('supplier', isMarked ? name.slice(1) : supplier, complain, MAX_SUPPLIER);
  if (text === null) return undefined;
  // Spreadsheets begin a word with a capital letter.
  return !isMarked && text.toLowerCase() === NONE ? null : text;
}

/** A supplier as files have it: with an apostrophe before a name that would remove the supplier of its pet. */
export function markedSupplier(name: string): string {
  return LIKE_NONE.test(name) ? `'${name}` : name;
}

export function readQuantity(value: unknown, minimum: number, complain: Complain): number | undefined {
  if (isAbsent(value)) {
    complain('quantity', importProblem('missing_value'));
    return undefined;
  }
  if (value instanceof AmbiguousCount) return complainOf(value, 'quantity', complain);
  const quantity = wholeNumber(value, minimum);
  if (quantity === undefined) {
    const range = { minimum, maximum: MAX_QUANTITY };
    complain('quantity', importProblem('invalid_quantity', { value: shown(value), ...range }));
  }
  return quantity;
}

export function readStatus(value: unknown, complain: Complain): PetStatus | null {
  if (isAbsent(value)) return null;
  const status = STATUSES.get(value);
  if (status === undefined) {
    const allowed = PET_STATUSES.join(', ');
    complain('status', importProblem('invalid_status', { value: shown(value), allowed }));
    return null;
  }
  return status;
}

/** Thresholds of a row; `undefined` where it changes none. A row with `lowStockAt` sets both. */
export function readThresholds(
  { lowStockAt, restockAt }: UncheckedPet,
  complain: Complain,
): Thresholds | undefined {
  if (isAbsent(lowStockAt) && isAbsent(restockAt)) return undefined;
  const low = readThreshold('lowStockAt', lowStockAt, complain);
  const restock = readThreshold('restockAt', restockAt, complain);
  if (low === undefined || restock === undefined) return undefined;
  if (isAbsent(lowStockAt) || (low === null && restock !== null)) {
    complain('restockAt', importProblem('low_stock_at_missing'));
    return undefined;
  }
  if (low === null) return NO_THRESHOLDS;
  if (restock !== null && restock <= low) {
    complain('restockAt', importProblem('restock_at_too_low', { restockAt: restock, lowStockAt: low }));
  }
  return { lowStockAt: low, restockAt: restock };
}

function readThreshold(field: PetField, value: unknown, complain: Complain): number | null | undefined {
  if (isAbsent(value) || value === NONE) return null;
  if (value instanceof AmbiguousCount) return complainOf(value, field, complain);
  const units = wholeNumber(value);
  if (units === undefined) {
    complain(field, importProblem('invalid_threshold', { value: shown(value), maximum: MAX_QUANTITY }));
  }
  return units;
}

function complainOf(
  { text, readings, grouping }: AmbiguousCount,
  field: PetField,
  complain: Complain,
): undefined {
  const [grouped, decimal] = readings;
  complain(field, importProblem('ambiguous_number', { value: shown(text), grouped, decimal, grouping }));
}

function wholeNumber(value: unknown, minimum = 0): number | undefined {
  const number = value instanceof NumberSource ? parseExactNumber(value.source) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= minimum ? number : undefined;
}
