import type { ImportError } from '../api/schemas.ts';
import type { Texts } from './en.ts';
import type { Format } from './format.ts';

/** Values that are numbers, and are shown as the language writes them. The others are quoted as they are. */
const NUMBERS: ReadonlySet<string> = new Set([
  ...['minimum', 'maximum', 'quantity', 'added', 'found', 'sum', 'lowStockAt', 'restockAt'],
  ...['expected', 'more', 'earlierLine'],
]);
const INTEGER = /^-?\d+$/;

/** What is wrong with a row of an import, in the language of the texts. */
export function importErrorText(
  { code, values, message }: Pick<ImportError, 'code' | 'values' | 'message'>,
  { importErrors, errors }: Pick<Texts, 'importErrors' | 'errors'>,
  format: Pick<Format, 'quantity'>,
): string {
  // A later service may have codes that this page does not know.
  if (!Object.hasOwn(importErrors, code)) return errors.withDetail(errors.codes.refused, message);
  const text = importErrors[code] as (values: ImportError['values']) => string;
  const shown = Object.entries(values).map(([name, value]) => [
    name,
    NUMBERS.has(name) && INTEGER.test(value) ? format.quantity(value) : value,
  ]);
  return text(Object.fromEntries(shown));
}
