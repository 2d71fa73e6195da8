/** The codes of a pet in a form. */
export interface CodeValues {
  readonly sku: string;
  /** One per line. */
  readonly barcodes: string;
  /** What is in the field for another one. */
  readonly barcode: string;
}

export const linesOf = (barcodes: readonly string[] = []): string => barcodes.join('\n');

export const barcodesOf = (lines: string): readonly string[] =>
  lines.split('\n').filter((line) => line !== '');

/** The barcodes of the list, and the one in the field. */
export function allBarcodes({ barcodes, barcode }: Pick<CodeValues, 'barcodes' | 'barcode'>) {
  const typed = barcode.trim();
  return [...barcodesOf(barcodes), ...(typed === '' ? [] : [typed])];
}
