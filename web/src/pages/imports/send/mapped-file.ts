import { type AmbiguousCount, parseCount } from '@petstore-inventory/shared/pet-file/counts';
import { CsvTable } from '@petstore-inventory/shared/pet-file/csv-head';
import { csvField, isBlank } from '@petstore-inventory/shared/pet-file/csv-records';
import type { FileFault } from '@petstore-inventory/shared/pet-file/faults';
import {
  columnMap,
  guessMapping,
  headingKey,
  isPrice,
  type MappedColumn,
  type Mapping,
  type PetField,
} from '@petstore-inventory/shared/pet-file/headings';
import type { NamedMapping } from '@petstore-inventory/shared/pet-file/mapping';
import { PetRows } from '@petstore-inventory/shared/pet-file/rows';
import { addRecord, type TableRecord } from '@petstore-inventory/shared/pet-file/table';
import { TextPieces } from '@petstore-inventory/shared/pet-file/text-pieces';
import { NUMBER_FIELDS } from '@petstore-inventory/shared/pet-file/values';
import type { Decimal } from '@petstore-inventory/shared/words';
import type { ImportFormat, ImportMode } from '../../../api/schemas.ts';
import type { ChosenFile } from './file-head.ts';
import { workbookRows } from './workbook-rows.ts';

/** Characters of a part of the file; the browser keeps parts outside of the page's memory. */
const PART_CHARACTERS = 1_048_576;

/** More rows than a person mends. They are counted, too. */
const MAX_BAD_ROWS = 100;
/** No row has more: two for a field at most. */
const MAX_FAULTS_OF_ROW = 16;

/** The values of a row, as the file or the person wrote them. */
export type RowValues = Readonly<Partial<Record<PetField, string>>>;

/** A row that the service would refuse. */
export interface BadRow {
  readonly line: number;
  readonly values: RowValues;
  /** The fields that are wrong; none if the row has another number of fields than the header. */
  readonly wrong: readonly PetField[];
  readonly faults: readonly FileFault[];
  /** Counts of the row with two readings, such as `1.200`. */
  readonly ambiguous: readonly AmbiguousCount[];
}

/** Rows that the person mended, by their lines. */
export type MendedRows = ReadonlyMap<number, RowValues>;

export interface FileChoice {
  readonly mapping: Mapping;
  readonly mode: ImportMode;
  readonly mended: MendedRows;
  /** What the person says about numbers with two readings. */
  readonly decimal?: Decimal | undefined;
  /** The remembered mapping that the service uses too. The file keeps its headings then. */
  readonly remembered?: NamedMapping | undefined;
}

/** A file as the service reads it, and the rows that it would refuse. */
interface MappedFile {
  readonly body: Blob;
  readonly format: ImportFormat;
  /** The first of the rows that it would refuse. */
  readonly bad: readonly BadRow[];
  readonly badCount: number;
  /** What the person or the other numbers of the file say about numbers with two readings. */
  readonly decimal?: Decimal | undefined;
}

/** Whether the columns are read as a mapping and known headings do it, so that the service can do it by the name. */
export function isMappedBy({ columns }: NamedMapping, headers: readonly string[], mapping: Mapping): boolean {
  const guess = guessMapping(headers, columnMap(columns));
  return mapping.every((field, column) => field === guess[column]);
}

/** What a mapping remembers of a file. Of two columns with one heading, that with a field counts. */
export function columnsOf(headers: readonly string[], mapping: Mapping): readonly MappedColumn[] {
  const columns = new Map<string, MappedColumn>();
  for (const [column, heading] of headers.entries()) {
    const [key, field] = [headingKey(heading), mapping[column] ?? null];
    if (!columns.has(key) || field !== null) columns.set(key, { heading: heading.trim(), field });
  }
  return [...columns.values()];
}

/** A field that two columns have. */
export function repeatedField(mapping: Mapping): PetField | undefined {
  return mapping.find(
    (field, column): field is PetField => field !== null && mapping.indexOf(field) !== column,
  );
}

/** The file as the service reads it: the one of the person if the service finds the same columns, and no row is mended. */
export async function fileToSend(
  chosen: ChosenFile,
  choice: FileChoice,
  onRead: (bytes: number) => void,
  signal: AbortSignal,
): Promise<MappedFile> {
  const { decimalOfFile, ...sent } = await readFile(chosen, choice, onRead, signal);
  if (decimalOfFile === undefined) return sent;
  return readFile(chosen, { ...choice, decimal: decimalOfFile }, onRead, signal);
}

async function readFile(
  chosen: ChosenFile,
  choice: FileChoice,
  onRead: (bytes: number) => void,
  signal: AbortSignal,
): Promise<MappedFile & { readonly decimalOfFile?: Decimal | undefined }> {
  const { file, format, csv, answer } = chosen;
  const { decimal } = choice;
  if (csv === undefined) return { body: file, format, bad: [], badCount: 0, decimal };
  const map = columnMap(choice.remembered?.columns);
  const guess = guessMapping(csv.headers, map);
  const isPlain = choice.mapping.every((field, column) => {
    const isKnown = field !== null || map.has(headingKey(csv.headers[column] ?? ''));
    return isKnown && field === guess[column];
  });
  const parts: Blob[] = [];
  let text = '';
  const mapper = new CsvMapper(choice, csv.headingLine);
  for await (const more of mappedTexts(chosen, mapper, onRead)) {
    signal.throwIfAborted();
    text += more;
    if (text.length < PART_CHARACTERS) continue;
    parts.push(new Blob([text]));
    text = '';
  }
  parts.push(new Blob([text]));
  const { bad, badCount, hasChanged, decimalOfFile } = mapper;
  const isSame = isPlain && !hasChanged && answer.encoding === undefined;
  const sent = isSame
    ? { body: file, format }
    : { body: new Blob(parts, { type: 'text/csv' }), format: 'csv' as const };
  return { ...sent, bad, badCount, decimal, decimalOfFile };
}

