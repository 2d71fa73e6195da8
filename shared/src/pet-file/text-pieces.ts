import type { Encoding } from '../words.ts';
import { UnreadableText } from './faults.ts';
import { type ImportProblem, importProblem } from './import-problems.ts';

const MARKS: readonly (readonly [encoding: Encoding, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
const ARCHIVE = [0x50, 0x4b, 0x03, 0x04];
/** Workbooks, and the older format of Excel, which also one with a password has. */
const SPREADSHEETS: readonly (readonly number[])[] = [ARCHIVE, [0xd0, 0xcf, 0x11, 0xe0]];
/** Whether bytes begin as a zip archive, which an .xlsx workbook is. */
export function isArchive(bytes: Uint8Array): boolean {
  return startsWith(bytes, ARCHIVE);
}

/** The longest mark, and the longest character of UTF-8. */
const MAX_CHARACTER_BYTES = 4;
const NOT_ASCII = 0x80;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

const PROBLEMS: Readonly<Record<Encoding, ImportProblem>> = {
  'utf-8': importProblem('unreadable_text', { encoding: 'UTF-8' }),
  'utf-16le': importProblem('unreadable_text', { encoding: 'UTF-16' }),
  'utf-16be': importProblem('unreadable_text', { encoding: 'UTF-16' }),
  'windows-1252': importProblem('mixed_encodings', { first: 'UTF-8', second: 'Windows-1252' }),
};
const UNCERTAIN = importProblem('uncertain_encoding', { encoding: 'Windows-1252' });

interface TextOptions {
  /** Whether text may be in Windows-1252. JSON is in Unicode. */
  readonly mayBeWindows: boolean;
  /** The encoding, where it is known. */
  readonly encoding?: Encoding | undefined;
}

/**
 * Turns the bytes of a file into pieces of text without a byte order mark, in which every line ends in a line feed alone, so
 * that all that read the text count lines alike. The encoding is that of the mark; without one, UTF-16 shows in its zeros, and
 * UTF-8 differs from Windows-1252 in the first character that is not ASCII.
 */
export class TextPieces {
  readonly #mayBeWindows: boolean;
  readonly #given: Encoding | undefined;
  #encoding: Encoding | undefined;
  #decoder: TextDecoder | undefined;
  /** Bytes that do not decide about the encoding yet. */
  #rest: Uint8Array = new Uint8Array(0);
  /** The byte before those of the next piece. */
  #before = LINE_FEED;
  #isStart = true;
  /** A carriage return that a line feed may follow. */
  #return = '';
  #line = 1;
  /** Whether there was no visible character yet. */
  isBlank = true;

  constructor({ mayBeWindows, encoding }: TextOptions) {
    this.#mayBeWindows = mayBeWindows;
    this.#given = encoding;
  }

  /** `undefined`: all bytes so far are ASCII. */
  get encoding(): Encoding | undefined {
    return this.#encoding;
  }

  /** Returns the next piece. @throws UnreadableText for bytes that are no text, and for a spreadsheet */
  next(bytes: Uint8Array, isLast: boolean): string {
    const text = this.#withLineFeeds(this.#decode(joined(this.#rest, bytes), isLast), isLast);
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#line += 1;
    this.isBlank &&= !/[!-\uffff]/.test(text);
    return text;
  }

  #decode(bytes: Uint8Array, isLast: boolean): string {
    this.#rest = new Uint8Array(0);
    if (this.#isStart) {
      if (bytes.length < MAX_CHARACTER_BYTES && !isLast) return this.#keep(bytes, 0);
      this.#isStart = false;
      this.#readStart(bytes);
    }
    if (this.#decoder) return this.#decodeWith(this.#decoder, bytes, isLast);
    const start = bytes.findIndex((byte) => byte >= NOT_ASCII);
    if (start === -1) return ascii(bytes);
    if (bytes.length - start < MAX_CHARACTER_BYTES && !isLast) return ascii(this.#keepFrom(bytes, start));
    const isUnicode = !this.#mayBeWindows || beginsWithCharacter(bytes.subarray(start));
    const decoder = this.#use(isUnicode ? 'utf-8' : 'windows-1252');
    return this.#decodeWith(decoder, bytes, isLast);
  }

  /** Decides by the first bytes, if they do. */
  #readStart(bytes: Uint8Array): void {
    if (SPREADSHEETS.some((magic) => startsWith(bytes, magic))) {
      throw new UnreadableText(null, importProblem('spreadsheet_file'));
    }
    const marked = MARKS.find(([, mark]) => startsWith(bytes, mark));
    const [first = 1, second = 1] = bytes;
    if (this.#given) this.#use(this.#given);
    else if (marked) this.#use(marked[0]);
    else if (first !== 0 && second === 0) this.#use('utf-16le');
    else if (first === 0 && second !== 0) this.#use('utf-16be');
  }

  #use(encoding: Encoding): TextDecoder {
    this.#encoding = encoding;
    this.#decoder = new TextDecoder(encoding, { fatal: true });
    return this.#decoder;
  }

  #decodeWith(decoder: TextDecoder, bytes: Uint8Array, isLast: boolean): string {
    try {
      if (this.#encoding === 'windows-1252') return this.#decodeWindows(decoder, bytes, isLast);
      // A character that is not complete is kept here, so that a fault is in the bytes of its own piece.
      const whole =
        this.#encoding === 'utf-8' && !isLast ? this.#keepFrom(bytes, completeLength(bytes)) : bytes;
      return decoder.decode(whole, { stream: !isLast });
    } catch {
      const encoding = this.#encoding ?? 'utf-8';
      const sinceLine = this.#return === '' ? bytes : joined(Uint8Array.of(CARRIAGE_RETURN), bytes);
      const line = this.#line + lineFeedsBeforeFault(sinceLine, encoding);
      const isUncertain = encoding === 'windows-1252' && !hasCharacterOfUnicode(bytes);
      throw new UnreadableText(line, isUncertain ? UNCERTAIN : PROBLEMS[encoding]);
    }
  }

  /** @throws TypeError for bytes that are another encoding, unless this one was given. */
  #decodeWindows(decoder: TextDecoder, bytes: Uint8Array, isLast: boolean): string {
    if (this.#given === undefined && isHardlyWindows(bytes, this.#before))
      throw new TypeError('other encoding');
    // What follows a byte decides about it.
    const whole = isLast ? bytes : this.#keepFrom(bytes, Math.max(0, bytes.length - 2));
    this.#before = whole.at(-1) ?? this.#before;
    return decoder.decode(whole, { stream: !isLast });
  }

  #keep(bytes: Uint8Array, from: number): '' {
    this.#keepFrom(bytes, from);
    return '';
  }

  /** Keeps the end, and returns what is before it. */
  #keepFrom(bytes: Uint8Array, from: number): Uint8Array {
    this.#rest = bytes.slice(from);
    return bytes.subarray(0, from);
  }

  #withLineFeeds(decoded: string, isLast: boolean): string {
    const text = this.#return + decoded;
    this.#return = !isLast && text.endsWith('\r') ? '\r' : '';
    const whole = this.#return === '' ? text : text.slice(0, -1);
    return whole.includes('\r') ? whole.replace(/\r\n?/g, '\n') : whole;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

function ascii(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return bytes.length >= start.length && start.every((byte, index) => bytes[index] === byte);
}

/** The length without an incomplete character at the end. */
function completeLength(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back < MAX_CHARACTER_BYTES && back <= length; back += 1) {
    const byte = bytes[length - back] ?? 0;
    const isContinuation = (byte & 0xc0) === 0x80;
    if (!isContinuation) return bytesOfCharacter(byte) > back ? length - back : length;
  }
  return length;
}

