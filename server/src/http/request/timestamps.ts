const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,30}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const FIRST_YEAR = 1;
const LAST_YEAR = 9_999;
/** What stands for the rest of a moment that lies between two milliseconds. */
const BETWEEN_MS = 0.5;

/**
 * Reads a date and time with offset as RFC 3339 has it, in years 0001 to 9999, in Unix milliseconds. What is finer than
 * a millisecond comes out as half of one: callers round to where it belongs. A leap second is read as the second after it, as in Unix time.
 */
export function parseTimestamp(text: string): number | undefined {
  const match = RFC_3339.exec(text);
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const [fraction = '', sign, offsetHours = '0', offsetMinutes = '0'] = match.slice(7);
  if (year < FIRST_YEAR || hour > 23 || minute > 59 || second > 60) return undefined;
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return undefined;
  // `Date.UTC` takes the years before 100 for those of the last century.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // A day that there is not, such as 31 April or 29 February of most years, became one of another month.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute, second, Number(fraction.slice(0, 3).padEnd(3, '0')));
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000;
  const atMs = date.getTime() - (sign === '-' ? -offset : offset);
  if (second === 60 && !isMonthStart(atMs)) return undefined;
  const utcYear = new Date(atMs).getUTCFullYear();
  if (utcYear < FIRST_YEAR || utcYear > LAST_YEAR) return undefined;
  return /[1-9]/.test(fraction.slice(3)) ? atMs + BETWEEN_MS : atMs;
}

/** A leap second is the last one of a month, in UTC (RFC 3339 section 5.7). Which months have one is not checked. */
function isMonthStart(atMs: number): boolean {
  return new Date(atMs).toISOString().slice(8, 19) === '01T00:00:00';
}