async function* mappedTexts(
  { file, format, answer }: ChosenFile,
  mapper: CsvMapper,
  onRead: (bytes: number) => void,
): AsyncGenerator<string> {
  if (format === 'xlsx') {
    for await (const row of workbookRows(file, answer.sheet)) yield mapper.add(row);
    return onRead(file.size);
  }
  const pieces = new TextPieces({ mayBeWindows: true, encoding: answer.encoding });
  const reader = file.stream().getReader();
  let readBytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    yield mapper.map(pieces.next(value ?? new Uint8Array(0), done), done);
    readBytes += value?.byteLength ?? 0;
    onRead(readBytes);
    if (done) return;
  }
}

/**
 * Writes the mapped columns of a file as CSV, each row on its line, with the values of the file. The service's own reader
 * checks the rows. The service will refuse the same ones, and give them back.
 */
export class CsvMapper {
  readonly bad: BadRow[] = [];
  /** Whether a row is mended. */
  hasChanged = false;
  readonly #table: CsvTable;
  readonly #keepsHeadings: boolean;
  readonly #rows: PetRows;
  readonly #mapping: Mapping;
  readonly #mended: MendedRows;
  readonly #columns: readonly number[];
  readonly #headingLine: number;
  /** Columns that are left out, whose numbers show how the file writes numbers. */
  #prices: readonly number[] = [];
  #hasHeader = false;
  /** Line feeds that are written. */
  #written = 0;

  /** @param headingLine The rows above it are left out. */
  constructor({ mapping, mode, mended, decimal, remembered }: FileChoice, headingLine = 1) {
    this.#table = new CsvTable(columnMap(remembered?.columns));
    this.#keepsHeadings = remembered !== undefined;
    this.#headingLine = headingLine;
    this.#rows = new PetRows({
      mode,
      decimal,
      maxFaults: MAX_BAD_ROWS * MAX_FAULTS_OF_ROW,
      onRow: () => undefined,
    });
    this.#mapping = mapping;
    this.#mended = mended;
    this.#columns = mapping.flatMap((field, column) => (field === null ? [] : [column]));
  }

  get badCount(): number {
    return this.#rows.wrongRowCount;
  }

  /** What the other numbers prove about those with two readings, so that the file must be read again. */
  get decimalOfFile(): Decimal | undefined {
    return this.#rows.decimalOfFile;
  }

  /** @throws UnreadableCsv */
  map(piece: string, isLast: boolean): string {
    let text = '';
    this.#table.read(piece, isLast, (record) => {
      text += this.add(record);
    });
    return text;
  }

  /** The text of a record; nothing for one that is blank or above the headings. */
  add(record: TableRecord): string {
    if (isBlank(record) || record.line < this.#headingLine) return '';
    const row = this.#hasHeader ? this.#row(record) : this.#header(record);
    this.#hasHeader = true;
    return this.#write(record.line, row.map((field) => csvField(String(field ?? ''))).join());
  }

  /** The row, after blank lines up to its own. */
  #write(line: number, row: string): string {
    const text = `${'\n'.repeat(line - 1 - this.#written)}${row}\n`;
    this.#written += text.split('\n').length - 1;
    return text;
  }

  #header({ fields }: TableRecord): readonly (string | number | null | undefined)[] {
    this.#prices = fields.flatMap((name, column) =>
      isPrice(String(name)) && (this.#mapping[column] ?? null) === null ? [column] : [],
    );
    return this.#columns.map((column) => (this.#keepsHeadings ? fields[column] : this.#mapping[column]));
  }

  /** The values in the order of the columns. */
  #row(record: TableRecord): readonly (string | number | undefined)[] {
    const { fields, line } = record;
    const mended = this.#mended.get(line);
    this.hasChanged ||= mended !== undefined;
    for (const column of this.#prices) this.#rows.noteNumber(fields[column]);
    const given = mended ? this.#mapping.map((field) => (field && mended[field]) ?? '') : fields;
    const { faults, wrongRowCount } = this.#rows;
    const faultCount = faults.length;
    addRecord(mended ? { fields: given, line } : record, this.#mapping, this.#rows);
    const values = this.#columns.map((column) => given[column]);
    if (this.#rows.wrongRowCount === wrongRowCount) return values;
    const own = faults.slice(faultCount);
    if (this.bad.length < MAX_BAD_ROWS) {
      this.bad.push(this.#badRow(line, given, own));
    }
    // The mapped columns alone could be right: of a cell of a workbook, of a row with too many fields, without the prices.
    const isText = mended !== undefined || record.lines !== undefined;
    const isAmbiguous = own.some(({ code }) => code === 'ambiguous_number');
    const isWrongToo = isText && !isAmbiguous && given.length === this.#mapping.length;
    return isWrongToo ? values : [...values, given.join('; ')];
  }

  #badRow(line: number, fields: TableRecord['fields'], faults: readonly FileFault[]): BadRow {
    const wrong = new Set(faults.map(({ field }) => field));
    const values: RowValues = Object.fromEntries(
      this.#columns.map((column) => [this.#mapping[column], String(fields[column] ?? '')]),
    );
    const ambiguous = NUMBER_FIELDS.flatMap((field) => {
      const count = wrong.has(field) ? parseCount(values[field] ?? '') : undefined;
      return typeof count === 'object' ? [count] : [];
    });
    const isWrong = (field: PetField | null): field is PetField => field !== null && wrong.has(field);
    return { line, values, wrong: this.#mapping.filter(isWrong), faults, ambiguous };
  }
}
