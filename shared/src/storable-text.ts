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
  return isStorableText(text) && !/\p{Cc}/u.test(text);
}

/** A text of a stranger with each part that no database stores replaced by U+FFFD. */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}
