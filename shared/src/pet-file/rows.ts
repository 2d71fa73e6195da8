import { MAX_QUANTITY } from '../limits.ts';
import type { Decimal, ImportMode } from '../words.ts';
import { provenDecimal } from './counts.ts';
import { type FileFault, UnreadableFile, wrongSumProblem } from './faults.ts';
import {
  type ColumnMap,
  columnMap,
  headingKey,
  type Mapping,
  type PetField,
  PROBLEM_COLUMN,
} from './headings.ts';
import { type ImportProblem, importProblem } from './import-problems.ts';
import type { FileRow, PetRow } from './pet-row.ts';
import type { Reading } from './reading.ts';
import {
  type Complain,
  isNamedByCode,
  readCodes,
  readPetId,
  readQuantity,
  readStatus,
  readSupplier,
  readText,
  readThresholds,
  type UncheckedPet,
} from './values.ts';

const MAX_ROW_SHOWN = 300;
/** Problems shown of one row, which may have thousands of members. */
const MAX_PROBLEMS_SHOWN = 10;
/** Characters of all problems in a file besides the first one of each row: ten problems are twenty times as long as a short row. */
const MAX_FURTHER_CHARACTERS = 50_000_000;

/** The fields of a row, or its source in JSON. */
export type RowContent = string | readonly (string | number)[];

/** Where a row begins. */
export interface RowPlace {
  readonly line: number;
  readonly element: number | null;
}

export interface RowOptions extends Pick<Reading, 'decimal' | 'ignored' | 'columns' | 'mapping'> {
  /** How many faults are kept; the others are counted. */
  readonly maxFaults: number;
  readonly maxQuantity?: number;
  /** Rows of the file, with and without faults; by default any number. */
  readonly maxRows?: number;
  /** For tests: characters of problems besides the first one of each row. */
  readonly maxFurtherCharacters?: number;
  /** Quantities to add may be negative; `set` by default. */
  readonly mode?: ImportMode | undefined;
  /** Called for each row without a fault, in the order of the file. */
  readonly onRow: (row: FileRow, place: RowPlace, content: RowContent) => void;
  /** Called for each row with a fault, with its faults as a text. */
  readonly onWrong?: (content: RowContent, problem: string) => void;
  /** The line of each petId so far, if repeated ones are faults here. It takes about 100 bytes per row. */
  readonly lines?: Map<bigint, number>;
}

/** Checks the rows of one file of pets, one after the other, and collects what is wrong with them. */
export class PetRows {
  readonly faults: FileFault[] = [];
  faultCount = 0;
  wrongRowCount = 0;
  /** Whether its quantities are added, and may be negative. */
  readonly adds: boolean;
  /** Rows so far, with and without faults. */
  rowCount = 0;
  /** The given mark of decimals. */
  readonly decimal: Decimal | undefined;
  /** Between the fields of a row in a fault. */
  separator = ',';
  /** The headings of the columns; none in JSON. */
  headings: readonly string[] = [];
  headingLine: number | null = null;
  /** Columns that an import never reads. */
  leftOut: readonly string[] = [];
  /** What the columns are; none in JSON. */
  columns: Mapping = [];
  /** The mapped columns, and the name of their mapping. */
  readonly map: ColumnMap;
  readonly mapping: string | undefined;
  readonly #options: RowOptions;
  readonly #maxQuantity: number;
  #place: RowPlace = { line: 0, element: null };
  #content: RowContent = '';
  #isWrong = false;
  /** What is wrong with the row, and what is only counted. */
  #problems: string[] = [];
  #moreProblems = 0;
  #furtherCharacters = 0;
  readonly #proven = new Set<Decimal>();
  #isAmbiguous = false;

  constructor(options: RowOptions) {
    this.#options = options;
    this.#maxQuantity = options.maxQuantity ?? MAX_QUANTITY;
    this.adds = options.mode === 'add';
    this.decimal = options.decimal;
    this.map = columnMap(options.columns);
    this.mapping = options.mapping;
  }

