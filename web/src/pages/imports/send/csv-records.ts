/** No row of the service is longer. It bounds what is kept of a file, too. */
const MAX_ROW_CHARACTERS = 65_536;
export type Separator = ',' | ';' | '\t';

export type CsvFault = 'quote-open' | 'quote-followed' | 'row-too-long';

/** Where a file cannot be read as CSV. */
export class UnreadableCsv extends Error {
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
  /** Lines that the record takes, more than one if a field has line feeds. */
  readonly lines: number;
}

/**
 * Splits a text into records, piece by piece. Other than a library it has no state beyond the record that is not
 * complete, and counts lines as the service does, so that errors of the service name lines of the person's file.
 */
export class CsvRecords {
  readonly #separator: Separator;
  #rest = '';
  #line = 1;

  constructor(separator: Separator) {
    this.#separator = separator;
  }

  /** The whole records up to here. @throws UnreadableCsv */
  read(piece: string, isLast: boolean): readonly CsvRecord[] {
    let text = this.#rest + piece;
    // A line feed may follow in the next piece.
    const kept = !isLast && text.endsWith('\r') ? '\r' : '';
    text = text.slice(0, text.length - kept.length).replace(/\r\n?/g, '\n');
    const records: CsvRecord[] = [];
    let start = 0;
    while (start < text.length) {
      const record = this.#readRecord(text, start, isLast);
      if (record === undefined) break;
      records.push({ fields: record.fields, lines: record.lines });
      start = record.end;
      this.#line += record.lines;
    }
    this.#rest = text.slice(start) + kept;
    if (this.#rest.length > MAX_ROW_CHARACTERS) throw new UnreadableCsv(this.#line, 'row-too-long');
    return records;
  }

  /** The record that begins here; `undefined` if its end is in a later piece. */
  #readRecord(text: string, start: number, isLast: boolean): (CsvRecord & { end: number }) | undefined {
    const fields: string[] = [];
    for (let at = start; ; ) {
      const isQuoted = text.charAt(at) === '"';
      const end = isQuoted ? this.#closingQuote(text, at, isLast) : this.#endOfField(text, at);
      if (end === undefined || (end === text.length && !isLast)) return undefined;
      fields.push(isQuoted ? text.slice(at + 1, end - 1).replaceAll('""', '"') : text.slice(at, end));
      const next = text.charAt(end);
      if (next === '\n' || next === '') {
        const lines = text.slice(start, end).split('\n').length;
        return { fields, lines, end: end + 1 };
      }
      if (next !== this.#separator) throw new UnreadableCsv(this.#line, 'quote-followed');
      at = end + 1;
    }
  }

  #endOfField(text: string, from: number): number {
    for (let at = from; at < text.length; at += 1) {
      const next = text.charAt(at);
      if (next === this.#separator || next === '\n') return at;
    }
    return text.length;
  }

  /** The place after the quote that closes a field. */
  #closingQuote(text: string, openingQuote: number, isLast: boolean): number | undefined {
    for (let at = openingQuote + 1; ; at += 2) {
      at = text.indexOf('"', at);
      if (at === -1) {
        if (isLast) throw new UnreadableCsv(this.#line, 'quote-open');
        return undefined;
      }
      if (text.charAt(at + 1) !== '"') return at + 1;
    }
  }
}

/** A field as it is written in CSV (RFC 4180). */
export function csvField(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
