import { CsvTable } from '@petstore-inventory/shared/pet-file/csv-head';
import { isBlank, UnreadableCsv } from '@petstore-inventory/shared/pet-file/csv-records';
import { UnreadableText } from '@petstore-inventory/shared/pet-file/faults';
import {
  bestHeading,
  type ColumnMap,
  columnMap,
  MAX_ROWS_ABOVE,
  missingColumns,
  NO_COLUMNS,
} from '@petstore-inventory/shared/pet-file/headings';
import type { NamedMapping } from '@petstore-inventory/shared/pet-file/mapping';
import { type TableRecord, withoutEmptyEnd } from '@petstore-inventory/shared/pet-file/table';
import { isArchive, TextPieces } from '@petstore-inventory/shared/pet-file/text-pieces';
import { ENCODINGS, type Encoding } from '@petstore-inventory/shared/words';
import type { ImportFormat } from '../../../api/schemas.ts';
import { contentHash } from './content-hash.ts';
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
  /** Tells the file from another one of its name and size. */
  readonly content: string;
  readonly format: ImportFormat;
  /** The beginning of a table: of CSV or a sheet. */
  readonly csv: CsvHead | undefined;
  /** The encoding; `undefined` for ASCII so far. */
  readonly encoding: Encoding | undefined;
  /** What the person answered to a question about the file. */
  readonly answer: Answer;
  /** The remembered mapping whose columns it has. */
  readonly remembered?: NamedMapping | undefined;
}

/** A file whose headings depend on what columns are known. */
interface OpenedFile extends Omit<ChosenFile, 'csv' | 'remembered'> {
  readonly headBy: (map: ColumnMap) => CsvHead | undefined;
}

/** A file without a visible character. */
export class EmptyFile extends Error {
  override name = 'EmptyFile';
}

/**
 * Reads the beginning of a file, however large it is.
 * @param mappings Of these, the one with the most columns of the file is used. It also answers questions about the file.
 * @throws EmptyFile, Question, UnreadableFile, UnreadableCsv
 */
export async function readHead(
  file: File,
  answer: Answer = {},
  mappings: readonly NamedMapping[] = [],
): Promise<ChosenFile> {
  try {
    const { headBy, ...opened } = await openFile(file, answer);
    const fitting = mappings
      .filter((mapping) => fieldCount(mapping) > 0)
      .toSorted((a, b) => fieldCount(b) - fieldCount(a));
    for (const remembered of fitting) {
      const map = columnMap(remembered.columns);
      const csv = headBy(map);
      if (csv && missingColumns(csv.headers, map).length === 0) return { ...opened, csv, remembered };
    }
    return { ...opened, csv: headBy(NO_COLUMNS) };
  } catch (error) {
    if (!(error instanceof Question)) throw error;
    for (const mapping of mappings) {
      const known = error.answers.find(
        ({ sheet, encoding }) =>
          (sheet !== undefined && sheet === mapping.sheet) ||
          (encoding !== undefined && encoding === mapping.encoding),
      );
      const chosen = known && (await readHead(file, { ...answer, ...known }, [mapping]));
      if (chosen?.remembered) return chosen;
    }
    throw error;
  }
}

const fieldCount = ({ columns }: NamedMapping): number =>
  columns.filter(({ field }) => field !== null).length;

async function openFile(file: File, answer: Answer): Promise<OpenedFile> {
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
    content: await contentHash(file),
    format,
    headBy: (map) => (format === 'csv' ? csvHead(text, isWhole, map) : undefined),
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

async function readWorkbook(file: File, answer: Answer): Promise<OpenedFile> {
  const records: TableRecord[] = [];
  for await (const record of workbookRows(file, answer.sheet))
    if (records.push(record) > MAX_ROWS_ABOVE + SAMPLES) break;
  if (records.length === 0) throw new EmptyFile();
  return {
    file,
    content: await contentHash(file),
    format: 'xlsx',
    headBy: (map) => tableHead(records, map),
    encoding: undefined,
    answer,
  };
}

function formatOf(name: string, text: string): ImportFormat {
  const [, ending = ''] = /\.(\w+)$/.exec(name.toLowerCase()) ?? [];
  if (ending === 'csv' || ending === 'tsv') return 'csv';
  if (ending === 'ndjson' || ending === 'jsonl') return 'ndjson';
  const begin = text.trimStart().charAt(0);
  if (begin === '[' || (ending === 'json' && begin !== '{')) return 'json';
  return begin === '{' ? 'ndjson' : 'csv';
}

function csvHead(text: string, isWhole: boolean, map: ColumnMap): CsvHead {
  const records: TableRecord[] = [];
  new CsvTable(map).read(text, isWhole, (record) => {
    if (records.length <= MAX_ROWS_ABOVE + SAMPLES && !isBlank(record)) records.push(record);
  });
  if (records.length === 0 && !isWhole) throw new UnreadableCsv(1, 'row-too-long');
  return tableHead(records, map);
}

function tableHead(records: readonly TableRecord[], map: ColumnMap): CsvHead {
  const rows = records.map(({ fields }) => fields.map(String));
  const heading = bestHeading(rows.slice(0, MAX_ROWS_ABOVE + 1), map);
  return {
    headers: withoutEmptyEnd(rows[heading] ?? []),
    headingLine: records[heading]?.line ?? 1,
    samples: rows.slice(heading + 1, heading + 1 + SAMPLES),
  };
}
