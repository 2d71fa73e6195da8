import { parseCount } from './counts.ts';
import { fromFormulaFree, isBlank } from './csv-records.ts';
import {
  bestHeading,
  derivedColumns,
  EXAMPLES,
  fieldOf,
  guessMapping,
  isHeading,
  isPrice,
  type Mapping,
  MAX_ROWS_ABOVE,
  headingKey,
  missingColumns,
  missingFields,
  PET_FIELDS,
  type PetField,
} from './headings.ts';
import { type ImportProblem, importProblem } from './import-problems.ts';
import type { PetRows } from './rows.ts';
import { NUMBER_FIELDS, shown, type UncheckedPet } from './values.ts';

const MAX_UNKNOWN_SHOWN = 10;

export interface TableRecord {
  readonly fields: readonly (string | number)[];
  readonly line: number;
  /** Lines that it takes, if its fields may have line feeds. */
  readonly lines?: number;
  /** Fields that have no value of their own, by their column. Their row may be shorter than the header. */
  readonly problems?: ReadonlyMap<number, ImportProblem> | undefined;
}

/** Finds the headings of a table, which may be below rows with a title, and reads the rows below them. */
export class PetTable {
  readonly #rows: PetRows;
  #columns: Mapping | undefined;
  /** Columns that are not kept, whose numbers show how the file writes numbers. */
  #prices: readonly number[] = [];
  /** Records without the needed headings, so far. */
  #above: TableRecord[] = [];

  constructor(rows: PetRows) {
    this.#rows = rows;
  }

  add(record: TableRecord): void {
    if (isBlank(record)) return;
    if (this.#columns) {
      for (const column of this.#prices) this.#rows.noteNumber(record.fields[column]);
      addRecord(record, this.#columns, this.#rows);
    } else if (isHeading(kept(record, this.#rows), this.#rows.map)) this.#readHeading(record);
    else if (this.#above.push(record) > MAX_ROWS_ABOVE) this.end();
  }

  /** Refuses a table without the needed headings. */
  end(): void {
    const record =
      this.#above[
        bestHeading(
          this.#above.map((record) => kept(record, this.#rows)),
          this.#rows.map,
        )
      ];
    if (this.#columns === undefined && record !== undefined) this.#readHeading(record);
  }

  #readHeading({ fields, line }: TableRecord): void {
    const headings = fields.map(String);
    this.#rows.headings = withoutEmptyEnd(headings);
    this.#rows.headingLine = line;
    this.#rows.leftOut = derivedColumns(headings.map((name) => name.trim()));
    this.#columns = readHeader(headings, line, this.#rows);
    this.#rows.columns = this.#columns;
    this.#prices = headings.flatMap((name, column) =>
      isPrice(name) && (this.#columns?.[column] ?? null) === null ? [column] : [],
    );
    this.#above = [];
  }
}

/** Checks a record below the header. @param columns What each column is. */
export function addRecord(record: TableRecord, columns: Mapping, rows: PetRows): void {
  const { line, lines = 1, problems } = record;
  rows.startRow(line, null, record.fields);
  const missing = record.lines === undefined ? columns.length - record.fields.length : 0;
  const fields = missing > 0 ? [...record.fields, ...Array<string>(missing).fill('')] : record.fields;
  const unexpected = fields.findIndex((field, column) => column >= columns.length && field !== '');
  if (fields.length < columns.length || unexpected !== -1) {
    const counts = { expected: columns.length, found: fields.length };
    rows.fault(null, importProblem('wrong_field_count', counts));
    return;
  }
  for (const [column, problem] of problems ?? []) if (columns[column]) rows.fault(columns[column], problem);
  const lineOf = (field: PetField) =>
    lines === 1 ? line : line + lineFeeds(fields.slice(0, columns.indexOf(field)));
  rows.add(petOf(fields, columns, rows), lineOf, (field) => problems?.has(columns.indexOf(field)) ?? false);
}

/** The headings without those that are left out. */
function kept({ fields }: Pick<TableRecord, 'fields'>, rows: PetRows): readonly string[] {
  return fields.map(String).map((name) => (rows.ignores(name) ? '' : name));
}

/** The fields of the columns; `null` where a column is left out. */
function readHeader(headings: readonly string[], line: number, rows: PetRows): Mapping {
  const names = withoutEmptyEnd(headings);
  requireMappedColumns(names, line, rows);
  const columns = guessMapping(kept({ fields: names }, rows), rows.map);
  const known = (name: string) => rows.map.get(headingKey(name))?.field ?? fieldOf(name);
  const repeated = names.find((name, index) => columns[index] === null && !rows.ignores(name) && known(name));
  if (repeated !== undefined) {
    const field = known(repeated) as PetField;
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
  for (const field of missingFields(columns)) {
    rows.stop(line, importProblem('missing_column', { field, known: EXAMPLES[field] }));
  }
  return columns;
}

function requireMappedColumns(names: readonly string[], line: number, rows: PetRows): void {
  const missing = missingColumns(names, rows.map).map(({ heading }) => heading);
  if (missing.length === 0) return;
  const first = missing.slice(0, MAX_UNKNOWN_SHOWN).map(shown);
  const more = missing.length - first.length;
  const { mapping } = rows;
  const values = { columns: first.join(', '), more };
  rows.stop(
    line,
    mapping === undefined
      ? importProblem('named_column_missing', values)
      : importProblem('mapped_column_missing', { ...values, mapping: shown(mapping) }),
  );
}

/** Spreadsheets write columns that were used once. A value in one is refused in its row. */
export function withoutEmptyEnd(headings: readonly string[]): readonly string[] {
  return headings.slice(0, headings.findLastIndex((heading) => heading.trim() !== '') + 1);
}

function petOf(fields: TableRecord['fields'], columns: Mapping, rows: PetRows): UncheckedPet {
  const pet: Partial<Record<PetField, unknown>> = {};
  for (let index = 0; index < columns.length; index += 1) {
    const field = columns[index];
    if (field) pet[field] = fields[index];
  }
  for (const field of ['sku', 'barcodes', 'name', 'category', 'supplier'] as const) {
    const text = pet[field];
    if (text !== undefined) pet[field] = fromFormulaFree(String(text));
  }
  for (const field of NUMBER_FIELDS) {
    const text = pet[field];
    if (typeof text !== 'string' || text === '') continue;
    rows.noteNumber(text);
    const isUnsigned = !rows.adds || field !== 'quantity';
    if (isUnsigned && text.includes('-')) continue;
    pet[field] = parseCount(text, rows.decimal) ?? text;
  }
  return pet;
}

function lineFeeds(texts: TableRecord['fields']): number {
  return texts.join('').split('\n').length - 1;
}
