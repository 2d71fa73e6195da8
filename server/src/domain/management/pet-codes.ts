import { barcodeFault, barcodeKey, skuFault } from '@petstore-inventory/shared/barcodes';
import { MAX_BARCODES } from '@petstore-inventory/shared/limits';
import { shownValue } from '@petstore-inventory/shared/shown-value';
import { validationFailed } from '../errors.ts';

/** The codes of a pet, as they were typed. */
export interface PetCodes {
  /** The article number of the shop. */
  readonly sku: string | null;
  readonly barcodes: readonly string[];
}

export const NO_CODES: PetCodes = { sku: null, barcodes: [] };

/** A code as it is compared. No two pets have the same one. */
export interface CodeKey {
  readonly kind: 'sku' | 'barcode';
  readonly code: string;
}

/** A code with the text that was typed for it. */
export interface TypedCode extends CodeKey {
  readonly typed: string;
}

/** A code of an archived pet that another pet took. */
export interface TakenCode {
  readonly kind: CodeKey['kind'];
  /** As the archived pet had it. */
  readonly code: string;
  /** The pet that took it. */
  readonly petId: bigint;
}

/** An SKU as it is stored: without spaces at its ends. @throws OperatorError `validation_failed`. */
export function requireSku(sku: string | null): string | null {
  const trimmed = sku?.trim() ?? '';
  const fault = skuFault(trimmed);
  if (fault !== undefined) throw validationFailed(`The SKU ${shownValue(trimmed)} ${fault}`);
  return trimmed === '' ? null : trimmed;
}

/** Barcodes as they are stored: without spaces at their ends. @throws OperatorError `validation_failed`. */
export function requireBarcodes(barcodes: readonly string[]): readonly string[] {
  if (barcodes.length > MAX_BARCODES) {
    throw validationFailed(`There are ${barcodes.length} barcodes, and a pet may have ${MAX_BARCODES}.`);
  }
  const seen = new Map<string, string>();
  return barcodes.map((text) => {
    const barcode = text.trim();
    const fault = barcodeFault(barcode);
    if (fault !== undefined) throw validationFailed(`The barcode ${shownValue(barcode)} ${fault}`);
    const key = barcodeKey(barcode);
    const same = seen.get(key);
    if (same !== undefined) throw validationFailed(`The barcodes ${same} and ${barcode} are the same code.`);
    seen.set(key, barcode);
    return barcode;
  });
}

/** Whether a text can be a code, or a database can at least compare it. */
export function storableCode(text: string): boolean {
  return text !== '' && skuFault(text) === undefined;
}

/** Two spellings of a character are one. */
export function skuKey(sku: string): CodeKey {
  return { kind: 'sku', code: sku.normalize('NFC') };
}

export function barcodeKeyOf(barcode: string): CodeKey {
  return { kind: 'barcode', code: barcodeKey(barcode) };
}

/** The codes with the keys by which they are compared. */
export function codesOf({ sku, barcodes }: PetCodes): readonly TypedCode[] {
  return [
    ...(sku === null ? [] : [{ ...skuKey(sku), typed: sku }]),
    ...barcodes.map((typed) => ({ ...barcodeKeyOf(typed), typed })),
  ];
}

/** The codes in `after` that `before` does not have. */
export function addedCodes(before: PetCodes, after: PetCodes): readonly TypedCode[] {
  const had = new Set(codesOf(before).map(keyText));
  return codesOf(after).filter((code) => !had.has(keyText(code)));
}

/** Their order counts: the first one is printed on labels. */
export function areSameBarcodes(before: readonly string[], after: readonly string[]): boolean {
  return before.length === after.length && before.every((barcode, i) => barcode === after[i]);
}

/** What a database knows of the codes of rows. */
export interface CodeFacts {
  /** The pets that have a code, by `keyText`, also archived ones. */
  readonly owners: ReadonlyMap<string, bigint>;
  /** The greatest petId; `undefined` without pets. */
  readonly newestId: bigint | undefined;
}

/** Names a code in a map. */
export function keyText({ kind, code }: CodeKey): string {
  return `${kind} ${code}`;
}

/** A code in a sentence. */
export function describeCode({ kind, typed }: Omit<TypedCode, 'code'>): string {
  return `${kind === 'sku' ? 'SKU' : 'barcode'} ${shownValue(typed)}`;
}
