import { safe } from './terminal/safe-text.ts';

const MAX_SHOWN = 60;

/** A value as JSON writes it, for an error: one line, not too long, nothing in it that a terminal obeys. */
export function shownValue(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[…]' : '{…}';
  return typeof value === 'string' ? `"${brief(escapedText(value))}"` : String(value);
}

/** The beginning of a text, and whether it goes on. */
export function brief(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** The beginning of a text as in JSON. An escaped character has up to 12 characters. */
function escapedText(text: string): string {
  return safe(JSON.stringify(text.slice(0, MAX_SHOWN + 1)).slice(1, -1));
}
