import type { UsagePeriod, UsageQuery } from '../domain/management/usage.ts';
import { timestamp } from '../domain/timestamps.ts';

/** The members of the usage of an account in JSON. */
export function usageMembers({ unit, sinceMs, untilMs }: UsageQuery, periods: readonly UsagePeriod[]) {
  return {
    unit,
    since: timestamp(sinceMs),
    until: timestamp(untilMs),
    requests: periods.reduce((sum, { requests }) => sum + requests, 0),
    periods: periods.map(({ beganAtMs, requests }) => ({ beganAt: timestamp(beganAtMs), requests })),
  };
}
