import type { ImportFormat } from '../words.ts';
import { CsvReader } from './csv.ts';
import { importProblem } from './import-problems.ts';
import { JsonArrayReader } from './json-array.ts';
import { JsonLinesReader } from './json-lines.ts';
import type { FileFacts, Reading } from './reading.ts';
import type { PetRows } from './rows.ts';
import { PetTable } from './table.ts';
import { TextPieces } from './text-pieces.ts';
import { XlsxFile } from './workbook/xlsx.ts';

/** Reads a format. */
interface FormatReader {
  read(bytes: Uint8Array): void;
  /** Reads the rest in steps. */
  end(): Iterable<void>;
  readonly facts: Pick<FileFacts, 'encoding' | 'separator' | 'sheet'>;
}

/** Reads the pieces of a file, whose lines end in line feeds. */
interface PieceReader {
  read(piece: string, isLast: boolean): void;
}

class TextFile implements FormatReader {
  readonly #rows: PetRows;
  readonly #text: TextPieces;
  readonly #reader: PieceReader;

  constructor(rows: PetRows, text: TextPieces, reader: PieceReader) {
    this.#rows = rows;
    this.#text = text;
    this.#reader = reader;
  }

  read(bytes: Uint8Array): void {
    this.#reader.read(this.#text.next(bytes, false), false);
  }

  end(): Iterable<void> {
    const piece = this.#text.next(new Uint8Array(0), true);
    if (this.#text.isBlank) this.#rows.stop(null, importProblem('empty_file'));
    this.#reader.read(piece, true);
    return [];
  }

  get facts() {
    const separator = this.#reader instanceof CsvReader ? this.#rows.separator : null;
    // All characters of ASCII are the same in UTF-8.
    return { encoding: this.#text.encoding ?? ('utf-8' as const), separator, sheet: null };
  }
}

class Workbook implements FormatReader {
  readonly #file: XlsxFile;
  readonly #table: PetTable;

  constructor(rows: PetRows, { sheet }: Reading) {
    this.#file = new XlsxFile((line, problem) => rows.stop(line, problem), sheet, rows.map);
    this.#table = new PetTable(rows);
    rows.separator = ';';
  }

  read(bytes: Uint8Array): void {
    this.#file.add(bytes);
  }

  *end(): Iterable<void> {
    for (const row of this.#file.rows()) {
      if (row) this.#table.add(row);
      else yield;
    }
    this.#table.end();
  }

  get facts() {
    return { encoding: null, separator: null, sheet: this.#file.sheet ?? null };
  }
}

const READERS: Readonly<Record<ImportFormat, (rows: PetRows, reading: Reading) => FormatReader>> = {
  csv: (rows, { encoding }) =>
    new TextFile(rows, new TextPieces({ mayBeWindows: true, encoding }), new CsvReader(rows)),
  json: (rows, { encoding }) =>
    new TextFile(rows, new TextPieces({ mayBeWindows: false, encoding }), new JsonArrayReader(rows)),
  ndjson: (rows, { encoding }) =>
    new TextFile(rows, new TextPieces({ mayBeWindows: false, encoding }), new JsonLinesReader(rows)),
  xlsx: (rows, reading) => new Workbook(rows, reading),
};

/**
 * Reads a file of pets piece by piece. What it keeps of the file is less than a piece and a row; of a workbook, its packed bytes
 * and its texts.
 */
export class PetFile {
  readonly #format: ImportFormat;
  readonly #rows: PetRows;
  readonly #reader: FormatReader;

  constructor(format: ImportFormat, rows: PetRows, reading: Reading = {}) {
    this.#format = format;
    this.#rows = rows;
    this.#reader = READERS[format](rows, reading);
  }

  /**
   * Reads the next bytes of the file.
   * @throws UnreadableFile where the rest of the file cannot be read.
   */
  read(bytes: Uint8Array): void {
    this.#reader.read(bytes);
  }

  /** How the file was read, after its end. */
  get facts(): FileFacts {
    const { headingLine, decimal = null, leftOut, mapping = null } = this.#rows;
    return { ...this.#reader.facts, headingLine, decimal, leftOut, mapping };
  }

  /** Reads the rest of the file in steps. @throws UnreadableFile for a fault there, or a file without rows. */
  *finish(): Generator<void> {
    yield* this.#reader.end();
    this.#rows.endRow();
    if (this.#rows.rowCount > 0) return;
    this.#rows.stop(null, importProblem('no_pets', { format: this.#format }));
  }
}

/** Reads the rest of a file. @throws UnreadableFile */
export function readToEnd(file: PetFile): void {
  for (const _ of file.finish());
}
