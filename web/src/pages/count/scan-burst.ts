import { findBarcodeFault, isGtinLength } from '@petstore-inventory/shared/barcodes';
import { bareCode } from '../../stock/codes.ts';

/** The mean time between two keys of a hand scanner; a person needs more. */
const MEAN_GAP_MS = 45;
/** A person at work needs less. After it, keys are another burst. */
export const QUIET_MS = 300;
const MAX_CODE = 100;
/** Fewer characters, and Enter quickly after them, are a quantity that a person types. */
export const MIN_CODE = 4;

/**
 * Finds the keys of a hand scanner among those of a person: many in a short time, with Enter or Tab at the end. A radio
 * delivers some of them late, so their mean counts. The end of a burst alone is no code: it would be that of another pet.
 */
export class ScanBurst {
  #code = '';
  #firstMs = 0;
  #lastMs = Number.NEGATIVE_INFINITY;

  /**
   * Takes a key.
   * @param atMs When it was pressed, not when a busy page received it.
   * @param minLength The shortest code: where digits mean nothing else, one character is enough.
   * @returns `begin` for the first key of what may be a code, the code at its end, and otherwise nothing.
   */
  press(key: string, atMs: number, minLength = MIN_CODE): 'begin' | { readonly code: string } | undefined {
    if (atMs - this.#lastMs > QUIET_MS) this.#code = '';
    this.#lastMs = atMs;
    const code = this.#code;
    if (key === 'Enter' || key === 'Tab') {
      this.#code = '';
      const isQuick = atMs - this.#firstMs <= MEAN_GAP_MS * code.length;
      // Tab alone moves the focus, also after a letter.
      const shortest = key === 'Tab' ? MIN_CODE : Math.max(minLength, 1);
      return isQuick && code.length >= shortest ? { code } : undefined;
    }
    if (key.length !== 1) return undefined;
    this.#code = (code + key).slice(0, MAX_CODE);
    if (code !== '') return undefined;
    this.#firstMs = atMs;
    return 'begin';
  }

  /**
   * Called when no key has followed for `QUIET_MS`. A scanner may be set to send no key at the end: then its check digit
   * says that the code is whole, and not a number that a person types.
   */
  rest(): { readonly code: string } | undefined {
    const code = this.#code;
    this.#code = '';
    const isQuick = this.#lastMs - this.#firstMs <= MEAN_GAP_MS * (code.length - 1);
    return isQuick && isGtin(bareCode(code)) ? { code } : undefined;
  }
}

/** EAN-8, UPC-A, EAN-13 and GTIN-14, whose last digit checks the others. */
const isGtin = (code: string): boolean => isGtinLength(code) && findBarcodeFault(code) === undefined;
