import { CsvTable } from '@petstore-inventory/shared/pet-file/csv-head';
import { isBlank, UnreadableCsv } from '@petstore-inventory/shared/pet-file/csv-records';
import { UnreadableText } from '@petstore-inventory/shared/pet-file/faults';
import { bestHeading, MAX_ROWS_ABOVE } from '@petstore-inventory/shared/pet-file/headings';
import { type TableRecord, withoutEmptyEnd } from '@petstore-inventory/shared/pet-file/table';
import { isArchive, TextPieces } from '@petstore-inventory/shared/pet-file/text-pieces';
import { ENCODINGS, type Encoding } from '@petstore-inventory/shared/words';
import type { ImportFormat } from '../../../api/schemas.ts';
import { type Answer, Question } from './question.ts';
import { workbookRows } from './workbook-rows.ts';

const HEAD_BYTES = 65_536;
const SAMPLES = 3;

export interface CsvHead {
  readonly headers: readonly string[];
  /** The line of the headings, below rows with a title and the like. */
  readonly headingLine: number;
  /** The first rows below the header. */
  readonly samples: readonly (readonly string[])[];
}

/** A file that a person chose, and what its beginning has. */
export interface ChosenFile {
  readonly file: File;
  readonly format: ImportFormat;
  /** The beginning of a table: of CSV or a sheet. */
  readonly csv: CsvHead | undefined;
  /** The encoding; `undefined` for ASCII so far. */
  readonly encoding: Encoding | undefined;
  /** What the person answered to a question about the file. */
  readonly answer: Answer;
}

/** A file without a visible character. */
export class EmptyFile extends Error {
  override name = 'EmptyFile';
}

/**
 * Reads the beginning of a file, however large it is.
 * @throws EmptyFile, Question, UnreadableFile, UnreadableCsv
 */
export async function readHead(file: File, answer: Answer = {}): Promise<ChosenFile> {
  const { encoding } = answer;
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  if (isArchive(bytes)) return readWorkbook(file, answer);
  const isWhole = file.size <= HEAD_BYTES;
  const pieces = new TextPieces({ mayBeWindows: true, encoding });
  const text = textOf(() => pieces.next(bytes, isWhole));
  if (pieces.isBlank) throw new EmptyFile();
  const format = formatOf(file.name, text);
  return {
    file,
    format,
    csv: format === 'csv' ? csvHead(text, isWhole) : undefined,
    encoding: pieces.encoding,
    answer,
  };
}

function textOf(read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnreadableText) || error.fault.code !== 'uncertain_encoding') throw error;
    throw new Question(
      error,
      ENCODINGS.filter((encoding) => encoding !== 'utf-8').map((encoding) => ({ encoding })),
    );
  }
}

async function readWorkbook(file: File, answer: Answer): Promise<ChosenFile> {
  const records: TableRecord[] = [];
  for await (const record of workbookRows(file, answer.sheet))
    if (records.push(record) > MAX_ROWS_ABOVE + SAMPLES) break;
  if (records.length === 0) throw new EmptyFile();
  return { file, format: 'xlsx', csv: tableHead(records), encoding: undefined, answer };
}

function formatOf(name: string, text: string): ImportFormat {
  const [, ending = ''] = /\.(\w+)$/.exec(name.toLowerCase()) ?? [];
  if (ending === 'csv' || ending === 'tsv') return 'csv';
  if (ending === 'ndjson' || ending === 'jsonl') return 'ndjson';
  const begin = text.trimStart().charAt(0);
  if (begin === '[' || (ending === 'json' && begin !== '{')) return 'json';
  return begin === '{' ? 'ndjson' : 'csv';
}

function csvHead(text: string, isWhole: boolean): CsvHead {
  const records: TableRecord[] = [];
  new CsvTable().read(text, isWhole, (record) => {
    if (records.length <= MAX_ROWS_ABOVE + SAMPLES && !isBlank(record)) records.push(record);
  });
  if (records.length === 0 && !isWhole) throw new UnreadableCsv(1, 'row-too-long');
  return tableHead(records);
}

function tableHead(records: readonly TableRecord[]): CsvHead {
  const rows = records.map(({ fields }) => fields.map(String));
  const heading = bestHeading(rows.slice(0, MAX_ROWS_ABOVE + 1));
  return {
    headers: withoutEmptyEnd(rows[heading] ?? []),
    headingLine: records[heading]?.line ?? 1,
    samples: rows.slice(heading + 1, heading + 1 + SAMPLES),
  };
}
