/** The exact value of a decimal: its digits without zeros at either end, times ten to `exponent`. Zero has no digits. */
interface Numeral {
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

/** Reads an integer from 0 to 2^53 - 1 in canonical decimal; `undefined` for other text. */
export function parseWholeNumber(text: string): number | undefined {
  const value = /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : undefined;
}

/** No int64 has more digits than 19. A number with many more is refused before it takes time. */
const MAX_BIGINT_DIGITS = 40;

/** Whether a JSON number is an integer as written: `1e-400` is not, although a JavaScript number rounds it to 0. */
export function isIntegerAsWritten(source: string): boolean {
  const numeral = parseNumeral(source);
  return numeral !== undefined && numeral.exponent >= 0;
}

/** Reads a JSON number as an exact integer; `undefined` for a fraction, and for more than 40 digits. */
export function parseBigint(source: string): bigint | undefined {
  // Nearly all are plain and short.
  if (/^-?\d{1,20}$/.test(source)) return BigInt(source);
  const numeral = parseNumeral(source);
  if (!numeral) return undefined;
  const { sign, digits, exponent } = numeral;
  if (digits === '') return 0n;
  if (exponent < 0 || digits.length + exponent > MAX_BIGINT_DIGITS) return undefined;
  return BigInt(`${sign}${digits}${'0'.repeat(exponent)}`);
}

/** Reads a JSON number that a JavaScript number holds exactly; `undefined` for any other. Never returns -0. */
export function parseExactNumber(source: string): number | undefined {
  const number = Number(source) + 0;
  const asWritten = parseNumeral(source);
  const asRead = parseNumeral(String(number));
  const isExact = asWritten?.digits === asRead?.digits && asWritten?.exponent === asRead?.exponent;
  return asWritten && isExact ? number : undefined;
}
