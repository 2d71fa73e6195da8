import { readFileSync, readSync } from 'node:fs';
import { extname } from 'node:path';
import { isatty } from 'node:tty';
import { type Decimal, ENCODINGS, type ImportFormat } from '../words.ts';
import { hasKnownHeading } from './csv-head.ts';
import { describeFault, type FileFault, UnreadableFile } from './faults.ts';
import { columnMap, type MappedColumn, type PetField } from './headings.ts';
import type { ImportProblem } from './import-problems.ts';
import { PetFile, readToEnd } from './pet-file.ts';
import type { FileRow, PetRow } from './pet-row.ts';
import type { FileFacts, Reading } from './reading.ts';
import { PetFileError, RefusedFile } from './refused-file.ts';
import { RestFile } from './rest-file.ts';
import { PetRows, type RowContent, type RowOptions, type RowPlace } from './rows.ts';
import { STANDARD_INPUT, shownFile } from './shown-file.ts';
import { isArchive, TextPieces } from './text-pieces.ts';

const FORMATS: ReadonlyMap<string, ImportFormat> = new Map([
  ['.csv', 'csv'],
  ['.tsv', 'csv'],
  ['.json', 'json'],
  ['.ndjson', 'ndjson'],
  ['.jsonl', 'ndjson'],
  ['.xlsx', 'xlsx'],
]);

/** The largest file, because the rows of a file are in memory. */
const MAX_FILE_BYTES = 500_000_000;
const PIECE_BYTES = 1_048_576;
const HEAD_BYTES = 65_536;
const MAX_FAULTS_SHOWN = 20;
const WAIT_MS = 10;

const NO_FILE = 'there is no such file; check the name, or give - to read standard input.';

const READ_FAILURES: Readonly<Record<string, string>> = {
  ENOENT: NO_FILE,
  ENOTDIR: NO_FILE,
  EISDIR: 'this is a folder; name a file in it.',
  EACCES: 'this user may not read the file.',
  EPERM: 'this user may not read the file.',
};

export interface ReadOptions extends Pick<RowOptions, 'maxQuantity' | 'mode'>, Reading {
  /** The format; by default that of the name, and without one that of the content. */
  readonly format?: ImportFormat | undefined;
}

/** A good row of a file. */
export interface ReadRow extends RowPlace {
  readonly row: FileRow;
  readonly content: RowContent;
}

/** A row of a file whose pet is known. */
interface MatchedRow extends ReadRow {
  readonly row: PetRow;
}

/** What is wrong with a row that was good so far. */
export interface RowProblem {
  readonly field: PetField;
  readonly problem: ImportProblem;
}

/** The good and the bad rows of a file. */
export class ReadPets {
  /** The file as messages name it. */
  readonly path: string;
  /** The good rows in their order, once `match` has found their pets. */
  pets: readonly MatchedRow[] = [];
  readonly #read: readonly ReadRow[];
  readonly format: ImportFormat;
  readonly facts: FileFacts;
  readonly #rows: PetRows;
  readonly #rest: RestFile;
  #badRows = '';

