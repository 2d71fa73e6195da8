import { hasAtMost } from './characters.ts';
import { MAX_BARCODE, MAX_SKU } from './limits.ts';

/** The lengths of a GTIN: EAN-8, UPC-A, EAN-13, and that of a case. */
const GTIN = /^(?:\d{8}|\d{12,14})$/;
const ZEROS = /^0+$/;
/** Space to tilde. */
const PRINTABLE_ASCII = /^[ -~]+$/;

/** Control and format characters, halves of surrogate pairs, private ones, and separators of lines. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;

/** What an SKU must be, as the end of a sentence; `undefined` if it is one. */
export function skuFault(sku: string): string | undefined {
  if (!hasAtMost(sku, MAX_SKU)) return `has more than ${MAX_SKU} characters.`;
  return UNPRINTABLE.test(sku) ? 'has a character that is not printable.' : undefined;
}

/** Whether a text has the digits and the length of a GTIN, whatever its check digit is. */
export function isGtinLength(text: string): boolean {
  return GTIN.test(text);
}

/** The digit that ends a number with these digits before it (GS1 General Specifications, section 7.9). */
export function checkDigit(digits: string): number {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    // The digit before the check digit counts three times, the one before that one time, and so on.
    sum += Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 3 : 1);
  }
  return (10 - (sum % 10)) % 10;
}

/** GS1 Prefixes for numbers of a shop's own: restricted circulation (GS1 General Specifications, section 1.4). */
export const IN_STORE_PREFIXES = ['20', '21', '22', '23', '24', '25', '26', '27', '28', '29'] as const;
export type InStorePrefix = (typeof IN_STORE_PREFIXES)[number];

/** Digits of an EAN-13 between the prefix and the check digit. */
const ITEM_DIGITS = 10;

/** The EAN-13 of a shop's own for a pet; `undefined`: its petId is negative, or has more digits than there is room for. */
export function inStoreBarcode(prefix: InStorePrefix, petId: bigint): string | undefined {
  const item = String(petId);
  if (petId < 0n || item.length > ITEM_DIGITS) return undefined;
  const digits = `${prefix}${item.padStart(ITEM_DIGITS, '0')}`;
  return `${digits}${checkDigit(digits)}`;
}

/** Why a text is no barcode. */
type BarcodeFault =
  | { readonly kind: 'empty' | 'characters' }
  | { readonly kind: 'zeros'; readonly length: number }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'checkDigit'; readonly length: number; readonly right: number };

/** Why a text is no barcode; `undefined` if it is one. */
export function findBarcodeFault(text: string): BarcodeFault | undefined {
  const { length } = text;
  if (length === 0) return { kind: 'empty' };
  if (length > MAX_BARCODE) return { kind: 'length', length };
  if (!PRINTABLE_ASCII.test(text)) return { kind: 'characters' };
  if (!isGtinLength(text)) return undefined;
  // The check digit of zeros is right, but GS1 assigns no such number. Some tills send it instead of no code.
  if (ZEROS.test(text)) return { kind: 'zeros', length };
  const right = checkDigit(text.slice(0, -1));
  return text.endsWith(String(right)) ? undefined : { kind: 'checkDigit', length, right };
}

/** What a barcode must be, as the end of a sentence; `undefined` if it is one. */
export function barcodeFault(text: string): string | undefined {
  const fault = findBarcodeFault(text);
  switch (fault?.kind) {
    case 'empty':
      return 'is empty.';
    case 'length':
      return `has ${fault.length} characters, and may have ${MAX_BARCODE}.`;
    case 'characters':
      return 'has a character that is not printable ASCII.';
    case 'zeros':
      return `has ${fault.length} zeros, a number that no article has.`;
    case 'checkDigit':
      return `has ${fault.length} digits, and so its last digit is a check digit, which must be ${fault.right}.`;
    default:
      return undefined;
  }
}

/** The form in which barcodes are compared: a GTIN with 14 digits, so that a UPC-A equals its EAN-13; others as they are. */
export function barcodeKey(barcode: string): string {
  return isGtinLength(barcode) ? barcode.padStart(14, '0') : barcode;
}
