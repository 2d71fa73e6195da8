/** A replacer for `JSON.stringify`, which refuses bigints: writes them as strings of decimal digits. */
export function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