  /** @throws UnreadableFile */
  constructor(path: string, bytes: Uint8Array, format: ImportFormat, options: ReadOptions) {
    this.path = path;
    this.format = format;
    this.#rest = new RestFile(format);
    const pets: ReadRow[] = [];
    this.#rows = new PetRows({
      ...options,
      maxFaults: MAX_FAULTS_SHOWN,
      lines: new Map(),
      onRow: (row, { line, element }, content) => pets.push({ row, line, element, content }),
      onWrong: (content, problem) => {
        this.#badRows += this.#rest.row(content, problem, this.#rows);
      },
    });
    const file = new PetFile(format, this.#rows, options);
    for (let start = 0; start < bytes.length; start += PIECE_BYTES)
      file.read(bytes.subarray(start, start + PIECE_BYTES));
    readToEnd(file);
    this.facts = file.facts;
    this.#read = pets;
  }

  /** The rows without a fault in them, whose pets may be unknown. */
  get read(): readonly ReadRow[] {
    return this.#read;
  }

  /** What the columns of the table are, also those that are left out. `undefined`: JSON has no columns. */
  get columns(): readonly MappedColumn[] | undefined {
    const { headings, columns } = this.#rows;
    if (this.facts.headingLine === null) return undefined;
    return headings.map((heading, column) => ({ heading, field: columns[column] ?? null }));
  }

  get wrongRowCount(): number {
    return this.#rows.wrongRowCount;
  }

  get decimalOfFile(): Decimal | undefined {
    return this.#rows.decimalOfFile;
  }

  /** The file of the bad rows, in the form of the file, each with what is wrong. */
  get badRows(): string {
    return this.#badRows + this.#rest.end();
  }

  /** What is wrong, one line per fault. */
  get faultLines(): readonly string[] {
    return faultLines(this.#rows);
  }

  /**
   * Finds the pets of the rows, and takes out those that have none.
   * @param find The row with its pet, or what is wrong with it.
   */
  match(find: (row: ReadRow) => PetRow | RowProblem): void {
    const matched: MatchedRow[] = [];
    const lines = new Map<bigint, number>();
    for (const read of this.#read) {
      const found = find(read);
      if ('problem' in found) this.#rows.lateFault(found.field, found.problem, read, read.content);
      else {
        const earlierLine = lines.get(found.petId);
        if (earlierLine !== undefined) this.#rows.repeated(found.petId, read, earlierLine, read.content);
        else {
          lines.set(found.petId, read.line);
          matched.push({ ...read, row: found });
        }
      }
    }
    this.pets = matched;
  }

  /** Takes rows out whose sum with the stock is out of range. @param found What each pet has */
  refuseSums(found: ReadonlyMap<bigint, number>): void {
    for (const { row, line, element, content } of this.pets) {
      const stock = found.get(row.petId);
      if (stock !== undefined) this.#rows.wrongSum(row, { line, element }, stock, content);
    }
    this.pets = this.pets.filter(({ row }) => !found.has(row.petId));
  }

  /** @throws RefusedFile if a row is wrong */
  requireGood(): void {
    if (this.#rows.faultCount > 0) throw refusalOfRows(this.path, this.#rows);
  }
}

/**
 * Reads a file of pets with its bad rows: `.csv` or `.tsv` with a header, `.xlsx`, `.json` (an array), `.ndjson` or `.jsonl`
 * (one object a line); or standard input, as `-`.
 * @throws PetFileError when it cannot be read to its end
 */
export function readPets(given: string, options: ReadOptions = {}): ReadPets {
  const path = shownFile(given);
  const bytes = given === STANDARD_INPUT ? readStandardInput() : readBytes(given);
  const format = options.format ?? formatOf(given, bytes) ?? detectedFormat(path, bytes, options);
  try {
    const first = new ReadPets(path, bytes, format, options);
    const { decimalOfFile: decimal } = first;
    return decimal === undefined ? first : new ReadPets(path, bytes, format, { ...options, decimal });
  } catch (error) {
    if (error instanceof UnreadableFile) throw refusal(path, error.fault);
    throw error;
  }
}

/** The format by the name; a workbook is one whatever its name. */
function formatOf(given: string, bytes: Uint8Array): ImportFormat | undefined {
  return isArchive(bytes) ? 'xlsx' : FORMATS.get(extname(given).toLowerCase());
}

/** Finds the format by the first visible character, or by a heading. */
function detectedFormat(path: string, bytes: Buffer, { encoding, columns }: ReadOptions): ImportFormat {
  let text: string;
  try {
    text = new TextPieces({ mayBeWindows: true, encoding })
      .next(bytes.subarray(0, HEAD_BYTES), false)
      .trimStart();
  } catch (error) {
    if (error instanceof UnreadableFile) throw refusal(path, error.fault);
    throw error;
  }
  if (text.startsWith('[')) return 'json';
  if (text.startsWith('{')) return 'ndjson';
  if (text === '' || hasKnownHeading(text, columnMap(columns))) return 'csv';
  throw new PetFileError(
    `${path}: this is neither JSON nor CSV with the headings petId and quantity. Add --format csv, json, ndjson or xlsx, or name the file with one of ${[...FORMATS.keys()].join(', ')}. Nothing was imported.`,
  );
}

function readStandardInput(): Buffer {
  if (isatty(0))
    throw new PetFileError('- reads standard input: send a file to it, such as with < pets.csv.');
  const pieces: Buffer[] = [];
  let total = 0;
  for (let piece = nextPiece(); piece.length > 0; piece = nextPiece()) {
    pieces.push(piece);
    total += piece.length;
    if (total > MAX_FILE_BYTES) throw tooLarge('standard input');
  }
  return Buffer.concat(pieces);
}

/** The next bytes of standard input; none at its end. */
function nextPiece(): Buffer {
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  for (;;) {
    try {
      return piece.subarray(0, readSync(0, piece));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Windows reports the end of a pipe as an error.
      if (code === 'EOF') return piece.subarray(0, 0);
      if (code !== 'EAGAIN') throw error;
      // A pipe that does not block has nothing yet.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
    }
  }
}

function tooLarge(path: string): PetFileError {
  return new PetFileError(`${path}: the file is larger than ${MAX_FILE_BYTES / 1e6} MB; split it.`);
}

function readBytes(path: string): Buffer {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new PetFileError(
      `${shownFile(path)}: ${READ_FAILURES[code] ?? `the file cannot be read (${code}).`}`,
      {
        cause: error,
      },
    );
  }
  if (bytes.length <= MAX_FILE_BYTES) return bytes;
  throw tooLarge(shownFile(path));
}

