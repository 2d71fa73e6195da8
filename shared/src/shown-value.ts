const MAX_SHOWN = 60;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A value as JSON writes it, for an error: one line, not too long, nothing in it that a terminal obeys. */
export function shownValue(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[…]' : '{…}';
  return typeof value === 'string' ? `"${brief(escapedText(value))}"` : String(value);
}

/** The beginning of a text, and whether it goes on. */
export function brief(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** The beginning of a text. An escaped character has up to 9 characters. */
function escapedText(text: string): string {
  return JSON.stringify(text.slice(0, MAX_SHOWN + 1))
    .slice(1, -1)
    .replace(INVISIBLE, escaped);
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
