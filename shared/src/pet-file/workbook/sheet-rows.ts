import { DAY_MS } from '../../durations.ts';
import { MAX_ROW_CHARACTERS, ROW_TOO_LONG } from '../faults.ts';
import { type ImportProblem, importProblem } from '../import-problems.ts';
import { type Book, MAX_SHEET_BYTES, RefusedWorkbook, type Sheet } from './workbook.ts';
import { type Attributes, readXml } from './xml.ts';
import { DamagedArchive } from './zip.ts';

/** A text, or a number that the file holds exactly. */
type Cell = string | number;

export interface SheetRow {
  readonly fields: readonly Cell[];
  /** The number of the row. */
  readonly line: number;
  /** Cells that have no value of their own, by their column. */
  readonly problems?: ReadonlyMap<number, ImportProblem>;
}

/** The rows of a sheet of Excel. */
const MAX_ROWS = 1_048_576;
/** Formats of whole columns leave so many rows without a value, far below those that people see. */
const MAX_EMPTY_ROWS = 200_000;
const MAX_COLUMNS = 256;
const COLUMN = /^([A-Z]{1,3})\d{1,7}$/;
const A = 64;
const LETTERS = 26;
const MAX_FORMULAS = 65_536;
/** A formula that takes a value from another file. */
const EXTERNAL = /\[\d+\]/;
/** Spreadsheets keep so many digits of a number; the next ones are wrong. */
const MAX_DIGITS = 15;
/** A character as a spreadsheet escapes it in a text (ECMA-376 part 1, section 22.9.2.19, ST_Xstring). */
const ESCAPED = /_x([0-9A-Fa-f]{4})_/g;
const INTEGER = /^-?\d+$/;
/** Day 0 in both systems; 29 February 1900, which there was not, is a day too. */
const DAY_0 = Date.UTC(1899, 11, 30);
const DAY_0_OF_1904 = Date.UTC(1904, 0, 1);
const MAX_DAYS = 2_958_466;

/**
 * Reads the rows of a sheet that have a value. It yields `undefined` where there is none yet.
 * @param maxCharacters Of all its texts: those to which cells refer count as if each cell had its own. Another number for tests.
 * @throws RefusedWorkbook, DamagedArchive
 */
export function* sheetRows(
  book: Book,
  sheet: Sheet,
  maxCharacters = MAX_SHEET_BYTES,
): Generator<SheetRow | undefined> {
  const rows = new RowReader(book, maxCharacters);
  const steps = readXml(book.read(sheet), {
    open: (name, attributes) => rows.open(name, attributes),
    close: (name) => rows.close(name),
    text: (text) => rows.text(text),
  });
  for (const _ of steps) {
    yield* rows.take();
    yield undefined;
  }
  yield* rows.take();
}

class RowReader {
  readonly #book: Book;
  readonly #maxCharacters: number;
  #ready: SheetRow[] = [];
  #line = 0;
  #emptyCount = 0;
  #fields: Cell[] = [];
  #problems: Map<number, ImportProblem> | undefined;
  #characters = 0;
  #sheetCharacters = 0;
  #column = -1;
  #type = 'n';
  #format = 0;
  #value = '';
  #formula = '';
  #hasFormula = false;
  #isExternal = false;
  #shared: string | undefined;
  readonly #externals = new Set<string>();
  #into: 'value' | 'formula' | undefined;
  #phonetics = 0;

  constructor(book: Book, maxCharacters: number) {
    this.#book = book;
    this.#maxCharacters = maxCharacters;
  }

  take(): readonly SheetRow[] {
    const rows = this.#ready;
    this.#ready = [];
    return rows;
  }

