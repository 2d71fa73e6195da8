import { MAX_ROW_CHARACTERS } from './faults.ts';

export const SEPARATORS = [',', ';', '\t', '|'] as const;
export type Separator = (typeof SEPARATORS)[number];

export type CsvFault = 'quote-open' | 'quote-followed' | 'quote-within' | 'row-too-long';

/** Where a file cannot be read as CSV. */
export class UnreadableCsv extends Error {
  override name = 'UnreadableCsv';
  readonly line: number;
  readonly fault: CsvFault;

  constructor(line: number, fault: CsvFault) {
    super(`line ${line}: ${fault}`);
    this.line = line;
    this.fault = fault;
  }
}

export interface CsvRecord {
  readonly fields: readonly string[];
  /** Where it begins, from 1. */
  readonly line: number;
  /** Lines that it takes, more than one if a field has line feeds. */
  readonly lines: number;
}

const LINE_FEED = 0x0a;
const QUOTE = 0x22;

/**
 * Splits text into records (RFC 4180), piece by piece, in one pass: each character is read once, whatever the pieces. Expects
 * lines that end in a line feed alone.
 */
export class CsvRecords {
  readonly #separator: number;
  #state: 'start' | 'plain' | 'quoted' | 'closed' = 'start';
  #fields: string[] = [];
  /** The part of the field that earlier pieces had. */
  #field = '';
  /** Characters of the record so far. */
  #length = 0;
  /** The line of the next character, and that of the record. */
  #line: number;
  #firstLine: number;

  /** @param line That of the first character. */
  constructor(separator: Separator, line = 1) {
    this.#separator = separator.charCodeAt(0);
    this.#line = line;
    this.#firstLine = line;
  }

  /** Reads a piece, and calls back for each record that ends in it. @throws UnreadableCsv */
  read(piece: string, isLast: boolean, onRecord: (record: CsvRecord) => void): void {
    for (let at = 0; at < piece.length;)
      at = this.#state === 'quoted' ? this.#readQuoted(piece, at) : this.#readPlain(piece, at, onRecord);
    if (!isLast) return;
    if (this.#state === 'quoted') throw new UnreadableCsv(this.#firstLine, 'quote-open');
    if (this.#length > 0) onRecord(this.#endRecord(0));
  }

  /** Reads up to the end of a field outside of quotes, or to the quote that opens one. Returns the place after it. */
  #readPlain(piece: string, start: number, onRecord: (record: CsvRecord) => void): number {
    for (let at = start; at < piece.length; at += 1) {
      const character = piece.charCodeAt(at);
      const isEnd = character === LINE_FEED;
      if (isEnd || character === this.#separator) {
        this.#count(at + (isEnd ? 0 : 1) - start);
        this.#fields.push(this.#field + piece.slice(start, at));
        this.#field = '';
        this.#state = 'start';
        if (isEnd) onRecord(this.#endRecord(1));
        return at + 1;
      }
      if (character === QUOTE) return this.#openQuote(start, at);
      if (this.#state === 'closed') throw this.#fault(at - start, 'quote-followed');
      this.#state = 'plain';
    }
    this.#count(piece.length - start);
    this.#field += piece.slice(start);
    return piece.length;
  }

  #openQuote(start: number, quote: number): number {
    if (this.#state === 'plain') throw this.#fault(quote - start, 'quote-within');
    this.#count(1);
    // Two quotes within quotes are one.
    if (this.#state === 'closed') this.#field += '"';
    this.#state = 'quoted';
    return quote + 1;
  }

  /** Reads up to the next quote. Returns the place after it. */
  #readQuoted(piece: string, start: number): number {
    const quote = piece.indexOf('"', start);
    const end = quote === -1 ? piece.length : quote;
    if (this.#length + end - start > MAX_ROW_CHARACTERS)
      throw new UnreadableCsv(this.#firstLine, 'quote-open');
    const text = piece.slice(start, end);
    for (let feed = text.indexOf('\n'); feed !== -1; feed = text.indexOf('\n', feed + 1)) this.#line += 1;
    this.#field += text;
    this.#length += text.length;
    if (quote === -1) return piece.length;
    this.#count(1);
    this.#state = 'closed';
    return quote + 1;
  }

  #count(characters: number): void {
    this.#length += characters;
    if (this.#length > MAX_ROW_CHARACTERS) throw new UnreadableCsv(this.#firstLine, 'row-too-long');
  }

  /** A fault after some characters, or that of a row that is too long with them: the pieces make no difference. */
  #fault(characters: number, fault: CsvFault): UnreadableCsv {
    this.#count(characters);
    return new UnreadableCsv(this.#line, fault);
  }

  /** @param lineFeeds Those that end it: none at the end of the file. */
  #endRecord(lineFeeds: 0 | 1): CsvRecord {
    if (lineFeeds === 0) this.#fields.push(this.#field);
    const [fields, line] = [this.#fields, this.#firstLine];
    this.#line += lineFeeds;
    const lines = this.#line - line + 1 - lineFeeds;
    [this.#fields, this.#field, this.#state] = [[], '', 'start'];
    [this.#firstLine, this.#length] = [this.#line, 0];
    return { fields, line, lines };
  }
}

/** Whether a record has nothing: a blank line, or one of separators alone, which spreadsheets add. */
export function isBlank({ fields }: { readonly fields: readonly (string | number)[] }): boolean {
  return fields.every((field) => field === '');
}

/**
 * A spreadsheet runs a field that begins with one of these as a formula; the wide forms too, in some languages. An
 * apostrophe before it makes it a text. A field with apostrophes before a formula has one more, so that each field can be
 * read back exactly.
 */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r]/;

/** A text as a spreadsheet shows it and never runs it. */
export function withoutFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The text of a field that `withoutFormula` has written. */
export function fromFormulaFree(field: string): string {
  return field.startsWith("'") && FORMULA.test(field) ? field.slice(1) : field;
}

/** A field as it is written in CSV (RFC 4180). */
export function csvField(text: string, separator = ','): string {
  return text.includes(separator) || /["\n\r]/.test(text) ? quoted(text) : text;
}

/** A value as a field of CSV that a spreadsheet opens in any country, and runs nothing of. */
export function spreadsheetField(value: string | number | bigint | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = withoutFormula(value);
  return /[",;\s]/.test(text) ? quoted(text) : text;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
