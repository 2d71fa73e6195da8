import { MAX_QUANTITY } from '../domain/inventory.ts';

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
/** Groups of three digits, with one kind of separator; the last part is a fraction of zeros. */
const GROUPED = /^(-?)(\d{1,3}(?:([., '\u00a0\u202f\u2019])\d{3})(?:\3\d{3})*)(?:[.,](0+))?$/;
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
    const decimal = `${sign}${whole}.${fraction}`.replace(/\.?0+$/, '');
    return new AmbiguousCount(text, [`${sign}${whole}${fraction}`, decimal]);
  }
  const [, minus = '', grouped, separator = '', zeros] = GROUPED.exec(text) ?? [];
  const isOneSeparator = zeros !== undefined && text.charAt(text.length - zeros.length - 1) === separator;
  if (grouped !== undefined && !isOneSeparator && !grouped.startsWith('0'))
    return exact(minus + grouped.replaceAll(separator, ''));
  const [, digits] = FRACTION.exec(text) ?? [];
  return digits === undefined ? undefined : exact(digits);
}

function exact(digits: string): number | undefined {
  // The sum has no -0.
  const number = Number(digits) + 0;
  return Math.abs(number) <= MAX_QUANTITY ? number : undefined;
}
