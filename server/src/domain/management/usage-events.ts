import type { Ban } from '../access/bans.ts';
import { WINDOW_MS } from '../access/rate-limit.ts';
import { timestamp } from '../timestamps.ts';

/** Shares of the day's limit, in percent, that are reported: one time per account and day. */
export const QUOTA_LEVELS = [80, 100] as const;

/** An account that has used a share of its requests of a day. */
export interface ReachedQuota {
  readonly accountId: string;
  /** The number of days since 1970. */
  readonly dayLabel: number;
  readonly percent: number;
  readonly limit: number;
  readonly used: number;
}

/** The levels that this use of a day has reached. */
export function reachedLevels(used: number, limit: number): readonly number[] {
  return QUOTA_LEVELS.filter((percent) => used * 100 >= limit * percent);
}

/** The members of the `data` of `quota.reached`. */
export function quotaEventMembers({ accountId, percent, limit, used, dayLabel }: ReachedQuota) {
  return { accountId, percent, limit, used, windowEndsAt: timestamp((dayLabel + 1) * WINDOW_MS.day) };
}

export function quotaEventData(quota: ReachedQuota): string {
  return JSON.stringify(quotaEventMembers(quota));
}

/** A ban with the key and the account that it concerns. */
export interface ReportedBan extends Ban {
  readonly accountId: string;
  readonly hint: string;
}

/** The members of the `data` of `api_key.banned`. */
export function banEventMembers({ accountId, keyId, hint, level, bannedAtMs, endsAtMs }: ReportedBan) {
  return { accountId, keyId, hint, level, bannedAt: timestamp(bannedAtMs), endsAt: timestamp(endsAtMs) };
}

export function banEventData(ban: ReportedBan): string {
  return JSON.stringify(banEventMembers(ban));
}
