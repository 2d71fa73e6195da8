/** The longest time between two keys of a hand scanner; a person needs more. */
const MAX_GAP_MS = 45;
const MAX_CODE = 100;

/** Finds the keys of a hand scanner among those of a person: many in a short time, with Enter at the end. */
export class ScanBurst {
  #code = '';
  #lastMs = Number.NEGATIVE_INFINITY;

  /** Whether the key continues a burst of at least one key before it. */
  #isQuick(atMs: number): boolean {
    return atMs - this.#lastMs <= MAX_GAP_MS;
  }

  /**
   * Takes a key.
   * @returns `begin` for the first key of what may be a code, the code at its end, and otherwise nothing.
   */
  press(key: string, atMs: number): 'begin' | { readonly code: string } | undefined {
    const isQuick = this.#isQuick(atMs);
    this.#lastMs = atMs;
    if (key === 'Enter') {
      const code = this.#code;
      this.#code = '';
      return isQuick && code !== '' ? { code } : undefined;
    }
    if (key.length !== 1) return undefined;
    this.#code = isQuick && this.#code !== '' ? (this.#code + key).slice(0, MAX_CODE) : key;
    return this.#code.length === 1 ? 'begin' : undefined;
  }
}

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** The petId of a code, such as a barcode with zeros before it; `undefined` if it is none. */
export function petIdOf(code: string): string | undefined {
  if (!/^-?\d{1,40}$/.test(code)) return undefined;
  const value = BigInt(code);
  return value >= MIN_INT64 && value <= MAX_INT64 ? String(value) : undefined;
}
