/** A text of about `size` characters that a reader might take too long over. `sample` is one that it accepts. */
export type Shape = (size: number, sample: string) => string;

function repeated(unit: string): Shape {
  return (size) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
}

/** A valid run followed by an invalid end, which triggers backtracking. */
function before(unit: string, end: string): Shape {
  return (size, sample) => `${repeated(unit)(size - end.length, sample)}${end}`;
}

function after(start: string, unit: string, end = ''): Shape {
  return (size, sample) => `${start}${repeated(unit)(size - start.length - end.length, sample)}${end}`;
}

/** Texts for a header, a parameter, a member of a body, a field of a file or an argument. */
export const TEXT_SHAPES: Readonly<Record<string, Shape>> = {
  'one letter': repeated('a'),
  'spaces before a mismatch': before(' ', 'x y'),
  'spaces and tabs before a mismatch': before(' \t', 'x'),
  'a sample, spaces and a mismatch': (size, sample) => `${sample}${' '.repeat(size)}x y`.slice(0, size),
  'spaces before a sample': (size, sample) => `${' '.repeat(Math.max(0, size - sample.length))}${sample}`,
  'a sample many times': (size, sample) => repeated(sample || 'a')(size, sample),
  'samples with commas': (size, sample) => repeated(`${sample}, `)(size, sample),
  'samples with semicolons': (size, sample) => repeated(`${sample};`)(size, sample),
  'bearer, spaces and a mismatch': after('bearer', ' ', 'x y'),
  digits: repeated('7'),
  'zeros before a digit': after('1.', '0', '1'),
  'zeros at the start': after('0', '0', '1'),
  'a long exponent': after('1e', '9'),
  'a long fraction of a second': after('2026-07-01T12:00:00.', '0', '1Z'),
  commas: repeated(','),
  'commas and spaces': before(', ', '!'),
  quotes: repeated('"'),
  'quoted texts': repeated('"a",'),
  'weak entity tags': before('W/"a", ', 'x'),
  'a quote that is never closed': after('"', 'a'),
  'escaped quotes': after('"', '\\"', '!'),
  backslashes: repeated('\\'),
  'percent signs': repeated('%'),
  'percent escapes': repeated('%41'),
  'escaped percent signs': before('%25', '%4'),
  'percent escapes that are no UTF-8': repeated('%ff'),
  'equals signs': repeated('='),
  'query parameters': repeated('&a=1'),
  semicolons: before(';q=0.1,', ';q'),
  slashes: repeated('/'),
  'dot segments': repeated('../'),
  colons: repeated('1:'),
  addresses: repeated('127.0.0.1, '),
  'media types': repeated('application/json;q=0.1,'),
  brackets: repeated('['),
  'objects never closed': repeated('{"a":'),
  'API keys': repeated('psk_live_'),
  'two-byte letters': repeated('é'),
  emoji: repeated('🐕'),
  'combining marks': after('e', '\u0301'),
  'half surrogate pairs': repeated('\ud800'),
  'NUL characters': repeated('\0'),
  'line feeds': repeated('\n'),
};

/** Values of JSON, unquoted. */
export const JSON_SHAPES: Readonly<Record<string, Shape>> = {
  'a long integer': repeated('7'),
  'zeros before a last digit': after('1.', '0', '1'),
  'zeros at the end of an integer': after('1', '0'),
  'a tiny number': after('0.', '0', '1'),
  'zeros in the exponent': after('1e', '0', '1'),
  'numbers of many zeros': (size) => `[${repeated(`1.${'0'.repeat(200)}1,`)(size - 3, '')}0]`,
  'empty objects': (size) => `[${repeated('{},')(size - (size % 3) - 6, '')}{}]`,
  'nested arrays': (size) => `${'['.repeat(size / 2)}${']'.repeat(size / 2)}`,
  'arrays never closed': repeated('['),
  'nested objects': (size) => `${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`,
  'many keys': (size) => `{${Array.from({ length: size / 14 }, (_, i) => `"k${i}":1.5`).join()}}`,
  'one key many times': (size) => `{${Array.from({ length: size / 13 }, () => '"petId":1.0').join()}}`,
  'keys of prototypes': (size) => `{${Array.from({ length: size / 18 }, () => '"__proto__":1.0').join()}}`,
  'keys of arrays': (size) => `{${Array.from({ length: size / 18 }, (_, i) => `"${i * 1024}":1.5`).join()}}`,
  'a text of escapes': (size) => `"${repeated('\\u0041')(size - (size % 6) - 6, '')}"`,
  'a text of half surrogate pairs': (size) => `"${repeated('\\ud800')(size - (size % 6) - 6, '')}"`,
  'a text of quotes': (size) => `"${repeated('\\"')(size - (size % 2) - 2, '')}"`,
  'spaces before a value': before(' ', '1'),
  'spaces before a mismatch': before('\n\t ', 'x'),
  'commas alone': after('[', ','),
  'a sample many times': (size, sample) => `[${repeated(`${sample},`)(size, sample)}`,
};
