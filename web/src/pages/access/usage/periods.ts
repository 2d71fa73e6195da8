import { DAY_MS, HOUR_MS, MINUTE_MS } from '@petstore-inventory/shared/durations';
import type { Usage, UsageUnit } from '../../../api/schemas.ts';

/** How many periods a chart shows, with the current one. */
export const SHOWN_PERIODS: Readonly<Record<UsageUnit, number>> = { minute: 60, hour: 48, day: 30 };
export const UNIT_MS: Readonly<Record<UsageUnit, number>> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
};

export interface Period {
  readonly beganAt: Date;
  readonly requests: number;
}

/**
 * The last periods of a response, also those without requests, which the service leaves out. A browser whose clock is behind
 * requests more than are shown.
 */
export function lastPeriods(
  usage: Pick<Usage, 'unit' | 'since' | 'until' | 'periods'> | undefined,
  count: number,
): readonly Period[] {
  if (!usage) return [];
  const { unit, since, until, periods } = usage;
  const requests = new Map(periods.map((period) => [Date.parse(period.beganAt), period.requests]));
  const sinceMs = Date.parse(since);
  const all = Math.ceil((Date.parse(until) - sinceMs) / UNIT_MS[unit]);
  return Array.from({ length: all }, (_, index) => {
    const beganAtMs = sinceMs + index * UNIT_MS[unit];
    return { beganAt: new Date(beganAtMs), requests: requests.get(beganAtMs) ?? 0 };
  }).slice(-count);
}

export function sumOf(periods: readonly Pick<Period, 'requests'>[]): number {
  return periods.reduce((sum, { requests }) => sum + requests, 0);
}

/** The requests of the same period of the time before, as its response has them; `undefined` while they are not known. */
export function requestsBefore(
  usage: Parameters<typeof lastPeriods>[0],
  count: number,
): (period: Period) => number | undefined {
  if (!usage) return () => undefined;
  const requests = new Map(
    lastPeriods(usage, count).map((period) => [period.beganAt.getTime(), period.requests]),
  );
  return ({ beganAt }) => requests.get(beganAt.getTime() - count * UNIT_MS[usage.unit]) ?? 0;
}
