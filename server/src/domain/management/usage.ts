import { DAY_MS, HOUR_MS, MINUTE_MS } from '@petstore-inventory/shared/durations';
import type { UsageUnit } from '@petstore-inventory/shared/words';
import { OperatorError } from '../errors.ts';

/** Periods of the usage history, in UTC. */
export const USAGE_UNIT_MS = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS } as const;

/** How long the history has the periods of a unit: minutes for 48 hours, hours for 90 days, days for 5 years. */
export const USAGE_RETENTION_MS: Readonly<Record<UsageUnit, number>> = {
  minute: 48 * USAGE_UNIT_MS.hour,
  hour: 90 * USAGE_UNIT_MS.day,
  day: 5 * 366 * USAGE_UNIT_MS.day,
};

/** The admitted requests of an account in a period. */
export interface UsagePeriod {
  readonly beganAtMs: number;
  readonly requests: number;
}

export interface UsageQuery {
  readonly unit: UsageUnit;
  /** The first period is that of this moment. */
  readonly sinceMs: number;
  /** The last period begins before this moment. */
  readonly untilMs: number;
}

/** Accounts that the usage of all accounts names at most. */
export const MAX_BUSIEST = 1_000;

/** The admitted requests of one account in a range. */
export interface AccountTotal {
  readonly id: string;
  readonly name: string;
  readonly requests: number;
  /** Minutes or days in which it used its whole limit; `null` for hours, which have no limit. */
  readonly fullPeriods: number | null;
}

/** The admitted requests of all accounts in a range. */
export interface ShopUsage {
  /** The periods with requests, the oldest first. */
  readonly periods: readonly UsagePeriod[];
  /** Accounts with requests, the busiest first: `MAX_BUSIEST` at most. */
  readonly accounts: readonly AccountTotal[];
}

/** The requests of accounts that took something from their limits. */
export interface UsageHistory {
  /**
   * The periods with requests, the oldest first. On SQLite, requests of the last second may be missing.
   * @throws OperatorError `not_found` for an unknown account.
   */
  read(accountId: string, query: UsageQuery): Promise<readonly UsagePeriod[]>;

  /** The periods with requests of all accounts together, and the sums of each account. */
  readAll(query: UsageQuery): Promise<ShopUsage>;
}

/** The choice of a caller; whatever is missing has a default. */
interface UsageChoice {
  readonly unit?: UsageUnit | undefined;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

/** Periods without a `sinceMs`: an hour of minutes, a day of hours, a month of days. */
const DEFAULT_PERIODS = { minute: 60, hour: 24, day: 30 } as const;

/**
 * A range of at most as many periods as the history keeps.
 * @throws OperatorError `invalid_parameter` for a longer range, or one that does not begin before it ends.
 */
export function usageQuery(choice: UsageChoice, nowMs: number): UsageQuery {
  const { unit = 'hour' } = choice;
  const unitMs = USAGE_UNIT_MS[unit];
  const untilMs = Math.ceil(choice.untilMs ?? nowMs);
  const wantedMs = choice.sinceMs ?? untilMs - DEFAULT_PERIODS[unit] * unitMs;
  if (wantedMs >= untilMs) throw invalid('since must be before until.');
  const sinceMs = Math.floor(wantedMs / unitMs) * unitMs;
  if (untilMs - sinceMs > USAGE_RETENTION_MS[unit] + unitMs) {
    throw invalid(`since and until may be ${USAGE_RETENTION_MS[unit] / unitMs} ${unit}s apart at most.`);
  }
  return { unit, sinceMs, untilMs };
}

function invalid(message: string): OperatorError {
  return new OperatorError(message, { code: 'invalid_parameter' });
}