  /** What the other numbers of the file prove about its numbers with two readings, so that it must be read again. */
  get decimalOfFile(): Decimal | undefined {
    if (!this.#isAmbiguous || this.#proven.size !== 1) return undefined;
    const [decimal] = this.#proven;
    return decimal;
  }

  /** Notes what the text of a number proves, also in a column that is not kept. */
  noteNumber(text: string | number | undefined): void {
    // A number of a workbook has no mark.
    const decimal = typeof text === 'string' ? provenDecimal(text) : undefined;
    if (decimal !== undefined) this.#proven.add(decimal);
  }

  /** Whether a column or member of this name is left out. */
  ignores(name: string): boolean {
    const trimmed = name.trim();
    const isLeftOut = trimmed === PROBLEM_COLUMN || this.leftOut.includes(trimmed);
    if (isLeftOut || this.#options.ignored?.includes(trimmed)) return true;
    return this.map.size > 0 && this.map.get(headingKey(name))?.field === null;
  }

  /** Refuses the whole file for what is wrong on one line of it. */
  stop(line: number | null, problem: ImportProblem): never {
    throw new UnreadableFile(line, problem);
  }

  /** Begins a row. `element` counts from 1 in a JSON array, of which one line may hold many. @param content Its fields or source. */
  startRow(line: number, element: number | null, content: RowContent): void {
    this.endRow();
    this.#content = content;
    this.#place = { line, element };
    this.#isWrong = false;
    this.rowCount += 1;
    const { maxRows: maximum = Number.POSITIVE_INFINITY } = this.#options;
    if (this.rowCount > maximum) this.stop(line, importProblem('too_many_pets', { maximum }));
  }

  /** Ends the row that was begun. */
  endRow(): void {
    if (this.#problems.length === 0) return;
    const rest = this.#moreProblems === 0 ? [] : [`There are ${this.#moreProblems} more errors.`];
    this.#options.onWrong?.(this.#content, [...this.#problems, ...rest].join(' '));
    this.#problems = [];
    this.#moreProblems = 0;
  }

  /** Notes what is wrong with the row that was begun; on another line than its first if it spans several. */
  fault(field: string | null, problem: ImportProblem, line = this.#place.line): void {
    if (!this.#isWrong) this.wrongRowCount += 1;
    this.#isWrong = true;
    this.#isAmbiguous ||= problem.code === 'ambiguous_number';
    if (this.#options.onWrong) this.#addProblem(sentenceOf(field, problem));
    this.#note({ line, element: this.#place.element, field, ...problem, row: this.#row(this.#content) });
  }

  #addProblem(sentence: string): void {
    if (this.#problems.length > 0) {
      const { maxFurtherCharacters: maximum = MAX_FURTHER_CHARACTERS } = this.#options;
      const hasRoom = this.#problems.length < MAX_PROBLEMS_SHOWN && this.#furtherCharacters < maximum;
      if (!hasRoom) return void (this.#moreProblems += 1);
      this.#furtherCharacters += sentence.length;
    }
    this.#problems.push(sentence);
  }

  /** Notes that a petId of a good row is on an earlier line too. */
  repeated(petId: bigint, place: RowPlace, earlierLine: number, content?: RowContent): void {
    this.lateFault('petId', repetition(petId, earlierLine), place, content);
  }

  /** Notes that the quantity of a good row cannot be added to what its pet has. */
  wrongSum({ petId, quantity }: PetRow, place: RowPlace, found: number, content?: RowContent): void {
    const problem = wrongSumProblem({ petId, found, added: quantity }, this.#maxQuantity);
    this.lateFault('quantity', problem, place, content);
  }

  /** Notes a fault of a row that was good so far. */
  lateFault(
    field: PetField,
    problem: ImportProblem,
    { line, element }: RowPlace,
    content: RowContent | undefined,
  ): void {
    this.wrongRowCount += 1;
    if (content !== undefined) this.#options.onWrong?.(content, sentenceOf(field, problem));
    const row = content === undefined ? null : this.#row(content);
    this.#note({ line, element, field, ...problem, row });
  }

  /**
   * Checks the row that was begun.
   * @param isFaulty Whether a field has a fault already.
   */
  add(
    pet: UncheckedPet,
    lineOf = (_field: PetField) => this.#place.line,
    isFaulty = (_field: PetField) => false,
  ): void {
    const complain: Complain = (field, problem) => {
      if (!isFaulty(field)) this.fault(field, problem, lineOf(field));
    };
    const isByCode = isNamedByCode(pet);
    const petId = isByCode ? undefined : readPetId(pet.petId, complain);
    const codes = readCodes(pet, complain);
    const name = readText('name', pet.name, complain);
    const category = readText('category', pet.category, complain);
    const quantity = readQuantity(pet.quantity, this.adds ? -MAX_QUANTITY : 0, complain);
    const status = readStatus(pet.status, complain);
    const thresholds = readThresholds(pet, complain);
    const supplier = readSupplier(pet, complain);
    if (quantity !== undefined && quantity > this.#maxQuantity && !this.adds) {
      complain('quantity', importProblem('quantity_too_large', { quantity, maximum: this.#maxQuantity }));
    }
    if (petId !== undefined) this.#findRepetition(petId, complain);
    if (this.#isWrong || (petId === undefined && !isByCode) || quantity === undefined) return;
    const row = {
      petId,
      name,
      category,
      quantity,
      status,
      ...(thresholds && { thresholds }),
      ...(codes && { codes }),
      ...(supplier !== undefined && { supplier }),
    };
    this.#options.onRow(row, this.#place, this.#content);
  }

  #findRepetition(petId: bigint, complain: Complain): void {
    const { lines } = this.#options;
    const earlierLine = lines?.get(petId);
    if (earlierLine === undefined) lines?.set(petId, this.#place.line);
    else complain('petId', repetition(petId, earlierLine));
  }

  /** The row of a fault, unless that is only counted. */
  #row(content: RowContent): string | null {
    if (this.faults.length >= this.#options.maxFaults) return null;
    const row = typeof content === 'string' ? content : content.join(this.separator);
    return row.length > MAX_ROW_SHOWN ? `${row.slice(0, MAX_ROW_SHOWN).toWellFormed()}…` : row;
  }

  #note(fault: FileFault): void {
    this.faultCount += 1;
    if (this.faults.length < this.#options.maxFaults) this.faults.push(fault);
  }
}

function repetition(petId: bigint, earlierLine: number): ImportProblem {
  return importProblem('repeated_pet', { petId, earlierLine });
}

function sentenceOf(field: string | null, { message }: ImportProblem): string {
  return field === null ? message : `${field}: ${message}`;
}
