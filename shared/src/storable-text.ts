/**
 * Whether both databases return this text exactly as it was written. Neither can store half of a surrogate pair,
 * which UTF-8 cannot express, and PostgreSQL cannot store U+0000. A movement's hash covers its texts: a text that
 * comes back changed makes every later audit report tampering. All text from outside passes this check before it is
 * stored.
 */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Storable text on one line, without control characters, as names are. */
export function isStorableLine(text: string): boolean {
  return unstorableInLine(text) === undefined;
}

/** The first character that is a control character, or half of a surrogate pair, such as `U+000A`. */
export function unstorableInLine(text: string): string | undefined {
  const [found] = /[\p{Cc}\p{Cs}]/u.exec(text) ?? [];
  return found && `U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** What such a character is, and what to do, as the end of a sentence. */
export function describeUnstorable(character: string): string {
  if (/^U\+(?:000A|000D|0085)$/.test(character)) return 'a line break; write it on one line.';
  if (character === 'U+0009') return 'a tab; write a space.';
  if (character.startsWith('U+D')) return `half a character (${character}); send it as UTF-8 again.`;
  return `the control character ${character}; remove it.`;
}

/** A text of a stranger with each part that no database stores replaced by U+FFFD. */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}
