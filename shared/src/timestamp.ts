const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,30}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const FIRST_YEAR = 1;
const LAST_YEAR = 9_999;
/** Added to a time between two milliseconds. */
const BETWEEN_MS = 0.5;

/**
 * Reads a date and time with offset (RFC 3339) of the years 0001 to 9999. Returns Unix milliseconds. A time between two
 * milliseconds returns the middle of them, because only the caller knows whether to round it up or down. A leap second
 * is the second after it, as in Unix time. Returns `undefined` for other text, also for a day that its month does not have.
 */
export function parseTimestamp(text: string): number | undefined {
  const match = RFC_3339.exec(text);
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const [fraction = '', sign, offsetHours = '0', offsetMinutes = '0'] = match.slice(7);
  if (year < FIRST_YEAR || hour > 23 || minute > 59 || second > 60) return undefined;
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return undefined;
  // `Date.UTC` adds 1900 to years before 100.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // `Date` turns 31 April into 1 May.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute, second, Number(fraction.slice(0, 3).padEnd(3, '0')));
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000;
  const atMs = date.getTime() - (sign === '-' ? -offset : offset);
  if (second === 60 && !isMonthStart(atMs)) return undefined;
  const utcYear = new Date(atMs).getUTCFullYear();
  if (utcYear < FIRST_YEAR || utcYear > LAST_YEAR) return undefined;
  return /[1-9]/.test(fraction.slice(3)) ? atMs + BETWEEN_MS : atMs;
}

/** A leap second is the last second of a month in UTC (RFC 3339 section 5.7). Which months have one is not checked. */
function isMonthStart(atMs: number): boolean {
  return new Date(atMs).toISOString().slice(8, 19) === '01T00:00:00';
}
