import type { Account, AccountUsage, UsageUnit } from '../../../api/schemas.ts';

/** How many periods the chart shows, with the current one. */
export const SHOWN_PERIODS: Readonly<Record<UsageUnit, number>> = { minute: 60, hour: 48, day: 30 };
const UNIT_MS: Readonly<Record<UsageUnit, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

export interface Period {
  readonly beganAt: Date;
  readonly requests: number;
}

/** All periods of a range. The service leaves out those without requests. */
export function allPeriods({ unit, since, until, periods }: AccountUsage): readonly Period[] {
  const requests = new Map(periods.map((period) => [Date.parse(period.beganAt), period.requests]));
  const sinceMs = Date.parse(since);
  const count = Math.ceil((Date.parse(until) - sinceMs) / UNIT_MS[unit]);
  return Array.from({ length: count }, (_, index) => {
    const beganAtMs = sinceMs + index * UNIT_MS[unit];
    return { beganAt: new Date(beganAtMs), requests: requests.get(beganAtMs) ?? 0 };
  });
}

/** A lower share of the limit could not be seen on an axis up to the limit. */
const VISIBLE_SHARE = 0.2;

/** The limit, if columns against it can be read; else the axis ends with the columns. */
export function visibleLimit(periods: readonly Period[], limit: number | undefined): number | undefined {
  if (limit === undefined) return undefined;
  return periods.some(({ requests }) => requests >= limit * VISIBLE_SHARE) ? limit : undefined;
}

/** The limit of a period; an hour has none. */
export function limitOf({ perMinute, perDay }: Account, unit: UsageUnit): number | undefined {
  return { minute: perMinute, hour: undefined, day: perDay }[unit];
}
