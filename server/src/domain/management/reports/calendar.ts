import { DAY_MS, HOUR_MS, MINUTE_MS } from '@petstore-inventory/shared/durations';
import type { ReportPer } from '@petstore-inventory/shared/words';
import { OperatorError } from '../../errors.ts';

/** Months and days of a time zone, for reports. */

/** A month such as `2026-07`, or a day such as `2026-07-14`: its first moment and the first one after it, in Unix milliseconds. */
interface CalendarPeriod {
  readonly name: string;
  readonly beganAtMs: number;
  readonly endedAtMs: number;
}

const OFFSET = /^[+-](?:0\d|1[0-4]):[0-5]\d$/;
/** The longest name of the IANA database has half as many characters. */
const MAX_ZONE = 64;
const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;
/** A leap year. */
export const MAX_REPORT_DAYS = 366;
/** No zone is further from UTC. */
const FURTHEST_MS = 15 * HOUR_MS;

/** Whether a text is `UTC`, an offset such as `+02:00`, or a name of the IANA database that the runtime knows. */
export function isTimeZone(text: string): boolean {
  if (OFFSET.test(text)) return true;
  if (text.length > MAX_ZONE || !NAME.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** Months and days as numbers: those since the year 0, and those since 1970. */
type PlaceOf = (atMs: number) => number;

interface Calendar {
  readonly placeOf: (date: Date) => number;
  /** The first moment of a place in UTC. */
  readonly utcMs: (place: number) => number;
  /** Characters of an ISO 8601 date. */
  readonly length: number;
}

const CALENDARS: Readonly<Record<ReportPer, Calendar>> = {
  month: {
    placeOf: (date) => date.getUTCFullYear() * 12 + date.getUTCMonth(),
    utcMs: (month) => Date.UTC(Math.floor(month / 12), month % 12),
    length: 7,
  },
  day: {
    placeOf: (date) => Math.floor(date.getTime() / DAY_MS),
    utcMs: (day) => day * DAY_MS,
    length: 10,
  },
};

/** A moment as the date of UTC that has the same digits as the local time. */
function localDates(timeZone: string): (atMs: number) => Date {
  if (OFFSET.test(timeZone)) {
    const [hours = 0, minutes = 0] = timeZone.slice(1).split(':').map(Number);
    const shiftMs = (hours * 60 + minutes) * (timeZone.startsWith('-') ? -MINUTE_MS : MINUTE_MS);
    return (atMs) => new Date(atMs + shiftMs);
  }
  const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  });
  return (atMs) => {
    const parts = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
    return new Date(Date.UTC(Number(parts.year), Number(parts.month) - 1, Number(parts.day)));
  };
}

/** The first moment of a place: that in UTC is at most 15 hours away. */
function beginOf(place: number, utcMs: number, placeOf: PlaceOf): number {
  let [before, from] = [utcMs - FURTHEST_MS, utcMs + FURTHEST_MS];
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (placeOf(middle) >= place) from = middle;
    else before = middle;
  }
  return from;
}

/** The first moment of a day such as `2026-07-14` in a time zone; where the zone left the day out, that of the next one. */
export function dayBegin(day: string, timeZone: string): number {
  const calendar = CALENDARS.day;
  const dateOf = localDates(timeZone);
  const utcMs = Date.parse(day);
  return beginOf(calendar.placeOf(new Date(utcMs)), utcMs, (atMs) => calendar.placeOf(dateOf(atMs)));
}

/**
 * The months or days in which the moments from `fromMs` to `toMs` are, both included, the earliest first. A day that a time
 * zone left out is not among them.
 * @throws OperatorError `invalid_parameter` for more than 366 days.
 */
export function calendarPeriods(
  fromMs: number,
  toMs: number,
  { timeZone, per }: { readonly timeZone: string; readonly per: ReportPer },
): readonly CalendarPeriod[] {
  const calendar = CALENDARS[per];
  const dateOf = localDates(timeZone);
  const placeOf = (atMs: number) => calendar.placeOf(dateOf(atMs));
  const first = placeOf(fromMs);
  if (per === 'day' && placeOf(toMs) - first >= MAX_REPORT_DAYS) {
    const days = `Rows per day are of at most ${MAX_REPORT_DAYS} days.`;
    throw new OperatorError(`${days} Give from and to, or ask for rows per month.`, {
      code: 'invalid_parameter',
    });
  }
  const periods: CalendarPeriod[] = [];
  const beginAt = (place: number) => beginOf(place, calendar.utcMs(place), placeOf);
  for (let place = first, beganAtMs = beginAt(first); beganAtMs <= toMs; place++) {
    const endedAtMs = beginAt(place + 1);
    const name = new Date(calendar.utcMs(place)).toISOString().slice(0, calendar.length);
    if (endedAtMs > beganAtMs) periods.push({ name, beganAtMs, endedAtMs });
    beganAtMs = endedAtMs;
  }
  return periods;
}
