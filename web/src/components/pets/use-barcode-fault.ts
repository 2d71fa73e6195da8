import { barcodeKey, findBarcodeFault } from '@petstore-inventory/shared/barcodes';
import { MAX_BARCODE } from '@petstore-inventory/shared/limits';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { barcodesOf, type CodeValues } from './code-values.ts';

/** Describes why the barcode in the field cannot be added; `undefined` if it can, or if the field is empty. */
export function useBarcodeFault(): (values: Pick<CodeValues, 'barcodes' | 'barcode'>) => string | undefined {
  const { codes } = useTexts().shared;
  const { quantity } = useFormat();
  return ({ barcodes, barcode }) => {
    const typed = barcode.trim();
    if (typed === '') return undefined;
    const key = barcodeKey(typed);
    const same = barcodesOf(barcodes).find((other) => barcodeKey(other) === key);
    if (same !== undefined) return codes.same(same);
    const fault = findBarcodeFault(typed);
    switch (fault?.kind) {
      case 'length':
        return codes.tooLong(quantity(MAX_BARCODE));
      case 'characters':
        return codes.characters;
      case 'zeros':
        return codes.zeros;
      case 'checkDigit':
        return codes.checkDigit(quantity(fault.length), quantity(fault.right));
      default:
        return undefined;
    }
  };
}
