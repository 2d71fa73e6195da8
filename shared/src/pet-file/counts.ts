import { MAX_QUANTITY } from '../limits.ts';

/** A text that is one count in one country and another number elsewhere. */
export class AmbiguousCount {
  readonly text: string;
  /** Both readings. */
  readonly readings: readonly [grouped: string, decimal: string];

  constructor(text: string, readings: readonly [grouped: string, decimal: string]) {
    this.text = text;
    this.readings = readings;
  }
}

const PLAIN = /^-?\d+$/;
/** Groups of three digits, of which the separators must be alike; the last part is a fraction of zeros. */
const GROUPED = /^(-?)([1-9]\d{0,2}(?:[., '\u00a0\u202f\u2019]\d{3}){1,6})(?:([.,])0{1,9})?$/;
const DIGITS = /\d+/;
const FRACTION = /^(-?\d+)[.,]0+$/;
/** `1.200`: a thousand and two hundred, or one and a fifth. */
const AMBIGUOUS = /^(-?)([1-9]\d{0,2})[.,](\d{3})$/;

/**
 * Reads a count as people and spreadsheets write it: `1200`, `1200,00`, `1.200.000`, `1.200,00`, `1 200`. Other texts than a
 * whole number return `undefined`.
 */
export function parseCount(given: string): number | AmbiguousCount | undefined {
  // Nearly all.
  if (PLAIN.test(given)) return exact(given);
  const text = given.trim();
  if (PLAIN.test(text)) return exact(text);
  const [, sign = '', whole, fraction] = AMBIGUOUS.exec(text) ?? [];
  if (whole !== undefined && fraction !== undefined) {
    const decimal = String(Number(`${sign}${whole}.${fraction}`));
    return new AmbiguousCount(text, [`${sign}${whole}${fraction}`, decimal]);
  }
  const [, minus = '', grouped, point] = GROUPED.exec(text) ?? [];
  if (grouped !== undefined) {
    const [separator = '', ...others] = grouped.split(DIGITS).slice(1, -1);
    if (separator !== point && others.every((other) => other === separator))
      return exact(minus + grouped.replaceAll(separator, ''));
  }
  const [, digits] = FRACTION.exec(text) ?? [];
  return digits === undefined ? undefined : exact(digits);
}

function exact(digits: string): number | undefined {
  // The sum has no -0.
  const number = Number(digits) + 0;
  return Math.abs(number) <= MAX_QUANTITY ? number : undefined;
}
