/**
 * What a terminal obeys, or what changes how text reads: control characters with C1, marks of direction, line and
 * paragraph separators, and characters without width (Unicode categories Cc, Cf, Zl, Zp). The joiner of emoji stays.
 */
const UNSAFE = /(?!\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const UNSAFE_IN_LINES = /(?![\n\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const ESCAPE = '\u001b';
/** After the escape: bold, a colour and their ends, as `Paint` writes them. */
const COLOUR = /^\[(?:1|22|3[1-39]|90)m/;
/** Unsafe characters that `JSON.stringify` does not escape. */
const UNSAFE_IN_JSON = /(?!\u200d)[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text of the service, of a file or of a user as a terminal shows it: nothing in it is a command to the terminal. */
export function safe(text: string): string {
  return text.replace(UNSAFE, escaped);
}

/** A text of several lines, coloured by this program: the ends of its lines and its colours stay. */
export function safeLines(text: string): string {
  return text.replace(UNSAFE_IN_LINES, (found, at: number) =>
    found === ESCAPE && COLOUR.test(text.slice(at + 1, at + 5)) ? found : escaped(found),
  );
}

/** JSON with the same value, in which nothing is a command to the terminal. */
export function safeJson(json: string): string {
  return json.replace(UNSAFE_IN_JSON, escaped);
}

/** One or two `\u` escapes, as in JSON. */
function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, i) => {
    const digits = character.charCodeAt(i).toString(16).padStart(4, '0');
    return `\\u${digits}`;
  }).join('');
}
