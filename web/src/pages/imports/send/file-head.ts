import { CsvTable } from '@petstore-inventory/shared/pet-file/csv-head';
import { type CsvRecord, isBlank, UnreadableCsv } from '@petstore-inventory/shared/pet-file/csv-records';
import { UnreadableText } from '@petstore-inventory/shared/pet-file/faults';
import { bestHeading, MAX_ROWS_ABOVE } from '@petstore-inventory/shared/pet-file/headings';
import { withoutEmptyEnd } from '@petstore-inventory/shared/pet-file/table';
import { TextPieces } from '@petstore-inventory/shared/pet-file/text-pieces';
import type { Encoding } from '@petstore-inventory/shared/words';
import type { ImportFormat } from '../../../api/schemas.ts';

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
  readonly csv: CsvHead | undefined;
  /** The encoding; `undefined` for ASCII so far. */
  readonly encoding: Encoding | undefined;
  /** Whether the person gave the encoding, because the file is hardly one of the known ones. */
  readonly isGivenEncoding: boolean;
}

/** A file without a visible character. */
export class EmptyFile extends Error {
  override name = 'EmptyFile';
}

/** A file whose encoding only a person can decide. */
export class UncertainEncoding extends Error {
  override name = 'UncertainEncoding';
  readonly file: File;

  constructor(file: File) {
    super('The encoding is uncertain.');
    this.file = file;
  }
}

/**
 * Reads the beginning of a file, however large it is.
 * @throws EmptyFile, UncertainEncoding, UnreadableText, UnreadableCsv
 */
export async function readHead(file: File, encoding?: Encoding): Promise<ChosenFile> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const isWhole = file.size <= HEAD_BYTES;
  const pieces = new TextPieces({ mayBeWindows: true, encoding });
  const text = textOf(file, () => pieces.next(bytes, isWhole));
  if (pieces.isBlank) throw new EmptyFile();
  const format = formatOf(file.name, text);
  return {
    file,
    format,
    csv: format === 'csv' ? csvHead(text, isWhole) : undefined,
    encoding: pieces.encoding,
    isGivenEncoding: encoding !== undefined,
  };
}

function textOf(file: File, read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableText && error.fault.code === 'uncertain_encoding')
      throw new UncertainEncoding(file);
    throw error;
  }
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
  const records: CsvRecord[] = [];
  new CsvTable().read(text, isWhole, (record) => {
    if (records.length <= MAX_ROWS_ABOVE + SAMPLES && !isBlank(record)) records.push(record);
  });
  if (records.length === 0 && !isWhole) throw new UnreadableCsv(1, 'row-too-long');
  const heading = bestHeading(records.slice(0, MAX_ROWS_ABOVE + 1).map(({ fields }) => fields));
  const { fields = [], line = 1 } = records[heading] ?? {};
  const samples = records.slice(heading + 1, heading + 1 + SAMPLES).map((record) => record.fields);
  return { headers: withoutEmptyEnd(fields), headingLine: line, samples };
}
