/** Months of a time zone, for reports. */

/** A month, such as `2026-07`, with its first moment and the first moment after it, in Unix milliseconds. */
export interface Month {
  readonly month: string;
  readonly beganAtMs: number;
  readonly endedAtMs: number;
}

const OFFSET = /^[+-](?:0\d|1[0-4]):[0-5]\d$/;
/** The longest name of the IANA database has half as many characters. */
const MAX_ZONE = 64;
const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;
/** No zone is further from UTC. */
const FURTHEST_MS = 15 * 3_600_000;

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

/** Months as numbers: those since the year 0. */
type MonthOf = (atMs: number) => number;

function monthIn(timeZone: string): MonthOf {
  if (OFFSET.test(timeZone)) {
    const [hours = 0, minutes = 0] = timeZone.slice(1).split(':').map(Number);
    const shiftMs = (hours * 60 + minutes) * (timeZone.startsWith('-') ? -60_000 : 60_000);
    return (atMs) => {
      const local = new Date(atMs + shiftMs);
      return local.getUTCFullYear() * 12 + local.getUTCMonth();
    };
  }
  const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
  });
  return (atMs) => {
    const parts = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
    return Number(parts.year) * 12 + Number(parts.month) - 1;
  };
}

/** The first moment of a month: that in UTC is at most 15 hours away. */
function beginOf(month: number, monthOf: MonthOf): number {
  const utcMs = Date.UTC(Math.floor(month / 12), month % 12);
  let [before, from] = [utcMs - FURTHEST_MS, utcMs + FURTHEST_MS];
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (monthOf(middle) >= month) from = middle;
    else before = middle;
  }
  return from;
}

/** The months in which the moments from `fromMs` to `toMs` are, both included, the earliest first. */
export function monthsBetween(fromMs: number, toMs: number, timeZone: string): readonly Month[] {
  const monthOf = monthIn(timeZone);
  const months: Month[] = [];
  let month = monthOf(fromMs);
  let beganAtMs = beginOf(month, monthOf);
  while (beganAtMs <= toMs) {
    const endedAtMs = beginOf(month + 1, monthOf);
    const name = `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;
    months.push({ month: name, beganAtMs, endedAtMs });
    [month, beganAtMs] = [month + 1, endedAtMs];
  }
  return months;
}
