import type { ImportFormat } from '../../../api/schemas.ts';
import { type CsvRecord, CsvRecords, type Separator, UnreadableCsv } from './csv-records.ts';

const HEAD_BYTES = 65_536;
const SAMPLES = 3;
/** Zip archives, which spreadsheets are, and the older format of Excel. */
const SPREADSHEETS = ['PK\u0003\u0004', '\u00d0\u00cf\u0011\u00e0'];
const SEPARATORS: readonly Separator[] = [',', ';', '\t'];

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

export interface CsvHead {
  readonly separator: Separator;
  readonly encoding: Encoding;
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

export type FileProblem = 'empty' | 'spreadsheet';

/** A file that cannot be sent. */
export class UnusableFile extends Error {
  readonly problem: FileProblem;

  constructor(problem: FileProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** Reads the beginning of a file, however large it is. @throws UnusableFile, UnreadableCsv */
export async function readHead(file: File): Promise<ChosenFile> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const magic = String.fromCharCode(...bytes.subarray(0, 4));
  if (SPREADSHEETS.includes(magic)) throw new UnusableFile('spreadsheet');
  const isWhole = file.size <= HEAD_BYTES;
  const encoding = encodingOf(bytes);
  const text = new TextDecoder(encoding).decode(bytes, { stream: !isWhole });
  if (text.trim() === '') throw new UnusableFile('empty');
  const format = formatOf(file.name, text);
  return { file, format, csv: format === 'csv' ? csvHead(text, encoding, isWhole) : undefined };
}

/** Excel writes UTF-16 as "Unicode text", and the code page of Windows as plain CSV. Some tools write UTF-16 without its mark. */
function encodingOf(bytes: Uint8Array): Encoding {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
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

function csvHead(text: string, encoding: Encoding, isWhole: boolean): CsvHead {
  const [headerLine = ''] = text.split(/\r?\n|\r/, 1);
  const separator = SEPARATORS.toSorted((a, b) => countOf(headerLine, b) - countOf(headerLine, a))[0] ?? ',';
  const records = new CsvRecords(separator).read(text, isWhole).filter((record) => !isBlank(record));
  if (records.length === 0 && !isWhole) throw new UnreadableCsv(1, 'row-too-long');
  const [headers = [], ...samples] = records.map(({ fields }) => fields);
  return { separator, encoding, headers, samples: samples.slice(0, SAMPLES) };
}

export function isBlank({ fields }: CsvRecord): boolean {
  return fields.length === 1 && fields[0] === '';
}

const countOf = (text: string, part: string): number => text.split(part).length - 1;
