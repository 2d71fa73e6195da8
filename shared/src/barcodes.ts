import { MAX_BARCODE, MAX_SKU } from './limits.ts';

/** The lengths of a GTIN: EAN-8, UPC-A, EAN-13, and that of a case. */
const GTIN = /^(?:\d{8}|\d{12,14})$/;
/** Space to tilde. */
const PRINTABLE_ASCII = /^[ -~]+$/;

/** Control and format characters, halves of surrogate pairs, private ones, and separators of lines. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;

/** What an SKU must be, as the end of a sentence; `undefined` if it is one. */
export function skuFault(sku: string): string | undefined {
  if (sku.length > 2 * MAX_SKU || [...sku].length > MAX_SKU) {
    return `has more than ${MAX_SKU} characters.`;
  }
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

/** Why a text is no barcode. */
export type BarcodeFault =
  | { readonly kind: 'empty' | 'characters' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'checkDigit'; readonly length: number; readonly right: number };

/** Why a text is no barcode; `undefined` if it is one. */
export function findBarcodeFault(text: string): BarcodeFault | undefined {
  const { length } = text;
  if (length === 0) return { kind: 'empty' };
  if (length > MAX_BARCODE) return { kind: 'length', length };
  if (!PRINTABLE_ASCII.test(text)) return { kind: 'characters' };
  if (!isGtinLength(text)) return undefined;
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