function refusal(path: string, fault: FileFault): RefusedFile {
  const { line, message } = fault;
  const place = line === null ? path : `${path}, line ${line}`;
  return new RefusedFile(`${place}: ${message}${adviceFor([fault])} Nothing was imported.`, {
    faults: [fault],
    faultCount: 1,
  });
}

function faultLines({ faults, faultCount }: PetRows): readonly string[] {
  const lines = faults.map((fault) => `  ${describeFault(fault)}`);
  const hiddenCount = faultCount - faults.length;
  return hiddenCount > 0 ? [...lines, `  … and ${hiddenCount} more`] : lines;
}

function refusalOfRows(path: string, rows: PetRows): RefusedFile {
  const { faults, faultCount, wrongRowCount } = rows;
  const wrong = wrongRowCount === 1 ? '1 row is' : `${wrongRowCount} rows are`;
  const message = `${path}: ${wrong} wrong; nothing was imported.\n${faultLines(rows).join('\n')}`;
  const advice = adviceFor(faults);
  return new RefusedFile(advice === '' ? message : `${message}\n${advice.trim()}`, { faults, faultCount });
}

/** The options that answer a question of the reader, or leave out what is not kept. */
function adviceFor(faults: readonly FileFault[]): string {
  const codes = new Set(faults.map(({ code }) => code));
  return [
    ignoreAdvice(faults),
    eitherAdvice(faults),
    codes.has('ambiguous_number') ? ' To decide it, repeat with --decimal comma or --decimal point.' : '',
    codes.has('several_sheets') ? ' Name it with --sheet.' : '',
    codes.has('uncertain_encoding') ? ` To give it, repeat with --encoding and ${ENCODINGS.join(', ')}.` : '',
  ].join('');
}

/** Names that a shell reads as they are. */
const PLAIN_NAMES = /^[\p{L}\p{N}_.,-]+$/u;

/** The option that leaves out the columns or members that are not kept; empty where no command line can name them. */
function ignoreAdvice(faults: readonly FileFault[]): string {
  const names = new Set<string>();
  for (const { code, values } of faults) {
    const shownNames = { unknown_column: values.columns, unknown_member: values.member }[code as string];
    if (shownNames !== undefined) for (const name of namesOf(shownNames)) names.add(name.trim());
  }
  const option = ignoreOption([...names]);
  return option === undefined ? '' : ` To leave out what is not kept, repeat with ${option}.`;
}

/** The options that leave out one of two columns for the same field. */
function eitherAdvice(faults: readonly FileFault[]): string {
  const repeated = faults.find(({ code }) => code === 'repeated_column');
  if (repeated === undefined || repeated.values.first === repeated.values.second) return '';
  const options = namesOf(`${repeated.values.first},${repeated.values.second}`).map((name) =>
    ignoreOption([name.trim()]),
  );
  if (options.length === 0 || options.includes(undefined)) return '';
  return ` To leave one of them out, repeat with ${options.join(' or ')}.`;
}

/** The option with names that a command line can have; `undefined`: there are none. */
function ignoreOption(names: readonly string[]): string | undefined {
  const list = names.filter((name) => name !== '' && !/[,'…\p{Cc}]/u.test(name)).join(',');
  if (list === '') return undefined;
  return `--ignore ${PLAIN_NAMES.test(list) ? list : `'${list}'`}`;
}

/** The names of a message, without those that it had to escape. */
function namesOf(shownNames: string): readonly string[] {
  try {
    return JSON.parse(`[${shownNames}]`) as string[];
  } catch {
    return [];
  }
}
