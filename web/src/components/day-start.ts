import { DAY_MS } from '@petstore-inventory/shared/durations';

/**
 * The moment at which a day begins in the person's zone.
 * @param day As a date field has it, such as 2026-11-22.
 * @returns `undefined` if there is no such day.
 */
export function dayStart(day: string, daysLater = 0): string | undefined {
  const moment = new Date(`${day}T00:00`);
  if (Number.isNaN(moment.getTime())) return undefined;
  // Not by hours: where the clock changes, a day has 23 or 25.
  moment.setDate(moment.getDate() + daysLater);
  return moment.toISOString();
}

/** A day of the person's calendar, `daysLater` days after that of a moment, as a date field has it. */
export function calendarDay(nowMs: number, daysLater: number): string {
  const now = new Date(nowMs);
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + daysLater);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/** The last day of the month before, as a date field has it. */
export function lastMonthEnd(nowMs: number): string {
  return calendarDay(nowMs, -new Date(nowMs).getDate());
}

/** The first and the last day of the month before. */
export function lastMonth(nowMs: number): { readonly from: string; readonly until: string } {
  const until = lastMonthEnd(nowMs);
  return { from: until.replace(/..$/, '01'), until };
}

/** At most ten midnights of the person between two moments, always the same number of days apart. */
export function midnights(fromMs: number, toMs: number): number[] {
  const stepDays = Math.max(1, Math.ceil((toMs - fromMs) / DAY_MS / 10));
  const from = new Date(fromMs);
  const found: number[] = [];
  for (let days = 1; ; days += stepDays) {
    const at = new Date(from.getFullYear(), from.getMonth(), from.getDate() + days).getTime();
    if (at >= toMs) return found;
    found.push(at);
  }
}

/** The person's time zone, as the service takes it. A device whose own one is not known has `Etc/Unknown`, and the days of UTC. */
export function ownTimeZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return !timeZone || timeZone === 'Etc/Unknown' ? 'UTC' : timeZone;
}
