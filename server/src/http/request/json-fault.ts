/** What must come next in JSON, in the words of the message. */
type Expected =
  | 'a value'
  | 'a value or ]'
  | 'a name in double quotes'
  | 'a name in double quotes or }'
  | 'a colon'
  | 'a comma or }'
  | 'a comma or ]'
  | 'a double quote'
  | 'an escape such as \\n'
  | 'the end of the body';

const TAB = 0x09;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const NUMBER_OR_WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;

/**
 * Returns what is wrong with a text that `JSON.parse` refuses, and where; `undefined` for valid JSON. Errors of the parsers
 * of Node and Bun differ: one has no position, and the other repeats the text, which may be a secret. Reads each character
 * once.
 */
export function jsonFault(text: string): string | undefined {
  return new JsonScan(text).fault();
}

class JsonScan {
  readonly #text: string;
  /** The ends of the containers that are open. */
  readonly #open: ('}' | ']')[] = [];
  #expected: Expected = 'a value';
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  fault(): string | undefined {
    do this.#skipBlanks();
    while (this.#step(this.#text.charAt(this.#at)));
    if (this.#expected === 'the end of the body' && this.#at === this.#text.length) return undefined;
    return `there must be ${this.#expected} at ${placeOf(this.#text, this.#at)}`;
  }

  #skipBlanks(): void {
    for (; ; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== SPACE && code !== LINE_FEED && code !== TAB && code !== RETURN) return;
    }
  }

  /** Reads the token that begins with `next`, which is empty at the end. Returns `false` if another one is expected. */
  #step(next: string): boolean {
    switch (this.#expected) {
      case 'a value or ]':
        return next === ']' ? this.#close() : this.#readValue(next);
      case 'a value':
        return this.#readValue(next);
      case 'a name in double quotes or }':
        return next === '}' ? this.#close() : next === '"' && this.#readText('a colon');
      case 'a name in double quotes':
        return next === '"' && this.#readText('a colon');
      case 'a colon':
        return next === ':' && this.#pass('a value');
      case 'a comma or }':
        return next === '}' ? this.#close() : next === ',' && this.#pass('a name in double quotes');
      case 'a comma or ]':
        return next === ']' ? this.#close() : next === ',' && this.#pass('a value');
      default:
        return false;
    }
  }

  #readValue(next: string): boolean {
    if (next === '{') {
      this.#open.push('}');
      return this.#pass('a name in double quotes or }');
    }
    if (next === '[') {
      this.#open.push(']');
      return this.#pass('a value or ]');
    }
    if (next === '"') return this.#readText(this.#afterValue());
    const end = endOf(NUMBER_OR_WORD, this.#text, this.#at);
    if (end === undefined) return false;
    this.#at = end;
    this.#expected = this.#afterValue();
    return true;
  }

  /** Reads a text up to its closing quote. */
  #readText(after: Expected): boolean {
    const text = this.#text;
    this.#at += 1;
    this.#expected = 'a double quote';
    for (; this.#at < text.length; this.#at += 1) {
      const code = text.charCodeAt(this.#at);
      if (code === QUOTE) return this.#pass(after);
      if (code !== BACKSLASH && code >= SPACE) continue;
      const end = endOf(ESCAPE, text, this.#at);
      if (end === undefined) {
        this.#expected = 'an escape such as \\n';
        return false;
      }
      this.#at = end - 1;
    }
    return false;
  }

  #close(): true {
    this.#open.pop();
    return this.#pass(this.#afterValue());
  }

  #pass(expected: Expected): true {
    this.#at += 1;
    this.#expected = expected;
    return true;
  }

  #afterValue(): Expected {
    const end = this.#open.at(-1);
    return end === undefined ? 'the end of the body' : `a comma or ${end}`;
  }
}

/** Where the token at a place ends; `undefined` if there is none. */
function endOf(token: RegExp, text: string, at: number): number | undefined {
  token.lastIndex = at;
  return token.test(text) ? token.lastIndex : undefined;
}

/** Line and column, from 1, as editors count them: in UTF-16. */
function placeOf(text: string, at: number): string {
  let [line, start] = [1, 0];
  for (let i = 0; i < at; i += 1) {
    if (text.charCodeAt(i) !== LINE_FEED) continue;
    line += 1;
    start = i + 1;
  }
  return `line ${line}, column ${at - start + 1}`;
}
