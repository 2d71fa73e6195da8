import type { ShopUsage, UsagePeriod, UsageQuery } from '../domain/management/usage.ts';
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

/** The members of the usage of all accounts in JSON. */
export function shopUsageMembers(query: UsageQuery, { periods, accounts }: ShopUsage) {
  return {
    ...usageMembers(query, periods),
    accounts: accounts.map(({ id, name, requests, fullPeriods }) => ({ id, name, requests, fullPeriods })),
  };
}
