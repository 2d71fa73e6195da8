import { type CsvRecord, CsvRecords, csvField, UnreadableCsv } from './csv-records.ts';
import { type ChosenFile, type CsvHead, isBlank } from './file-head.ts';
import { isIdentity, type Mapping } from './pet-fields.ts';

/** So much text becomes a part of the file; the browser keeps parts outside of the page's memory. */
const PART_CHARACTERS = 1_048_576;

/** The file as the service reads it: the one of the person if its columns have the names of the fields. */
export async function fileToSend(
  { file, csv }: ChosenFile,
  mapping: Mapping,
  onRead: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  if (csv === undefined) return file;
  const isPlain = csv.separator === ',' && csv.encoding === 'utf-8';
  if (isPlain && isIdentity(csv.headers, mapping)) return file;
  const parts: Blob[] = [];
  let text = '';
  let readBytes = 0;
  const mapper = new CsvMapper(csv, mapping);
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
    if (done) return new Blob(parts, { type: 'text/csv' });
  }
}

/** Writes the mapped columns of a CSV file, each row on its line. */
export class CsvMapper {
  readonly #records: CsvRecords;
  readonly #columns: readonly number[];
  readonly #mapping: Mapping;
  #width: number | undefined;
  #line = 1;

  constructor({ separator }: Pick<CsvHead, 'separator'>, mapping: Mapping) {
    this.#records = new CsvRecords(separator);
    this.#mapping = mapping;
    this.#columns = mapping.flatMap((field, column) => (field === null ? [] : [column]));
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
    if (fields.length !== this.#width) throw new UnreadableCsv(this.#line, 'field-count');
    const values = this.#columns.map((column) => (isHeader ? this.#mapping[column] : fields[column]) ?? '');
    const row = values.map(csvField).join();
    // The lines of a field that is left out stay as blank lines, so that every row keeps its line.
    return row + '\n'.repeat(lines - row.split('\n').length + 1);
  }
}
