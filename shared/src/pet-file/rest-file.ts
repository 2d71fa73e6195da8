import type { ImportFormat } from '../words.ts';
import { csvField } from './csv-records.ts';
import { PROBLEM_COLUMN } from './headings.ts';
import type { PetRows, RowContent } from './rows.ts';

/** A spreadsheet runs such a field as a formula. One with an apostrophe before it is none already. */
const FORMULA = /^[=+\-@＝＋－＠]/;
const NUMBER = /^-?[\d., ]+$/;

/**
 * Writes the rows that an import leaves out, in the form of their file, each with what is wrong with it: a column or member that
 * no import reads. Of a workbook it is CSV.
 */
export class RestFile {
  readonly #format: ImportFormat;
  #rowCount = 0;

  constructor(format: ImportFormat) {
    this.#format = format;
  }

  /** The text of a row, after the beginning of the file if it is the first one. */
  row(content: RowContent, problem: string, { separator, headings }: PetRows): string {
    this.#rowCount += 1;
    if (typeof content === 'string') return this.#object(content, problem);
    // The problem comes first: the row may have fewer or more fields than the headings.
    const line = (first: string, fields: RowContent & object) =>
      `${[first, ...fields].map((field) => csvField(withoutFormula(String(field)), separator)).join(separator)}\r\n`;
    const begin = this.#rowCount === 1 ? `\ufeff${line(PROBLEM_COLUMN, headings)}` : '';
    return begin + line(problem, this.#format === 'xlsx' ? filled(content, headings.length) : content);
  }

  /** The text after the last row. */
  end(): string {
    return this.#format === 'json' && this.#rowCount > 0 ? '\n]\n' : '';
  }

  #object(source: string, problem: string): string {
    const member = `${JSON.stringify(PROBLEM_COLUMN)}:${JSON.stringify(problem)}`;
    const isObject = /^\s*\{/.test(source) && isJson(source);
    const members = isObject ? source.trim().slice(1) : `"row":${JSON.stringify(source)}}`;
    const object = `{${member}${/^\s*\}/.test(members) ? '' : ','}${members.replaceAll('\n', ' ')}`;
    if (this.#format !== 'json') return `${object}\n`;
    return `${this.#rowCount === 1 ? '[\n' : ',\n'}${object}`;
  }
}

/** The name of the file, such as `stock.bad.csv` of `stock.xlsx`. */
export function restFileOf(name: string, format: ImportFormat): string {
  return `${name.replace(/\.\w{1,6}$/, '')}.bad.${format === 'xlsx' ? 'csv' : format}`;
}

/** A row of a workbook ends with its last value, and one of CSV with the last column. */
function filled(fields: RowContent & object, count: number): RowContent & object {
  return [...fields, ...Array<string>(Math.max(0, count - fields.length)).fill('')];
}

function withoutFormula(field: string): string {
  return FORMULA.test(field) && !NUMBER.test(field) ? `'${field}` : field;
}

function isJson(source: string): boolean {
  try {
    JSON.parse(source);
    return true;
  } catch {
    return false;
  }
}
