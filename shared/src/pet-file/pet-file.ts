import type { Encoding, ImportFormat } from '../words.ts';
import { CsvReader } from './csv.ts';
import { importProblem } from './import-problems.ts';
import { JsonArrayReader } from './json-array.ts';
import { JsonLinesReader } from './json-lines.ts';
import type { PetRows } from './rows.ts';
import { TextPieces } from './text-pieces.ts';

/** Reads the pieces of a file, whose lines end in line feeds. */
interface PieceReader {
  read(piece: string, isLast: boolean): void;
}

const READERS: Readonly<Record<ImportFormat, (rows: PetRows) => PieceReader>> = {
  csv: (rows) => new CsvReader(rows),
  json: (rows) => new JsonArrayReader(rows),
  ndjson: (rows) => new JsonLinesReader(rows),
};

/** Reads a file of pets piece by piece: what it keeps of the file is less than a piece and a row. */
export class PetFile {
  readonly #format: ImportFormat;
  readonly #rows: PetRows;
  readonly #text: TextPieces;
  readonly #reader: PieceReader;

  constructor(format: ImportFormat, rows: PetRows, encoding?: Encoding) {
    this.#format = format;
    this.#text = new TextPieces({ mayBeWindows: format === 'csv', encoding });
    this.#rows = rows;
    this.#reader = READERS[format](rows);
  }

  /**
   * Reads the next bytes of the file.
   * @throws UnreadableFile where the rest of the file cannot be read.
   */
  read(bytes: Uint8Array): void {
    this.#reader.read(this.#text.next(bytes, false), false);
  }

  /** Reads the end of the file. @throws UnreadableFile for a fault there, or a file without rows. */
  end(): void {
    const piece = this.#text.next(new Uint8Array(0), true);
    if (this.#text.isBlank) this.#rows.stop(null, importProblem('empty_file'));
    this.#reader.read(piece, true);
    if (this.#rows.rowCount > 0) return;
    this.#rows.stop(null, importProblem('no_pets', { format: this.#format }));
  }
}
