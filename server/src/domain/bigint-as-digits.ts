/** `JSON.rawJSON` (ECMAScript 2026), which the types of TypeScript do not have yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** A replacer for `JSON.stringify`, which refuses bigints: writes them as numbers with all digits. */
export function bigintAsDigits(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJSON(String(value)) : value;
}
