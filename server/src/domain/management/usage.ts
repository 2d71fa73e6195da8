/** Periods of the usage history, in UTC. */
export const USAGE_UNIT_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
export type UsageUnit = keyof typeof USAGE_UNIT_MS;

export const USAGE_UNITS = Object.keys(USAGE_UNIT_MS) as readonly UsageUnit[];

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

/** The requests of accounts that took something from their limits. */
export interface UsageHistory {
  /**
   * The periods with requests, the oldest first. On SQLite, requests of the last second may be missing.
   * @throws OperatorError `not_found` for an unknown account.
   */
  read(accountId: string, query: UsageQuery): Promise<readonly UsagePeriod[]>;
}
