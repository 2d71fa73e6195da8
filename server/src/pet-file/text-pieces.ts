import { isUtf8 } from 'node:buffer';
import { UnreadableFile } from './faults.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const BYTE_ORDER_MARK = Buffer.of(0xef, 0xbb, 0xbf);
/** The longest character of UTF-8. */
const MAX_CHARACTER_BYTES = 4;

/**
 * Turns the bytes of a file into pieces of valid UTF-8 without a byte order mark, in which every line ends in a line feed
 * alone, so that all that read the text count lines alike.
 */
export class TextPieces {
  /** A part of a character, or a carriage return that a line feed may follow. */
  #rest: Buffer = Buffer.alloc(0);
  #isStart = true;
  #line = 1;
  /** Whether there was no visible character yet. */
  isBlank = true;

  /** Returns the next piece. Overwrites the bytes it is given: a copy would double a large file. */
  next(bytes: Buffer, isLast: boolean): Buffer {
    let text = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    this.#rest = Buffer.alloc(0);
    if (this.#isStart) {
      if (text.length < BYTE_ORDER_MARK.length && !isLast) return this.#keep(text, 0);
      this.#isStart = false;
      if (text.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)) text = text.subarray(3);
    }
    const end = isLast ? text.length : completeLength(text);
    this.#keep(text, end);
    const piece = withLineFeeds(text.subarray(0, end));
    if (!isUtf8(piece)) {
      throw new UnreadableFile(
        this.#line + lineFeedsBeforeFault(piece),
        'this is not UTF-8 text; save the file as UTF-8.',
      );
    }
    this.#line += countLineFeeds(piece);
    this.isBlank &&= !piece.some((byte) => byte > SPACE);
    return piece;
  }

  #keep(text: Buffer, from: number): Buffer {
    this.#rest = Buffer.from(text.subarray(from));
    return text.subarray(0, from);
  }
}

/** The length without a carriage return or an incomplete character at the end. */
function completeLength(text: Buffer): number {
  const { length } = text;
  if (text[length - 1] === CARRIAGE_RETURN) return length - 1;
  for (let back = 1; back < MAX_CHARACTER_BYTES && back <= length; back += 1) {
    const byte = text[length - back]!;
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

/** Ends every line in a line feed alone. */
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

/** How many lines end before the first one that is not UTF-8. */
function lineFeedsBeforeFault(text: Buffer): number {
  let count = 0;
  for (let start = 0; start < text.length; count += 1) {
    const end = text.indexOf(LINE_FEED, start);
    if (end === -1 || !isUtf8(text.subarray(start, end))) break;
    start = end + 1;
  }
  return count;
}

function countLineFeeds(text: Buffer): number {
  let count = 0;
  for (let at = text.indexOf(LINE_FEED); at !== -1; at = text.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
}
