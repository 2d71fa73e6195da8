import { serviceNow } from '../api/service-clock.ts';

/** A number with the plural that its language has for it. In a text it is the number. */
export interface Count {
  readonly isOne: boolean;
  toString(): string;
}

/** Numbers and times in the person's locale. */
export interface Format {
  readonly locale: string;
  /** A whole number; a text has more digits than a number can hold. */
  quantity(value: number | string): string;
  /** A whole number that a text counts by. `isLeast`: there may be more, as of a list that was not read whole. */
  count(value: number, isLeast?: boolean): Count;
  /** A change with its sign: +3, −2. */
  change(value: number): string;
  decimal(value: number): string;
  bytes(value: number): string;
  dateTime(moment: Date): string;
  time(moment: Date): string;
  date(moment: Date): string;
  /** Day and month, for axes. */
  day(moment: Date): string;
  /** A day as a heading, such as "Thursday 20 November". */
  weekday(moment: Date): string;
  /** A day of UTC, such as "3 Oct". */
  utcDay(moment: Date): string;
  /** A month such as "2026-07", as "Jul 2026". */
  month(month: string): string;
  percent(share: number): string;
  /** A share with its sign: +12%, −3%. */
  share(share: number): string;
  /** A time before or after now, such as "4 minutes ago". */
  relative(moment: Date, nowMs?: number): string;
  compare(a: string, b: string): number;
}

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];
const NOW_SECONDS = 5;
/** As wide as a plus sign, unlike the hyphen. */
const MINUS = '−';

export function createFormat(locale: string, nowText: string): Format {
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const plurals = new Intl.PluralRules(locale);
  const signed = new Intl.NumberFormat(locale, { maximumFractionDigits: 0, signDisplay: 'exceptZero' });
  const decimals = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const dateTimes = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  const times = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const days = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
  const weekdays = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' });
  // In German, the narrow form of minutes is that of metres.
  const style = locale.startsWith('en') ? 'narrow' : 'short';
  // Not `auto`: 36 hours before this morning are no `yesterday`, and 40 days no `last month`.
  const relatives = new Intl.RelativeTimeFormat(locale, { numeric: 'always', style });
  const utcDays = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const months = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' });
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const shares = new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  });
  const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  const quantity: Format['quantity'] = (value) =>
    whole.format(typeof value === 'string' ? BigInt(value) : value).replace('-', MINUS);
  return {
    locale,
    quantity,
    count: (value, isLeast = false) => ({
      isOne: !isLeast && plurals.select(value) === 'one',
      toString: () => (isLeast ? `${quantity(value)}+` : quantity(value)),
    }),
    change: (value) => signed.format(value).replace('-', MINUS),
    decimal: (value) => decimals.format(value),
    bytes: (value) => formatBytes(value, locale),
    dateTime: (moment) => dateTimes.format(moment),
    time: (moment) => times.format(moment),
    date: (moment) => dates.format(moment),
    day: (moment) => days.format(moment),
    weekday: (moment) => weekdays.format(moment),
    utcDay: (moment) => utcDays.format(moment),
    month: (month) => months.format(new Date(`${month}-01T00:00:00Z`)),
    percent: (share) => percents.format(share),
    share: (share) => shares.format(share).replace('-', MINUS),
    relative: (moment, nowMs = serviceNow()) => {
      const seconds = Math.round((moment.getTime() - nowMs) / 1_000);
      if (Math.abs(seconds) < NOW_SECONDS) return nowText;
      const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
      return relatives.format(Math.trunc(seconds / size), unit);
    },
    compare: collator.compare,
  };
}

function formatBytes(bytes: number, locale: string): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const options = { style: 'unit', unit: units[step] as string, maximumFractionDigits: 1 } as const;
  // "179 bytes", and "1.8 kB".
  const unitDisplay = step === 0 ? 'long' : 'short';
  return new Intl.NumberFormat(locale, { ...options, unitDisplay }).format(bytes / 1_000 ** step);
}
