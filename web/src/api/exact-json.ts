const PET_ID = /"petId":(-?\d+)/g;
const PET_IDS = /"petIds":\[([-\d,\s]*)\]/g;
/** A string, which is skipped, or a number with so many digits that it may not be exact. */
const STRING_OR_LARGE = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g;

/**
 * Parses JSON of the service without rounding: petIds become texts, and so does any other integer that a number cannot
 * hold. A quotation mark inside a string has a backslash before it, so that no text of a user matches.
 */
export function parseExact(json: string): unknown {
  const text = json
    .replace(PET_ID, '"petId":"$1"')
    .replace(PET_IDS, (_match, ids: string) => `"petIds":[${ids.replace(/-?\d+/g, '"$&"')}]`);
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text.replace(STRING_OR_LARGE, quoteLarge));
}

function quoteLarge(token: string): string {
  return token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`;
}

/** JSON for the service: petIds are integers with all their digits. */
export function writeExact(value: unknown): string {
  return JSON.stringify(value)
    .replace(/"petId":"(-?\d+)"/g, '"petId":$1')
    .replace(/"petIds":\[([^\]]*)\]/g, (_match, ids: string) => `"petIds":[${ids.replaceAll('"', '')}]`);
}
