import { findBarcodeFault, isGtinLength } from '@petstore-inventory/shared/barcodes';
import { bareCode } from '../../stock/codes.ts';

/** The slowest mean time between two keys of a hand scanner; a person needs more for any keys. */
const GAP_MS = 45;
/** For long codes with a digit: a person types words faster than numbers. */
const LONG_CODE = 8;
const LONG_GAP_MS = 80;
/** For numbers with the right check digit, as slow radio scanners send them. */
const GTIN_GAP_MS = 100;
/** A person at work needs less. After it, keys are another burst. */
export const QUIET_MS = 300;
/** Scanners may send two keys at the end, such as Tab and Enter. */
const SUFFIX_MS = 50;
const MAX_CODE = 100;
/** Fewer characters, and Enter quickly after them, are a quantity that a person types. */
export const MIN_CODE = 4;

/**
 * `begin`: the first key of what may be a code; `suffix`: another key after the end of a code, which means nothing;
 * otherwise the code, at its end.
 */
type Press = 'begin' | 'suffix' | { readonly code: string };

/**
 * Finds the keys of a hand scanner among those of a person: many in a short time, with Enter or Tab at the end. A radio
 * delivers some of them late, so their mean counts. The end of a burst alone is no code: it would be that of another pet.
 */
export class ScanBurst {
  #code = '';
  #firstMs = 0;
  #lastMs = Number.NEGATIVE_INFINITY;
  #endMs = Number.NEGATIVE_INFINITY;

  /**
   * Takes a key.
   * @param atMs When it was pressed, not when a busy page received it.
   * @param minLength The shortest code: where digits mean nothing else, one character is enough.
   */
  press(key: string, atMs: number, minLength = MIN_CODE): Press | undefined {
    if (atMs - this.#lastMs > QUIET_MS) this.#code = '';
    this.#lastMs = atMs;
    const code = this.#code;
    if (key === 'Enter' || key === 'Tab') {
      this.#code = '';
      if (code === '') return atMs - this.#endMs <= SUFFIX_MS ? 'suffix' : undefined;
      // Tab alone moves the focus, also after a letter.
      const shortest = key === 'Tab' ? MIN_CODE : minLength;
      if (code.length < shortest || atMs - this.#firstMs > slowestGapMs(code) * code.length) return undefined;
      this.#endMs = atMs;
      return { code };
    }
    if (key.length !== 1) return undefined;
    this.#code = (code + key).slice(0, MAX_CODE);
    if (code !== '') return undefined;
    this.#firstMs = atMs;
    return 'begin';
  }

  /**
   * Called when no key has followed for `QUIET_MS`. A scanner may be set to send no key at the end: then its check digit
   * says that the code is whole, and not a number that a person types. Otherwise a busy machine may still deliver keys that
   * were pressed before.
   */
  rest(): { readonly code: string } | undefined {
    const code = this.#code;
    const isQuick = this.#lastMs - this.#firstMs <= GTIN_GAP_MS * (code.length - 1);
    if (!isQuick || !isGtin(code)) return undefined;
    this.#code = '';
    return { code };
  }
}

/** The longer and the less like a word a code is, the slower its keys may come. */
function slowestGapMs(code: string): number {
  if (isGtin(code)) return GTIN_GAP_MS;
  return code.length >= LONG_CODE && /\d/.test(code) ? LONG_GAP_MS : GAP_MS;
}

/** EAN-8, UPC-A, EAN-13 and GTIN-14, whose last digit checks the others. */
function isGtin(scanned: string): boolean {
  const code = bareCode(scanned);
  return isGtinLength(code) && findBarcodeFault(code) === undefined;
}
