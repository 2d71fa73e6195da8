/** Text as part of a request target: characters other than visible ASCII are percent-encoded. */
export function encoded(text: string, size: number): string {
  const target = text.slice(0, size).replaceAll(/[^\x21\x22\x24-\x7e]/gu, percentEncoded);
  return target.length <= size ? target : target.slice(0, size).replace(/%.?$/, '');
}

/** A lone surrogate has no UTF-8; some programs write its three bytes all the same. */
function percentEncoded(character: string): string {
  if (character.isWellFormed()) return encodeURIComponent(character);
  const code = character.charCodeAt(0);
  return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]
    .map((byte) => `%${byte.toString(16).toUpperCase()}`)
    .join('');
}

/** Text as the bytes of a header's value: UTF-8 read as Latin-1. Line feeds would end the header. */
export function headerBytes(text: string, size: number): string {
  return Buffer.from(text)
    .toString('latin1')
    .slice(0, size)
    .replaceAll(/[\r\n\0]/g, '\x01');
}
