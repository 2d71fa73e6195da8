import type { PetRows } from './rows.ts';
import { isPetField, NumberSource, PET_FIELDS, shown } from './values.ts';

/**
 * What a JavaScript number can lose: the sign of -0, a fraction, an exponent, or digits beyond the 15th. Such text
 * is read with the source of its numbers, which takes twice as long.
 */
const MAY_LOSE_DIGITS = /-0|\d[.eE]|\d{16}/;

/** Reads one object a line (NDJSON, JSON Lines); blank lines are nothing. Expects valid UTF-8 and line feeds. */
export function readJsonLines(bytes: Buffer, rows: PetRows): void {
  const text = bytes.toString('utf8');
  let line = 1;
  for (let start = 0; start < text.length; line += 1) {
    const next = text.indexOf('\n', start);
    const end = next === -1 ? text.length : next;
    const source = text.slice(start, end);
    start = end + 1;
    if (source.trim() === '') continue;
    rows.startRow(line);
    if (!addPet(source, rows)) rows.fault(null, 'this is not valid JSON.');
  }
}

/**
 * Reads a JSON array of objects. Its elements are parsed one by one, because `JSON.parse` of the whole reports neither
 * the line of an element nor a repeated member.
 */
export function readJsonArray(bytes: Buffer, rows: PetRows): void {
  const text = bytes.toString('utf8');
  const cursor = new Cursor(text, rows);
  cursor.skipSpace();
  if (cursor.peek() !== '[')
    cursor.stop('a JSON array must begin here; a file of one object a line is named .ndjson.');
  cursor.skip();
  for (let element = 1; element > 1 || cursor.peek() !== ']'; element += 1) {
    const start = cursor.at;
    const line = cursor.line;
    cursor.skipValue();
    if (cursor.at === start)
      cursor.stop('an element is missing here, or there is a comma too many before it.');
    rows.startRow(line, element);
    if (!addPet(text.slice(start, cursor.at), rows))
      rows.stop(line, 'the value that begins here is not valid JSON.');
    cursor.skipSpace();
    if (cursor.peek() === ']') break;
    if (cursor.peek() !== ',') cursor.stop('there must be a comma, or the end of the array, before this.');
    cursor.skip();
  }
  cursor.skip();
  if (cursor.peek() !== '') cursor.stop('nothing may follow the end of the array.');
}

/** Checks one JSON value as a pet. Returns `false` if it is not JSON. */
function addPet(source: string, rows: PetRows): boolean {
  let value: unknown;
  try {
    value = JSON.parse(source, MAY_LOSE_DIGITS.test(source) ? keepNumberSource : undefined);
  } catch {
    return false;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof NumberSource) {
    rows.fault(null, `${shown(value)} is not an object with petId and quantity.`);
    return true;
  }
  const members = Object.keys(value);
  for (const name of members) {
    if (!isPetField(name))
      rows.fault(null, `unknown member ${shown(name)}; the members are ${PET_FIELDS.join(', ')}.`);
  }
  const isFlat = rows.add(value);
  // Each member has a colon of its own, so that as many colons as members rule out a repeated one.
  if (isFlat && source.split(':').length - 1 !== members.length) {
    const repeated = repeatedMember(source);
    if (repeated !== undefined) rows.fault(repeated, 'it is there twice.');
  }
  return true;
}

/** A runtime without source text access gets NaN rather than a number that may be wrong. */
function keepNumberSource(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? new NumberSource(context?.source ?? 'NaN') : value;
}

/** The repeated member of a flat JSON object: `JSON.parse` keeps the last one without an error. */
function repeatedMember(source: string): string | undefined {
  const names = new Set<string>();
  for (const [, literal, colon] of source.matchAll(/[^"]*("(?:[^"\\]|\\.)*")\s*(:)?/gy)) {
    if (literal === undefined || colon === undefined) continue;
    const name = String(JSON.parse(literal));
    if (names.has(name)) return name;
    names.add(name);
  }
  return undefined;
}

/** A place in the text of a JSON array, between its elements. */
class Cursor {
  readonly #text: string;
  readonly #rows: PetRows;
  at = 0;
  line = 1;

  constructor(text: string, rows: PetRows) {
    this.#text = text;
    this.#rows = rows;
  }

  /** The character here, or an empty text at the end. */
  peek(): string {
    return this.#text.charAt(this.at);
  }

  stop(message: string): never {
    return this.#rows.stop(this.line, this.peek() === '' ? 'the file ends before its array does.' : message);
  }

  skipSpace(): void {
    for (; ; this.at += 1) {
      const next = this.peek();
      if (next === '\n') this.line += 1;
      else if (next !== ' ' && next !== '\t') return;
    }
  }

  /** Goes past one character and the space behind it. */
  skip(): void {
    this.at += 1;
    this.skipSpace();
  }

  /** Goes to where the value here ends if it is valid JSON, which is not examined beyond its brackets and strings. */
  skipValue(): void {
    const { line } = this;
    let depth = 0;
    do {
      const next = this.peek();
      if (next === '') this.#rows.stop(line, 'the value that begins here is never closed.');
      if (next === '"') this.#skipString();
      else if (next === '{' || next === '[') depth += 1;
      else if (next === '}' || next === ']') depth -= 1;
      else if (next === '\n') this.line += 1;
      if (depth < 0) return;
      this.at += 1;
    } while (depth > 0 || !',]} \t\n'.includes(this.peek()));
  }

  /** Goes from the quote that opens a string to the one that closes it. */
  #skipString(): void {
    for (this.at += 1; this.peek() !== '"'; this.at += 1) {
      if (this.peek() === '\\') this.at += 1;
      if (this.peek() === '\n' || this.peek() === '')
        this.#rows.stop(this.line, 'a string is not closed on this line.');
    }
  }
}
