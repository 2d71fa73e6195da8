/**
 * Whether a text has at most so many characters. A surrogate pair is one character, as in JSON Schema and in the messages of errors. A text
 * of any length is checked in a bounded time.
 */
export function hasAtMost(text: string, characters: number): boolean {
  return text.length <= characters || (text.length <= 2 * characters && [...text].length <= characters);
}