function bytesOfCharacter(firstByte: number): number {
  if (firstByte >= 0xf0) return 4;
  if (firstByte >= 0xe0) return 3;
  return firstByte >= 0xc0 ? 2 : 1;
}

/** Whether bytes begin with a character of UTF-8 that is not ASCII. */
function beginsWithCharacter(bytes: Uint8Array): boolean {
  return isText(bytes.subarray(0, bytesOfCharacter(bytes[0] ?? 0)), 'utf-8');
}

/** Whether bytes have what no language writes in Windows-1252: Ã before a sign, or a letter before two signs. */
function hasCharacterOfUnicode(bytes: Uint8Array): boolean {
  const isSign = (byte = 0) => byte >= 0x80 && byte < 0xc0;
  return bytes.some((byte, at) =>
    byte === 0xc3
      ? isSign(bytes[at + 1])
      : byte >= 0xe0 && byte < 0xf0 && isSign(bytes[at + 1]) && isSign(bytes[at + 2]),
  );
}

/** Signs that Windows-1252 does not have. */
const UNDEFINED = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
/** Š, Œ, Ž and Ÿ. */
const CAPITALS = new Set([0x8a, 0x8c, 0x8e, 0x9f]);
/** An apostrophe, š, œ and ž. */
const WITHIN_WORDS = new Set([0x92, 0x9a, 0x9c, 0x9e]);

/** Whether bytes are another encoding: UTF-8, or that of DOS or of an old Mac, which have a letter where this one has a quote. */
function isHardlyWindows(bytes: Uint8Array, before: number): boolean {
  if (hasCharacterOfUnicode(bytes)) return true;
  return bytes.some((byte, at) => {
    if (byte < 0x80 || byte >= 0xa0 || WITHIN_WORDS.has(byte)) return false;
    if (UNDEFINED.has(byte)) return true;
    const next = bytes[at + 1] ?? LINE_FEED;
    return isLetter(bytes[at - 1] ?? before) && (CAPITALS.has(byte) ? isSmall(next) : isLetter(next));
  });
}

function isSmall(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a;
}

function isLetter(byte: number): boolean {
  return isSmall(byte | 0x20);
}

/** How many lines end before the first one that is not text of an encoding. */
function lineFeedsBeforeFault(bytes: Uint8Array, encoding: Encoding): number {
  if (encoding !== 'utf-8' && encoding !== 'windows-1252') return 0;
  const isSound = (line: Uint8Array) =>
    encoding === 'utf-8' ? isText(line, encoding) : !isHardlyWindows(line, LINE_FEED);
  let count = 0;
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(LINE_FEED, start);
    const carriage = bytes.indexOf(CARRIAGE_RETURN, start);
    const ends = [feed, carriage].filter((at) => at !== -1);
    if (ends.length === 0) break;
    const end = Math.min(...ends);
    if (!isSound(bytes.subarray(start, end))) break;
    count += 1;
    start = bytes[end] === CARRIAGE_RETURN && bytes[end + 1] === LINE_FEED ? end + 2 : end + 1;
  }
  return count;
}

function isText(bytes: Uint8Array, encoding: Encoding): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