  open(name: string, attribute: Attributes): void {
    if (name === 'row') this.#openRow(attribute('r'));
    else if (name === 'c') this.#openCell(attribute);
    else if (name === 'v' || (name === 't' && this.#phonetics === 0)) this.#into = 'value';
    else if (name === 'rPh') this.#phonetics += 1;
    else if (name === 'f') {
      this.#into = 'formula';
      this.#hasFormula = true;
      this.#shared = attribute('t') === 'shared' ? (attribute('si') ?? '') : undefined;
    }
  }

  text(text: string): void {
    if (this.#into === 'value') this.#value += text;
    else if (this.#into === 'formula') this.#formula += text;
    else return;
    this.#characters += text.length;
    if (this.#characters > 2 * MAX_ROW_CHARACTERS) throw new RefusedRow(this.#line);
  }

  close(name: string): void {
    if (name === 'v' || name === 't' || name === 'f') this.#into = undefined;
    if (name === 'rPh') this.#phonetics -= 1;
    if (name === 'c') this.#closeCell();
    if (name === 'row') this.#closeRow();
  }

  #openRow(number: string | undefined): void {
    const line = number === undefined ? this.#line + 1 : Number(number);
    if (!(Number.isInteger(line) && line > this.#line && line <= MAX_ROWS))
      throw new DamagedArchive('rows are not in their order');
    this.#line = line;
    this.#fields = [];
    this.#problems = undefined;
    [this.#characters, this.#column] = [0, -1];
  }

  #openCell(attribute: Attributes): void {
    const reference = attribute('r');
    const column = reference === undefined ? this.#column + 1 : columnOf(reference);
    if (column <= this.#column) throw new DamagedArchive('cells are not in their order');
    this.#column = column;
    this.#type = attribute('t') ?? 'n';
    this.#format = Number(attribute('s') ?? 0);
    [this.#value, this.#formula, this.#hasFormula, this.#shared] = ['', '', false, undefined];
  }

  #closeCell(): void {
    this.#isExternal = this.#readFormula();
    const problem = this.#problem();
    const value = problem?.values.value ?? (problem ? '' : this.#cell());
    if (value === '' && problem === undefined) return;
    if (this.#column >= MAX_COLUMNS)
      throw new RefusedWorkbook(importProblem('too_many_columns', { maximum: MAX_COLUMNS }));
    if (typeof value === 'string') this.#countOfSheet(value.length);
    while (this.#fields.length < this.#column) this.#fields.push('');
    this.#fields.push(value);
    if (problem) (this.#problems ??= new Map()).set(this.#column, problem);
  }

  #countOfSheet(characters: number): void {
    this.#sheetCharacters += characters;
    if (this.#sheetCharacters <= this.#maxCharacters) return;
    const values = { bytes: this.#sheetCharacters, maximum: this.#maxCharacters };
    throw new RefusedWorkbook(importProblem('workbook_too_large', values));
  }

  #closeRow(): void {
    if (this.#fields.every((field) => field === '') && this.#problems === undefined) {
      this.#emptyCount += 1;
      if (this.#emptyCount > MAX_EMPTY_ROWS)
        throw new RefusedWorkbook(importProblem('too_many_empty_rows', { maximum: MAX_EMPTY_ROWS }));
      return;
    }
    const row = { fields: this.#fields, line: this.#line };
    this.#ready.push(this.#problems ? { ...row, problems: this.#problems } : row);
  }

  /** Whether the formula of the cell takes a value from another file. The others of a shared one have no text. */
  #readFormula(): boolean {
    if (!this.#hasFormula) return false;
    const shared = this.#shared;
    const isExternal = EXTERNAL.test(this.#formula) || (shared !== undefined && this.#externals.has(shared));
    if (isExternal && shared !== undefined && this.#externals.size < MAX_FORMULAS)
      this.#externals.add(shared);
    return isExternal;
  }

  /** Why the cell has no value of its own. */
  #problem(): ImportProblem | undefined {
    if (this.#type === 'e') return importProblem('error_cell', { value: this.#value });
    if (this.#hasFormula && this.#value === '' && this.#type !== 'str')
      return importProblem('formula_without_value');
    if (this.#isExternal) return importProblem('external_cell', { value: this.#value });
    if (this.#type === 'd') return importProblem('date_cell', { value: this.#value });
    const isNumber = this.#type === 'n' && this.#value !== '';
    if (!isNumber || this.#book.dates[this.#format] !== true) return undefined;
    return importProblem('date_cell', { value: dateOf(Number(this.#value), this.#book.is1904) });
  }

  #cell(): Cell {
    switch (this.#type) {
      case 'n':
        return numberOf(this.#value);
      case 's': {
        const text = this.#book.texts[Number(this.#value)];
        if (this.#value !== '' && text === undefined) throw new DamagedArchive('no such text');
        return this.#text(text ?? '');
      }
      case 'b':
        return this.#value === '1' ? 'TRUE' : 'FALSE';
      case 'str':
      case 'inlineStr':
        return this.#text(this.#value);
      default:
        throw new DamagedArchive('unknown type of a cell');
    }
  }

  #text(text: string): string {
    this.#characters += text.length;
    if (this.#characters > 2 * MAX_ROW_CHARACTERS) throw new RefusedRow(this.#line);
    return text.replace(ESCAPED, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  }
}

/** Refuses the whole sheet for the length of one row. */
export class RefusedRow extends Error {
  override name = 'RefusedRow';
  readonly line: number;
  readonly problem: ImportProblem = ROW_TOO_LONG;

  constructor(line: number) {
    super(ROW_TOO_LONG.message);
    this.line = line;
  }
}

/** From 0. */
function columnOf(reference: string): number {
  const letters = COLUMN.exec(reference)?.[1];
  if (letters === undefined) throw new DamagedArchive('no place of a cell');
  let column = 0;
  for (const letter of letters) column = column * LETTERS + letter.charCodeAt(0) - A;
  return column - 1;
}

/** A number; its text if it has more digits than a spreadsheet keeps, so that it is refused or read exactly. */
function numberOf(text: string): Cell {
  if (text === '') return '';
  const number = Number(text) + 0;
  if (!Number.isFinite(number)) throw new DamagedArchive('no number');
  if (Number.isSafeInteger(number)) return number;
  const isLong = INTEGER.test(text) || Math.abs(number) >= 10 ** MAX_DIGITS;
  return isLong ? text : number;
}

/** A date as ISO 8601 writes it; the number of one that there is not. */
function dateOf(days: number, is1904: boolean): string {
  if (!(days >= 0 && days < MAX_DAYS)) return String(days);
  const time = new Date((is1904 ? DAY_0_OF_1904 : DAY_0) + Math.round(days * DAY_MS)).toISOString();
  return days % 1 === 0 ? time.slice(0, 10) : time.slice(0, 19).replace('T', ' ');
}
