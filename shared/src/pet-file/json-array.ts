import { MAX_ROW_CHARACTERS, ROW_TOO_LONG } from './faults.ts';
import { type ImportProblem, importProblem } from './import-problems.ts';
import { addPet } from './json-row.ts';
import type { PetRows } from './rows.ts';

/** What must come next: the array, its first element or its end, an element, a comma or the end, or nothing. */
type Expected = 'array' | 'first' | 'element' | 'comma' | 'nothing';

/**
 * Reads a JSON array of objects. Its elements are parsed one by one, because `JSON.parse` of the whole reports neither
 * the line of an element nor a repeated member.
 */
export class JsonArrayReader {
  readonly #rows: PetRows;
  #expected: Expected = 'array';
  #text = '';
  #at = 0;
  #line = 1;
  #element = 0;
  #isLast = false;

  constructor(rows: PetRows) {
    this.#rows = rows;
  }

  read(piece: string, isLast: boolean): void {
    this.#text = this.#text.slice(this.#at) + piece;
    this.#at = 0;
    this.#isLast = isLast;
    for (;;) {
      this.#skipSpace();
      if (this.#at === this.#text.length) break;
      if (!this.#step(this.#text.charAt(this.#at))) break;
    }
    if (isLast && this.#expected !== 'nothing') this.#stop(importProblem('array_not_closed'));
    if (this.#text.length - this.#at > MAX_ROW_CHARACTERS) this.#rows.stop(this.#line, ROW_TOO_LONG);
  }

  /** Reads what comes next, which begins with `next`. Returns `false` if its end is in a later piece. */
  #step(next: string): boolean {
    switch (this.#expected) {
      case 'array':
        if (next !== '[') this.#stop(importProblem('array_missing'));
        return this.#skip('first');
      case 'first':
        if (next === ']') return this.#skip('nothing');
        return this.#readElement();
      case 'element':
        return this.#readElement();
      case 'comma':
        if (next === ']') return this.#skip('nothing');
        if (next !== ',') this.#stop(importProblem('comma_missing'));
        return this.#skip('element');
      case 'nothing':
        return this.#stop(importProblem('text_after_array'));
    }
  }

  #skip(expected: Expected): true {
    this.#at += 1;
    this.#expected = expected;
    return true;
  }

  #readElement(): boolean {
    const value = this.#findEnd();
    if (value === undefined) return false;
    const { end, line } = value;
    if (end === this.#at) this.#stop(importProblem('element_missing'));
    if (end - this.#at > MAX_ROW_CHARACTERS) this.#stop(ROW_TOO_LONG);
    this.#element += 1;
    const source = this.#text.slice(this.#at, end);
    this.#rows.startRow(this.#line, this.#element, source);
    if (!addPet(source, this.#rows)) this.#stop(importProblem('invalid_json'));
    this.#at = end;
    this.#line = line;
    this.#expected = 'comma';
    return true;
  }

  #stop(problem: ImportProblem): never {
    return this.#rows.stop(this.#line, problem);
  }

  #skipSpace(): void {
    for (; ; this.#at += 1) {
      const next = this.#text.charAt(this.#at);
      if (next === '\n') this.#line += 1;
      else if (next !== ' ' && next !== '\t') return;
    }
  }

  /**
   * Where the value here ends if it is valid JSON, which is not examined beyond its brackets and strings; with the line
   * there. `undefined`: in a later piece.
   */
  #findEnd(): { readonly end: number; readonly line: number } | undefined {
    const text = this.#text;
    let [at, line, depth] = [this.#at, this.#line, 0];
    do {
      const next = text.charAt(at);
      if (next === '') return this.#isLast ? this.#stop(importProblem('value_not_closed')) : undefined;
      if (next === '"') {
        at = this.#closingQuote(at, line);
        if (at === text.length) return undefined;
      } else if (next === '{' || next === '[') depth += 1;
      else if (next === '}' || next === ']') depth -= 1;
      else if (next === '\n') line += 1;
      if (depth < 0) break;
      at += 1;
    } while (depth > 0 || !',]} \t\n'.includes(text.charAt(at)));
    // A number may continue in the next piece.
    return at === text.length && !this.#isLast ? undefined : { end: at, line };
  }

  /** The quote that closes a string; the end of the text if it is in a later piece. */
  #closingQuote(openingQuote: number, line: number): number {
    const text = this.#text;
    for (let at = openingQuote + 1; ; at += 1) {
      if (text.charAt(at) === '\\') at += 1;
      else if (text.charAt(at) === '"') return at;
      const isOver = at >= text.length;
      if (isOver && !this.#isLast) return text.length;
      if (isOver || text.charAt(at) === '\n') this.#rows.stop(line, importProblem('string_not_closed'));
    }
  }
}
