import type { Limits } from '../../domain/access/plans.ts';
import {
  RateLimitCounters,
  WindowCount,
  type WindowName,
  type WindowUsage,
} from '../../domain/access/rate-limit.ts';
import type { LedgerHead } from '../../domain/ledger/ledger.ts';

/** A row of the statement `usage`. */
export interface UsageRow extends Limits {
  readonly accountId: string;
  readonly nowMs: number;
  readonly minuteLabel: number;
  readonly minuteUsed: number;
  readonly dayLabel: number;
  readonly dayUsed: number;
}

/** A row of the statement `charge`. */
export interface ChargeRow extends UsageRow, LedgerHead {
  /** The number of the batch's requests of this account that were admitted. */
  readonly admitted: number;
  readonly accessVersion: number;
}

/** @param later Requests of the same batch that were admitted later; they are not counted. */
export function countsOf(
  { minuteLabel, minuteUsed, dayLabel, dayUsed }: UsageRow,
  later: number,
): RateLimitCounters {
  return new RateLimitCounters(
    new WindowCount('minute', minuteLabel, minuteUsed - later),
    new WindowCount('day', dayLabel, dayUsed - later),
  );
}

export function isSame(one: Limits, other: Limits): boolean {
  return one.perMinute === other.perMinute && one.perDay === other.perDay;
}

/** The exhausted window that resets last. */
export function exhaustedWindow(windows: readonly WindowUsage[]): WindowName | undefined {
  return windows.findLast(({ remaining }) => remaining === 0)?.name;
}

export function missingAccount(id: string): Error {
  return new Error(`Account ${id} has no row of usage.`);
}
