import { barcodeKey } from '@petstore-inventory/shared/barcodes';
import { parsePetId } from '@petstore-inventory/shared/pet-id';

export interface Codes {
  readonly sku: string | null;
  readonly barcodes: readonly string[];
}

/** What a scanner may send before a code to name the kind of barcode (ISO/IEC 15424), such as `]E0`. */
const SYMBOLOGY = /^\][A-Za-z][0-9A-Za-z]/;

/** A code as it is on the label. */
export const bareCode = (scanned: string): string => scanned.replace(SYMBOLOGY, '');

/** The petId of a code, such as a barcode with zeros before it; `undefined` if it is none. */
export function petIdOf(code: string): string | undefined {
  const digits = bareCode(code);
  if (!/^-?\d{1,40}$/.test(digits)) return undefined;
  return parsePetId(String(BigInt(digits)))?.toString();
}

/** The texts under which a barcode, and a SKU, are found. */
export const barcodeEntry = (barcode: string): string => `barcode ${barcodeKey(barcode)}`;
export const skuEntry = (sku: string): string => `sku ${sku.normalize('NFC')}`;

/** Whether a text is a code of a pet, in any form of a GTIN. */
export function isCodeOf({ sku, barcodes }: Codes, text: string): boolean {
  const code = bareCode(text.trim());
  if (sku !== null && skuEntry(sku) === skuEntry(code)) return true;
  return barcodes.some((barcode) => barcodeEntry(barcode) === barcodeEntry(code));
}
