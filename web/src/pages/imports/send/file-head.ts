import { withoutEmptyEnd } from '@petstore-inventory/shared/pet-file/csv';
import { CsvTable } from '@petstore-inventory/shared/pet-file/csv-head';
import { isBlank, UnreadableCsv } from '@petstore-inventory/shared/pet-file/csv-records';
import { TextPieces } from '@petstore-inventory/shared/pet-file/text-pieces';
import type { ImportFormat } from '../../../api/schemas.ts';

const HEAD_BYTES = 65_536;
const SAMPLES = 3;

export interface CsvHead {
  readonly headers: readonly string[];
  /** The first rows below the header. */
  readonly samples: readonly (readonly string[])[];
}

/** A file that a person chose, and what its beginning has. */
export interface ChosenFile {
  readonly file: File;
  readonly format: ImportFormat;
  readonly csv: CsvHead | undefined;
}

/** A file without a visible character. */
export class EmptyFile extends Error {
  override name = 'EmptyFile';
}

/** Reads the beginning of a file, however large it is. @throws EmptyFile, UnreadableText, UnreadableCsv */
export async function readHead(file: File): Promise<ChosenFile> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const isWhole = file.size <= HEAD_BYTES;
  const pieces = new TextPieces({ mayBeWindows: true });
  const text = pieces.next(bytes, isWhole);
  if (pieces.isBlank) throw new EmptyFile();
  const format = formatOf(file.name, text);
  return { file, format, csv: format === 'csv' ? csvHead(text, isWhole) : undefined };
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
  const records: (readonly string[])[] = [];
  new CsvTable().read(text, isWhole, (record) => {
    if (records.length <= SAMPLES && !isBlank(record)) records.push(record.fields);
  });
  if (records.length === 0 && !isWhole) throw new UnreadableCsv(1, 'row-too-long');
  const [headers = [], ...samples] = records;
  return { headers: withoutEmptyEnd(headers), samples };
}
