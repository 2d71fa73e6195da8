import { isBlank } from '../csv-records.ts';
import { type ColumnMap, isHeading, MAX_ROWS_ABOVE, NO_COLUMNS } from '../headings.ts';
import { type ImportProblem, importProblem } from '../import-problems.ts';
import { shownValue } from '../../shown-value.ts';
import { isArchive } from '../text-pieces.ts';
import { RefusedRow, type SheetRow, sheetRows } from './sheet-rows.ts';
import {
  type Book,
  MAX_SHEET_BYTES,
  MAX_WORKBOOK_BYTES,
  openWorkbook,
  readSoFar,
  RefusedWorkbook,
  type Sheet,
} from './workbook.ts';
import { DamagedArchive } from './zip.ts';

const MAX_SHEETS_SHOWN = 10;
const MAX_NAME_CHARACTERS = 100;

/** Called for what refuses a workbook. @param line The row, or nothing for the whole workbook */
type Refuse = (line: number | null, problem: ImportProblem) => never;

/** Collects the bytes of a workbook, whose directory is at its end, and then reads the rows of a sheet. */
export class XlsxFile {
  readonly #refuse: Refuse;
  readonly #wanted: string | undefined;
  #pieces: Uint8Array[] = [];
  readonly #map: ColumnMap;
  readonly #maxChosenBytes: number;
  #byteCount = 0;
  /** The sheet that is read. */
  sheet: string | undefined;
  /** The names of the sheets with pets, if there are several and none was named. */
  choices: readonly string[] = [];

  /**
   * @param wanted The name of the sheet, where several have pets.
   * @param map Columns that are known besides those with known headings.
   * @param maxChosenBytes Another number for tests: what the search for the sheet with pets unpacks.
   */
  constructor(
    refuse: Refuse,
    wanted?: string,
    map: ColumnMap = NO_COLUMNS,
    maxChosenBytes = MAX_SHEET_BYTES,
  ) {
    this.#map = map;
    this.#maxChosenBytes = maxChosenBytes;
    this.#refuse = refuse;
    this.#wanted = wanted;
  }

  add(bytes: Uint8Array): void {
    this.#byteCount += bytes.length;
    if (this.#byteCount > MAX_WORKBOOK_BYTES) {
      const values = { bytes: this.#byteCount, maximum: MAX_WORKBOOK_BYTES };
      this.#refuse(null, importProblem('workbook_too_large', values));
    }
    // The bytes of a part of the database may be used again.
    this.#pieces.push(bytes.slice());
  }

  /** The rows with a value; `undefined` where there is none yet. */
  *rows(): Generator<SheetRow | undefined> {
    const archive = joined(this.#pieces, this.#byteCount);
    this.#pieces = [];
    if (archive.length === 0) this.#refuse(null, importProblem('empty_file'));
    if (!isArchive(archive)) this.#refuse(null, importProblem('no_workbook'));
    try {
      const book = yield* openWorkbook(archive);
      const sheet = yield* this.#chosen(book);
      this.sheet = sheet.name.slice(0, MAX_NAME_CHARACTERS);
      yield* sheetRows(book, sheet);
    } catch (error) {
      if (error instanceof RefusedWorkbook) this.#refuse(null, error.problem);
      if (error instanceof RefusedRow) this.#refuse(error.line, error.problem);
      if (error instanceof DamagedArchive) this.#refuse(null, importProblem('damaged_workbook'));
      throw error;
    }
  }

  /** The sheet with pets, or the first one. Of several with pets only a person can choose. */
  *#chosen(book: Book): Generator<undefined, Sheet> {
    const names = (some: readonly Sheet[]) =>
      some
        .slice(0, MAX_SHEETS_SHOWN)
        .map(({ name }) => shownValue(name))
        .join(', ');
    const { sheets } = book;
    if (this.#wanted !== undefined) {
      const found = sheets.find(({ name }) => name === this.#wanted);
      const values = { sheet: shownValue(this.#wanted), sheets: names(sheets) };
      return found ?? this.#refuse(null, importProblem('unknown_sheet', values));
    }
    const [first, ...others] = sheets;
    if (first === undefined) return this.#refuse(null, importProblem('no_workbook'));
    if (others.length === 0) return first;
    const withPets: Sheet[] = [];
    const searched = readSoFar(book, this.#maxChosenBytes);
    for (const sheet of sheets) if (yield* hasPets(searched, sheet, this.#map)) withPets.push(sheet);
    if (withPets.length > 1) {
      this.choices = withPets.map(({ name }) => name);
      this.#refuse(null, importProblem('several_sheets', { sheets: names(withPets) }));
    }
    return withPets[0] ?? first;
  }
}

/** Whether a sheet has the headings of pets. It yields as `rows`. */
function* hasPets(book: Book, sheet: Sheet, map: ColumnMap): Generator<undefined, boolean> {
  let count = 0;
  for (const row of sheetRows(book, sheet)) {
    if (row === undefined) yield;
    if (row === undefined || isBlank(row)) continue;
    if (isHeading(row.fields.map(String), map)) return true;
    count += 1;
    if (count > MAX_ROWS_ABOVE) return false;
  }
  return false;
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
