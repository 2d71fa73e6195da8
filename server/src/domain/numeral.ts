/** The exact value of a decimal: its digits without zeros at either end, times ten to `exponent`. Zero has no digits. */
export interface Numeral {
  readonly sign: '' | '-';
  readonly digits: string;
  readonly exponent: number;
}

const NUMERAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const ZERO = 0x30;

/** Reads a number as JSON writes it, in time linear in its length; `undefined` for other text. */
export function parseNumeral(source: string): Numeral | undefined {
  const match = NUMERAL.exec(source);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', power = '0'] = match;
  const all = whole + fraction;
  // The expression /0+$/ takes quadratic time on zeros before another digit.
  let end = all.length;
  while (end > 0 && all.charCodeAt(end - 1) === ZERO) end -= 1;
  let start = 0;
  while (start < end && all.charCodeAt(start) === ZERO) start += 1;
  const digits = all.slice(start, end);
  const exponent = digits === '' ? 0 : Number(power) - fraction.length + (all.length - end);
  return { sign: sign === '-' ? '-' : '', digits, exponent };
}
