import { type BadRow, checkedRow, type RowValues } from './cell-values.ts';
import { type CsvRecord, CsvRecords, csvField, type Separator } from './csv-records.ts';
import { type ChosenFile, type CsvHead, isBlank } from './file-head.ts';
import { isIdentity, type Mapping, type PetField } from './pet-fields.ts';

/** So much text becomes a part of the file; the browser keeps parts outside of the page's memory. */
const PART_CHARACTERS = 1_048_576;

/** More rows than a person mends. They are counted, too. */
const MAX_BAD_ROWS = 100;

/** A file as the service reads it, without the rows that it would refuse. */
export interface MappedFile {
  readonly body: Blob;
  /** The first of the rows that are left out. */
  readonly bad: readonly BadRow[];
  readonly badCount: number;
}

/** Rows that the person mended, by their lines. */
export type MendedRows = ReadonlyMap<number, RowValues>;

/** The file as the service reads it: the one of the person if that is the same. */
export async function fileToSend(
  { file, csv }: ChosenFile,
  mapping: Mapping,
  onRead: (bytes: number) => void,
  signal: AbortSignal,
  mended: MendedRows = new Map(),
): Promise<MappedFile> {
  if (csv === undefined) return { body: file, bad: [], badCount: 0 };
  const isPlain = csv.separator === ',' && csv.encoding === 'utf-8' && isIdentity(csv.headers, mapping);
  const parts: Blob[] = [];
  let text = '';
  let readBytes = 0;
  const mapper = new CsvMapper(csv, mapping, mended);
  const decoder = new TextDecoder(csv.encoding);
  const reader = file.stream().getReader();
  for (;;) {
    signal.throwIfAborted();
    const { done, value } = await reader.read();
    text += mapper.map(done ? decoder.decode() : decoder.decode(value, { stream: true }), done);
    readBytes += value?.byteLength ?? 0;
    onRead(readBytes);
    if (text.length >= PART_CHARACTERS || done) {
      parts.push(new Blob([text]));
      text = '';
    }
    if (!done) continue;
    const { bad, badCount, hasChanged } = mapper;
    const body = isPlain && !hasChanged ? file : new Blob(parts, { type: 'text/csv' });
    return { body, bad, badCount };
  }
}

/** Writes the mapped columns of a CSV file, each row on its line. A row that is left out is a blank line. */
export class CsvMapper {
  readonly #records: CsvRecords;
  readonly #separator: Separator;
  readonly #columns: readonly number[];
  readonly #mapping: Mapping;
  readonly #mended: MendedRows;
  readonly #bad: BadRow[] = [];
  #badCount = 0;
  #hasChanged = false;
  #width: number | undefined;
  #line = 1;

  constructor({ separator }: Pick<CsvHead, 'separator'>, mapping: Mapping, mended: MendedRows = new Map()) {
    this.#records = new CsvRecords(separator);
    this.#separator = separator;
    this.#mapping = mapping;
    this.#mended = mended;
    this.#columns = mapping.flatMap((field, column) => (field === null ? [] : [column]));
  }

  get bad(): readonly BadRow[] {
    return this.#bad;
  }

  get badCount(): number {
    return this.#badCount;
  }

  /** Whether the values of a row are others than those of the file. */
  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  /** @throws UnreadableCsv */
  map(piece: string, isLast: boolean): string {
    let text = '';
    for (const record of this.#records.read(piece, isLast)) {
      text += isBlank(record) ? '\n' : this.#write(record);
      this.#line += record.lines;
    }
    return text;
  }

  #write({ fields, lines }: CsvRecord): string {
    const isHeader = this.#width === undefined;
    this.#width ??= fields.length;
    const values = isHeader
      ? this.#columns.map((column) => this.#mapping[column] as string)
      : this.#values(fields);
    const row = values?.map(csvField).join() ?? '';
    // The lines of a field that is left out stay as blank lines, so that every row keeps its line.
    return row + '\n'.repeat(lines - row.split('\n').length + 1);
  }

  /** The values of a row in the order of the columns; `undefined` if it is left out. */
  #values(fields: readonly string[]): readonly string[] | undefined {
    const ofFile: RowValues = Object.fromEntries(
      this.#columns.map((column) => [this.#mapping[column], fields[column] ?? '']),
    );
    const mended = this.#mended.get(this.#line);
    const { values, wrong } = checkedRow(mended ?? ofFile, this.#separator);
    // Trailing separators of a spreadsheet are no fields.
    const isWhole =
      fields.length === this.#width ||
      (fields.length > (this.#width ?? 0) && fields.slice(this.#width).every((field) => field.trim() === ''));
    if ((isWhole || mended) && wrong.length === 0) {
      const sent = this.#columns.map((column) => values[this.#mapping[column] as PetField] ?? '');
      this.#hasChanged ||=
        fields.length !== this.#width ||
        sent.some((value, i) => value !== fields[this.#columns[i] as number]);
      return sent;
    }
    this.#hasChanged = true;
    this.#badCount += 1;
    if (this.#bad.length < MAX_BAD_ROWS)
      this.#bad.push({ line: this.#line, values: mended ?? ofFile, wrong });
    return undefined;
  }
}
