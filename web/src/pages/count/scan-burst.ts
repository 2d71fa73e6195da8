/** The mean time between two keys of a hand scanner; a person needs more. */
const MEAN_GAP_MS = 45;
/** A person at work needs less. After it, keys are another burst. */
const QUIET_MS = 300;
const MAX_CODE = 100;

/**
 * Finds the keys of a hand scanner among those of a person: many in a short time, with Enter at the end. A radio delivers
 * some of them late, so their mean counts. The end of a burst alone is no code: it would be that of another pet.
 */
export class ScanBurst {
  #code = '';
  #firstMs = 0;
  #lastMs = Number.NEGATIVE_INFINITY;

  /**
   * Takes a key.
   * @param atMs When it was pressed, not when a busy page received it.
   * @returns `begin` for the first key of what may be a code, the code at its end, and otherwise nothing.
   */
  press(key: string, atMs: number): 'begin' | { readonly code: string } | undefined {
    if (atMs - this.#lastMs > QUIET_MS) this.#code = '';
    this.#lastMs = atMs;
    const code = this.#code;
    if (key === 'Enter') {
      this.#code = '';
      const isQuick = atMs - this.#firstMs <= MEAN_GAP_MS * code.length;
      return isQuick && code !== '' ? { code } : undefined;
    }
    if (key.length !== 1) return undefined;
    this.#code = (code + key).slice(0, MAX_CODE);
    if (code !== '') return undefined;
    this.#firstMs = atMs;
    return 'begin';
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
