/** `JSON.rawJSON` (ECMAScript 2026), which the types of TypeScript do not have yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** The third argument of a reviver (ECMAScript 2026). */
interface Source {
  readonly source?: string;
}

/** A replacer for `JSON.stringify`, which refuses bigints: writes them as numbers with all digits. */
export function bigintAsDigits(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJSON(String(value)) : value;
}

/** A reviver for `JSON.parse`: reads a whole number that a number cannot hold exactly as a bigint. */
export function digitsAsBigint(_name: string, value: unknown, { source = '' }: Source = {}): unknown {
  const isInexact = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source);
  return isInexact ? BigInt(source) : value;
}

/** A replacer for `JSON.stringify`, which refuses bigints: writes them as strings of decimal digits. */
export function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
