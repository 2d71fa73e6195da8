/** Limits of the JSON in a body, so that rejecting a body never costs more than reading the largest valid one. */
export interface JsonLimits {
  /** Values of any kind, at any depth. */
  readonly values: number;
  /** Elements of an array that is a member of the body. */
  readonly elements: number;
  /** The message for an array with more elements. */
  readonly elementsRule: string;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const ARRAY_START = 0x5b;
const ARRAY_END = 0x5d;
const OBJECT_START = 0x7b;
const OBJECT_END = 0x7d;

/**
 * Returns the message for a JSON text that exceeds a limit, or `undefined`. Scans each character once and parses
 * nothing: `JSON.parse` with a reviver and the schema take 100 times as long for a megabyte of small values. Invalid
 * JSON may pass.
 */
export function limitRefusal(text: string, limits: JsonLimits): string | undefined {
  let depth = 0;
  let isMemberArray = false;
  let values = 1;
  let elements = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case COMMA:
        // A container has one value more than commas. Its bracket counts that value, even if it is empty.
        values += 1;
        if (depth === 2 && isMemberArray) elements += 1;
        if (elements > limits.elements) return limits.elementsRule;
        break;
      case ARRAY_START:
      case OBJECT_START:
        values += 1;
        depth += 1;
        if (depth !== 2) break;
        isMemberArray = text.charCodeAt(at) === ARRAY_START;
        elements = 1;
        break;
      case ARRAY_END:
      case OBJECT_END:
        depth -= 1;
    }
  }
  return values > limits.values ? `The body has more than ${limits.values} values.` : undefined;
}

/** The index of the closing quote of the string that opens at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) break;
    if (code === BACKSLASH) at += 1;
  }
  return at;
}
