import { isGtinLength } from '@petstore-inventory/shared/barcodes';
import type { StockRow } from '../../stock/stock-row.ts';

export type LabelKind = 'bars' | 'qr';

export interface LabelCode {
  readonly symbol: 'ean13' | 'code128' | 'qrcode';
  /** What a scanner reads. */
  readonly text: string;
}

/** Where a hand scanner knows a code by its length. */
const MIN_DIGITS = 4;
/** More characters of Code 128 would have bars below 0.25 mm on a label of 60 mm, which not every scanner reads. */
const BARS = /^[ -~]{1,14}$/;

/** The code of a shelf label: the first barcode, else the SKU, else the petId. What bars cannot show is a QR code. */
export function labelCodeOf(row: Pick<StockRow, 'petId' | 'sku' | 'barcodes'>, kind: LabelKind): LabelCode {
  const text = row.barcodes[0] ?? row.sku ?? row.petId.padStart(MIN_DIGITS, '0');
  if (kind === 'qr' || !BARS.test(text)) return { symbol: 'qrcode', text };
  // A UPC-A is an EAN-13 with a zero before it. A case, with 14 digits, and an EAN-8 are none.
  const isEan = isGtinLength(text) && (text.length === 12 || text.length === 13);
  return isEan ? { symbol: 'ean13', text: text.padStart(13, '0') } : { symbol: 'code128', text };
}
