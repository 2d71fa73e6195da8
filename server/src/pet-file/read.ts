import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { OperatorError } from '../domain/errors.ts';
import type { PetRow } from '../domain/store.ts';
import { readCsv } from './csv.ts';
import { readJsonArray, readJsonLines } from './json.ts';
import { PetRows } from './rows.ts';

/** Each format reads UTF-8 without a byte order mark, in which every line ends in a line feed alone. */
const FORMATS = new Map<string, (text: Buffer, rows: PetRows) => void>([
  ['.csv', readCsv],
  ['.json', readJsonArray],
  ['.ndjson', readJsonLines],
  ['.jsonl', readJsonLines],
]);

/** Below the longest string of every runtime, so that no file fails halfway through. */
const MAX_FILE_BYTES = 500_000_000;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;

const READ_FAILURES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file.',
  ENOTDIR: 'there is no such file.',
  EISDIR: 'this is a folder; name a file in it.',
  EACCES: 'this user may not read the file.',
  EPERM: 'this user may not read the file.',
};

/**
 * Reads a file of pets: `.csv` with a header, `.json` (an array), `.ndjson` or `.jsonl` (one object a line).
 * @throws OperatorError when the file cannot be read, or when anything in it is wrong: then it names lines and fields.
 */
export function readPetFile(path: string): PetRow[] {
  const bytes = readBytes(path);
  const read = FORMATS.get(extname(path).toLowerCase());
  if (read === undefined) {
    throw new OperatorError(
      `${path}: the name of a file of pets must end in ${[...FORMATS.keys()].join(', ')}.`,
    );
  }
  const rows = new PetRows(path);
  const text = decodableLines(bytes, rows);
  if (!text.some((byte) => byte > SPACE)) throw nothingIn(path, 'the file is empty');
  read(text, rows);
  const pets = rows.finish();
  if (pets.length > 0) return pets;
  throw nothingIn(
    path,
    read === readCsv ? 'there are no pets below the header' : 'there are no pets in the file',
  );
}

function nothingIn(path: string, reason: string): OperatorError {
  return new OperatorError(`${path}: ${reason}; nothing was imported.`);
}

function readBytes(path: string): Buffer {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new OperatorError(`${path}: ${READ_FAILURES[code] ?? `the file cannot be read (${code}).`}`, {
      cause: error,
    });
  }
  if (bytes.length <= MAX_FILE_BYTES) return bytes;
  throw new OperatorError(`${path}: the file is larger than ${MAX_FILE_BYTES / 1e6} MB; split it.`);
}

/** Takes away the byte order mark and every carriage return, so that all that read the text count lines alike. */
function decodableLines(bytes: Buffer, rows: PetRows): Buffer {
  const hasByteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = withLineFeeds(hasByteOrderMark ? bytes.subarray(3) : bytes);
  if (!isUtf8(text)) rows.stop(firstLineNotUtf8(text), 'this is not UTF-8 text; save the file as UTF-8.');
  return text;
}

/** Ends every line in a line feed alone. Overwrites the bytes it is given: a copy would double a large file. */
function withLineFeeds(bytes: Buffer): Buffer {
  let length = bytes.indexOf(CARRIAGE_RETURN);
  if (length === -1) return bytes;
  for (let index = length; index < bytes.length; index += 1) {
    const byte = bytes[index]!;
    if (byte === CARRIAGE_RETURN && bytes[index + 1] === LINE_FEED) continue;
    bytes[length] = byte === CARRIAGE_RETURN ? LINE_FEED : byte;
    length += 1;
  }
  return bytes.subarray(0, length);
}

function firstLineNotUtf8(text: Buffer): number {
  let line = 1;
  for (let start = 0; start < text.length; line += 1) {
    const end = text.indexOf(LINE_FEED, start);
    if (end === -1 || !isUtf8(text.subarray(start, end))) break;
    start = end + 1;
  }
  return line;
}
