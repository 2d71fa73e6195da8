import { parseCount } from './counts.ts';
import { CsvTable } from './csv-head.ts';
import { type CsvFault, type CsvRecord, fromFormulaFree, isBlank, UnreadableCsv } from './csv-records.ts';
import { ROW_TOO_LONG } from './faults.ts';
import { fieldOf, guessMapping, type Mapping, PET_FIELDS, type PetField } from './headings.ts';
import { type ImportProblem, importProblem } from './import-problems.ts';
import type { PetRows } from './rows.ts';
import { NUMBER_FIELDS, shown, type UncheckedPet } from './values.ts';

const MAX_UNKNOWN_SHOWN = 10;

const FAULTS: Readonly<Record<CsvFault, ImportProblem>> = {
  'quote-open': importProblem('quote_not_closed'),
  'quote-followed': importProblem('text_after_quote'),
  'quote-within': importProblem('quote_inside_field'),
  'row-too-long': ROW_TOO_LONG,
};

/** Reads CSV with a header: finds the separator and the columns, then the rows. */
export class CsvReader {
  readonly #rows: PetRows;
  readonly #table = new CsvTable();
  #columns: Mapping | undefined;

  constructor(rows: PetRows) {
    this.#rows = rows;
  }

  read(piece: string, isLast: boolean): void {
    try {
      this.#table.read(piece, isLast, (record) => this.#readRecord(record));
    } catch (error) {
      if (!(error instanceof UnreadableCsv)) throw error;
      this.#rows.stop(error.line, FAULTS[error.fault]);
    }
  }

  #readRecord(record: CsvRecord): void {
    if (isBlank(record)) return;
    this.#rows.separator = this.#table.separator;
    if (this.#columns === undefined) this.#columns = readHeader(record.fields, record.line, this.#rows);
    else addRecord(record, this.#columns, this.#rows);
  }
}

/** Checks a record below the header. @param columns What each column is. */
export function addRecord({ fields, line }: Omit<CsvRecord, 'lines'>, columns: Mapping, rows: PetRows): void {
  rows.startRow(line, null, fields);
  const unexpected = fields.findIndex((field, column) => column >= columns.length && field !== '');
  if (fields.length < columns.length || unexpected !== -1) {
    const counts = { expected: columns.length, found: fields.length };
    rows.fault(null, importProblem('wrong_field_count', counts));
    return;
  }
  const lineOf = (field: PetField) => line + lineFeeds(...fields.slice(0, columns.indexOf(field)));
  rows.add(petOf(fields, columns, rows.adds), lineOf);
}

/** The fields of the columns; `null` where a column is left out. */
function readHeader(headings: readonly string[], line: number, rows: PetRows): Mapping {
  const names = withoutEmptyEnd(headings);
  const columns = guessMapping(names.map((name) => (rows.ignores(name) ? '' : name)));
  const repeated = names.find(
    (name, index) => columns[index] === null && !rows.ignores(name) && fieldOf(name),
  );
  if (repeated !== undefined) {
    const field = fieldOf(repeated) as PetField;
    const other = names[columns.indexOf(field)];
    const both = { field, first: shown(other), second: shown(repeated) };
    rows.stop(line, importProblem('repeated_column', both));
  }
  const unknown = names.filter((name, index) => columns[index] === null && !rows.ignores(name));
  if (unknown.length > 0) {
    const first = unknown.slice(0, MAX_UNKNOWN_SHOWN).map(shown);
    const more = unknown.length - first.length;
    const values = { columns: first.join(', '), more, allowed: PET_FIELDS.join(', ') };
    rows.stop(line, importProblem('unknown_column', values));
  }
  for (const name of ['petId', 'quantity'] as const) {
    if (!columns.includes(name)) rows.stop(line, importProblem('missing_column', { field: name }));
  }
  return columns;
}

/** Spreadsheets write columns that were used once. A value in one is refused in its row. */
export function withoutEmptyEnd(headings: readonly string[]): readonly string[] {
  return headings.slice(0, headings.findLastIndex((heading) => heading.trim() !== '') + 1);
}

/** @param isSigned Whether a quantity may be negative. */
function petOf(fields: readonly string[], columns: Mapping, isSigned: boolean): UncheckedPet {
  const pet: Partial<Record<PetField, unknown>> = {};
  for (let index = 0; index < columns.length; index += 1) {
    const field = columns[index];
    if (field) pet[field] = fields[index];
  }
  for (const field of ['name', 'category'] as const) {
    const text = pet[field];
    if (typeof text === 'string') pet[field] = fromFormulaFree(text);
  }
  for (const field of NUMBER_FIELDS) {
    const text = pet[field];
    if (typeof text !== 'string' || text === '') continue;
    const isUnsigned = !isSigned || field !== 'quantity';
    if (isUnsigned && text.includes('-')) continue;
    pet[field] = parseCount(text) ?? text;
  }
  return pet;
}

function lineFeeds(...texts: string[]): number {
  return texts.join('').split('\n').length - 1;
}
