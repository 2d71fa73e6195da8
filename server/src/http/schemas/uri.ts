/** The characters of a URI (RFC 3986) or, in other letters, of an IRI (RFC 3987). */
const CHARACTERS = /^[^\s\p{Cc}"<>\\^`{|}]*$/u;
const SCHEME = /^[a-z][a-z0-9+.-]*:./i;

/** Whether a text has no character that a URI encodes. */
export function hasUriCharacters(text: string): boolean {
  return CHARACTERS.test(text);
}

/** Whether a text is an absolute URI. A lone surrogate passes. */
export function isUri(text: string): boolean {
  return SCHEME.test(text) && hasUriCharacters(text) && URL.canParse(text);
}
