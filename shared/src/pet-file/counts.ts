import { MAX_QUANTITY } from '../limits.ts';
import type { Decimal } from '../words.ts';

/** A text that is one count in one country and another number elsewhere. */
export class AmbiguousCount {
  readonly text: string;
  /** The count as it reads with grouped thousands, and with decimals. */
  readonly readings: readonly [grouped: string, decimal: string];
  /** The mark of decimals with which it is the first reading. */
  readonly grouping: Decimal;

  constructor(text: string, readings: readonly [grouped: string, decimal: string], grouping: Decimal) {
    this.text = text;
    this.readings = readings;
    this.grouping = grouping;
  }
}

const PLAIN = /^-?\d+$/;
/** Longer ones are no counts. */
const MAX_CHARACTERS = 60;
const MARK = /[., '\u00a0\u202f\u2019]/;
/** Digits with single marks between them. */
const MARKED = /^-?\d+(?:[., '\u00a0\u202f\u2019]\d+)+$/;
/** The digits before the first mark of groups. */
const GROUP_HEAD = /^-?[1-9]\d{0,2}$/;
const ZEROS = /^0+$/;

interface SpelledNumber {
  /** With its sign. */
  readonly whole: string;
  readonly fraction: string;
  /** The mark of decimals that the text proves; `undefined`: none, or either. */
  readonly decimal: Decimal | undefined;
}

/**
 * Reads a count as people and spreadsheets write it: `1200`, `1200,00`, `1.200.000`, `1.200,00`, `1 200`. Other texts than a
 * whole number return `undefined`.
 * @param decimal What decides where a mark has two readings, as in `1.200`.
 */
export function parseCount(given: string, decimal?: Decimal): number | AmbiguousCount | undefined {
  // Nearly all.
  if (PLAIN.test(given)) return exact(given);
  const text = given.trim();
  if (PLAIN.test(text)) return exact(text);
  const number = spelledNumber(text, decimal);
  if (number === undefined || number instanceof AmbiguousCount) return number;
  return number.fraction === '' || ZEROS.test(number.fraction) ? exact(number.whole) : undefined;
}

/** The mark of decimals that a number proves: a comma in `12,5` and `1.200.000`, a point in `1,200.5`. */
export function provenDecimal(text: string): Decimal | undefined {
  if (PLAIN.test(text)) return undefined;
  const number = spelledNumber(text.trim());
  return number instanceof AmbiguousCount ? undefined : number?.decimal;
}

function spelledNumber(text: string, decimal?: Decimal): SpelledNumber | AmbiguousCount | undefined {
  if (text.length > MAX_CHARACTERS || !MARKED.test(text)) return undefined;
  const parts = text.split(MARK);
  const marks = text.split(/[-\d]+/).filter((mark) => mark !== '');
  const last = marks.at(-1) ?? '';
  const isSame = marks.every((mark) => mark === last);
  const [head = '', ...others] = parts;
  const end = others.at(-1) ?? '';
  const isGrouped = GROUP_HEAD.test(head) && others.every(({ length }) => length === 3);
  const grouped = { whole: parts.join(''), fraction: '', decimal: otherMark(last) };
  if (isSame && isGrouped && (marks.length > 1 || nameOf(last) === undefined)) return grouped;
  if (isSame && isGrouped) return ambiguous(text, { head, end, mark: last }, decimal);
  const named = nameOf(last);
  const before = marks.slice(0, -1);
  const groupsBefore = others.slice(0, -1);
  const isWhole =
    before.length === 0 ||
    (GROUP_HEAD.test(head) &&
      before.every((mark) => mark === before[0] && mark !== last) &&
      groupsBefore.every(({ length }) => length === 3));
  if (named === undefined || !isWhole) return undefined;
  return { whole: head + groupsBefore.join(''), fraction: end, decimal: named };
}

/** A text such as `1.200`, unless it is known what its mark is. */
function ambiguous(
  text: string,
  { head, end, mark }: { readonly head: string; readonly end: string; readonly mark: string },
  decimal: Decimal | undefined,
): SpelledNumber | AmbiguousCount {
  const grouping = otherMark(mark) as Decimal;
  if (decimal === undefined) {
    return new AmbiguousCount(text, [head + end, String(Number(`${head}.${end}`))], grouping);
  }
  const [whole, fraction] = decimal === grouping ? [head + end, ''] : [head, end];
  return { whole, fraction, decimal: undefined };
}

function nameOf(mark: string): Decimal | undefined {
  if (mark === ',') return 'comma';
  return mark === '.' ? 'point' : undefined;
}

/** The mark of decimals of a number whose groups have this mark. */
function otherMark(mark: string): Decimal | undefined {
  if (mark === ',') return 'point';
  return mark === '.' ? 'comma' : undefined;
}

function exact(digits: string): number | undefined {
  // The sum has no -0.
  const number = Number(digits) + 0;
  return Math.abs(number) <= MAX_QUANTITY ? number : undefined;
}
