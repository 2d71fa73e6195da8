import type { Separator } from './csv-records.ts';
import type { PetField } from './pet-fields.ts';

/** The values of a row, as the file or the person wrote them. */
export type RowValues = Readonly<Partial<Record<PetField, string>>>;

/** A row that the service would refuse, so that the whole file would be refused with it. */
export interface BadRow {
  readonly line: number;
  readonly values: RowValues;
  /** The fields that are wrong; none if the row has another number of fields than the header. */
  readonly wrong: readonly PetField[];
}

const SIGN = /^[+\-−]/;
const GROUPS = /^\d{1,3}(?:([.,'’ \u00A0\u202F])\d{3})(?:\1\d{3})*$/;
/** Two numbers in one: `1.000` is a thousand, or one with three decimals. */
const ONE_GROUP_OF_ZEROS = /^\d{1,3}[.,]000$/;

/**
 * A whole number as the service reads it, from one with groups or with decimals that are zero, such as `1.200`, `1,200.00`
 * or `12,0`. `undefined` if it is none, or can be read as two numbers.
 * @param separator Files with semicolons are written where the decimal mark is a comma.
 */
export function wholeNumber(text: string, separator: Separator): string | undefined {
  const trimmed = text.trim();
  const sign = SIGN.exec(trimmed)?.[0] ?? '';
  const unsigned = trimmed.slice(sign.length);
  const digits = /^\d+$/.test(unsigned) ? unsigned : digitsOf(unsigned, separator);
  if (digits === undefined) return undefined;
  return `${sign === '' || sign === '+' ? '' : '-'}${digits}`;
}

function digitsOf(text: string, separator: Separator): string | undefined {
  if (ONE_GROUP_OF_ZEROS.test(text)) {
    const groupMark = separator === ';' ? '.' : separator === ',' ? ',' : undefined;
    return groupMark !== undefined && text.includes(groupMark) ? text.replace(groupMark, '') : undefined;
  }
  if (GROUPS.test(text)) return text.replaceAll(/\D/g, '');
  const [, whole = '', mark] = /^(.*\d)([.,])0{1,2}$/.exec(text) ?? [];
  if (mark === undefined) return undefined;
  if (/^\d+$/.test(whole)) return whole;
  return GROUPS.test(whole) && !whole.includes(mark) ? whole.replaceAll(/\D/g, '') : undefined;
}

const STATUSES = ['', 'available', 'pending', 'sold'];

/** The row as it is sent, and the fields that are wrong. */
export function checkedRow(
  values: RowValues,
  separator: Separator,
): { readonly values: RowValues; readonly wrong: readonly PetField[] } {
  const sent: Partial<Record<PetField, string>> = {};
  const wrong: PetField[] = [];
  for (const [field, text = ''] of Object.entries(values) as [PetField, string | undefined][]) {
    const value = sentValue(field, text, separator);
    sent[field] = value ?? text;
    if (value === undefined) wrong.push(field);
  }
  return { values: sent, wrong };
}

function sentValue(field: PetField, text: string, separator: Separator): string | undefined {
  const trimmed = text.trim();
  switch (field) {
    case 'petId':
      return /^-?\d{1,19}$/.test(trimmed) ? trimmed : undefined;
    case 'quantity':
      return wholeNumber(text, separator);
    case 'lowStockAt':
    case 'restockAt':
      return trimmed === '' ? '' : wholeNumber(text, separator);
    case 'status':
      return STATUSES.includes(trimmed) ? trimmed : undefined;
    default:
      return text;
  }
}
