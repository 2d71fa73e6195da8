import { CsvError, parse } from 'csv-parse/sync';
import { MAX_QUANTITY } from '../domain/inventory.ts';
import { fromFormulaFree } from '../domain/management/pet-export.ts';
import { MAX_ROW_BYTES, ROW_TOO_LONG } from './faults.ts';
import type { PetRows } from './rows.ts';
import { isPetField, NUMBER_FIELDS, PET_FIELDS, type PetField, shown, type UncheckedPet } from './values.ts';

const MAX_UNKNOWN_SHOWN = 3;
const LINE_FEED = 0x0a;
const QUOTE = 0x22;

const QUOTE_FAULTS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened in the row that begins here and never closed.',
  CSV_INVALID_CLOSING_QUOTE: 'a closing quote must be followed by a comma or the end of the line.',
  INVALID_OPENING_QUOTE: 'a field with a quote in it must be quoted as a whole, and its quotes doubled.',
};

/**
 * Reads CSV (RFC 4180) with a header. Expects lines that end in a line feed alone: the library counts a CRLF within
 * quotes as two lines. Each piece is read up to the end of its last whole row. The library takes 2.0 of the 2.7 seconds
 * of a million rows on one core, so a second, faster parser is not worth its code.
 */
export class CsvReader {
  readonly #rows: PetRows;
  #columns: readonly (PetField | undefined)[] | undefined;
  /** The line on which the last row that was read ends. */
  #lastLine = 0;
  #rest: Buffer = Buffer.alloc(0);
  /** Whether the bytes so far have an odd number of quotes: a line feed is then part of a field. */
  #isQuoted = false;

  constructor(rows: PetRows) {
    this.#rows = rows;
  }

  read(piece: Buffer, isLast: boolean): void {
    const end = isLast ? piece.length : this.#findEnd(piece);
    if (end > 0 || isLast) {
      this.#parse(Buffer.concat([this.#rest, piece.subarray(0, end)]));
      this.#rest = Buffer.from(piece.subarray(end));
    } else this.#rest = Buffer.concat([this.#rest, piece]);
    if (this.#rest.length <= MAX_ROW_BYTES) return;
    const line = this.#lastLine + 1;
    this.#parse(this.#rest);
    this.#rows.stop(line, ROW_TOO_LONG);
  }

  /** The end of the last whole row of a piece. */
  #findEnd(piece: Buffer): number {
    let end = 0;
    for (let index = 0; index < piece.length; index += 1) {
      const byte = piece[index];
      if (byte === QUOTE) this.#isQuoted = !this.#isQuoted;
      else if (byte === LINE_FEED && !this.#isQuoted) end = index + 1;
    }
    return end;
  }

  #parse(text: Buffer): void {
    const firstLine = this.#lastLine;
    const readRecord = (record: readonly string[], { lines }: { lines: number }): null => {
      const line = this.#lastLine + 1;
      this.#lastLine = firstLine + lines;
      this.#readRecord(record, line);
      return null;
    };
    try {
      parse(text, { record_delimiter: '\n', relax_column_count: true, on_record: readRecord });
    } catch (error) {
      const fault = error instanceof CsvError ? QUOTE_FAULTS[error.code] : undefined;
      if (!(error instanceof CsvError) || fault === undefined) throw error;
      const isOpen = error.code === 'CSV_QUOTE_NOT_CLOSED';
      this.#rows.stop(isOpen ? this.#lastLine + 1 : firstLine + Number(error.lines), fault);
    }
  }

  #readRecord(record: readonly string[], line: number): void {
    const isBlank = record.length === 1 && record[0] === '';
    if (isBlank) return;
    const columns = this.#columns;
    if (columns === undefined) {
      this.#columns = readHeader(record, line, this.#rows);
      return;
    }
    this.#rows.startRow(line);
    if (record.length === columns.length) {
      const lineOf = (field: PetField) => line + lineFeeds(record.slice(0, columns.indexOf(field)));
      this.#rows.add(petOf(record, columns, this.#rows.adds), lineOf);
    } else this.#rows.fault(null, `the header has ${columns.length} fields, this row has ${record.length}.`);
  }
}

/** The fields of the columns; `undefined` where a column is left out. */
function readHeader(
  names: readonly string[],
  line: number,
  rows: PetRows,
): readonly (PetField | undefined)[] {
  const columns = names.map((name) => (isPetField(name) ? name : undefined));
  const unknown = names.filter((name) => !isPetField(name) && !rows.ignores(name));
  if (unknown.length > 0) {
    const first = unknown.slice(0, MAX_UNKNOWN_SHOWN).map(shown).join(', ');
    const more = unknown.length > MAX_UNKNOWN_SHOWN ? ` and ${unknown.length - MAX_UNKNOWN_SHOWN} more` : '';
    rows.stop(line, `unknown column ${first}${more}; the columns are ${PET_FIELDS.join(', ')}.`);
  }
  const repeated = columns.find((name, index) => name !== undefined && columns.indexOf(name) !== index);
  if (repeated !== undefined) rows.stop(line, `the column ${repeated} is there twice.`);
  for (const name of ['petId', 'quantity'] as const) {
    if (!columns.includes(name)) rows.stop(line, `the column ${name} is missing.`);
  }
  return columns;
}

/** @param isSigned Whether a quantity may be negative. */
function petOf(
  record: readonly string[],
  columns: readonly (PetField | undefined)[],
  isSigned: boolean,
): UncheckedPet {
  const pet: Partial<Record<PetField, unknown>> = {};
  for (let index = 0; index < columns.length; index += 1) {
    const field = columns[index];
    if (field !== undefined) pet[field] = record[index];
  }
  for (const field of ['name', 'category'] as const) {
    const text = pet[field];
    if (typeof text === 'string') pet[field] = fromFormulaFree(text);
  }
  for (const field of NUMBER_FIELDS) {
    const text = pet[field];
    const pattern = isSigned && field === 'quantity' ? /^-?\d+$/ : /^\d+$/;
    if (typeof text !== 'string' || !pattern.test(text)) continue;
    // The sum has no -0.
    const number = Number(text) + 0;
    if (Math.abs(number) <= MAX_QUANTITY) pet[field] = number;
  }
  return pet;
}

function lineFeeds(texts: readonly string[]): number {
  return texts.join('').split('\n').length - 1;
}
