/**
 * What a terminal obeys, or what changes how text reads: control characters with C1, marks of direction, line and
 * paragraph separators, and characters without width (Unicode categories Cc, Cf, Zl, Zp). The joiner of emoji stays.
 */
const UNSAFE = /(?!\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** What `JSON.stringify` leaves of them. */
const UNSAFE_IN_JSON = /(?!\u200d)[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text of the service, of a file or of a user as a terminal shows it: nothing in it is a command to the terminal. */
export function safe(text: string): string {
  return text.replace(UNSAFE, escaped);
}

/** The same value as JSON that a terminal can show. */
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
