/** A spreadsheet runs a text that begins with one of these as a formula, unless an apostrophe comes first. */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r]/;
const INTEGER = /^-?\d+$/;

/** A value in a CSV file that people open in a spreadsheet. */
export function spreadsheetField(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = FORMULA.test(value) && !INTEGER.test(value) ? `'${value}` : value;
  return /[",;\s]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
