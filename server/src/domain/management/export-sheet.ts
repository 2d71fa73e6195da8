import { fromFormulaFree, withoutFormula } from '@petstore-inventory/shared/pet-file/csv-records';

/** The rows of a sheet, its headings included (ECMA-376; the limit is that of Excel). */
export const MAX_SHEET_ROWS = 1_048_576;

/** A spreadsheet keeps 15 digits of a number. */
const MAX_EXACT = 10 ** 15;

export const SHEET_BEGIN =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>';
export const SHEET_END = '</sheetData></worksheet>';

/** A row of a sheet. A text is never a formula, and a number with too many digits is a text. */
export function sheetRow(values: readonly (string | number | bigint | null)[]): string {
  return `<row>${values.map(cell).join('')}</row>`;
}

function cell(value: string | number | bigint | null): string {
  if (value === null || value === '') return '<c/>';
  const isNumber = typeof value !== 'string' && value < MAX_EXACT && value > -MAX_EXACT;
  if (isNumber) return `<c><v>${value}</v></c>`;
  return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(readable(String(value)))}</t></is></c>`;
}

/** An import takes the apostrophe of a CSV away, also after a spreadsheet has saved it as a workbook. */
function readable(text: string): string {
  return fromFormulaFree(text) === text ? text : withoutFormula(text);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Characters that no XML has, of those that a name may have, and one that XML changes. */
const NOT_IN_XML = /[\r\ufffe\uffff]/g;

/**
 * Escapes what XML has a meaning for or does not allow, and what a spreadsheet reads as an escaped character, such as
 * `_x0041_`.
 */
function escaped(text: string): string {
  return text
    .replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign)
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(NOT_IN_XML, (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`);
}
