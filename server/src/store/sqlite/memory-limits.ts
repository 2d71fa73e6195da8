import type { Principal } from '../../domain/access/api-key.ts';
import type { Ban } from '../../domain/access/bans.ts';
import { RateLimitCounters, WindowCount, type WindowName } from '../../domain/access/rate-limit.ts';
import type { Admission, LimitStatus } from '../../domain/store.ts';
import { BanTracker } from '../access/ban-tracker.ts';
import type { SavedCount } from './writer-messages.ts';

/**
 * The limits of the only process that serves its database: counts and bans are decided in memory, and the store
 * writes them every second. A crash loses at most that second.
 */
export class MemoryLimits {
  readonly #counts = new Map<string, RateLimitCounters>();
  readonly #banTracker: BanTracker;
  #changedAccounts = new Set<string>();

  constructor(saved: readonly SavedCount[], onBan: (ban: Ban) => void) {
    this.#banTracker = new BanTracker(onBan);
    const windows = new Map<string, Partial<Record<WindowName, WindowCount>>>();
    for (const { accountId, window, label, used } of saved) {
      windows.set(accountId, { ...windows.get(accountId), [window]: new WindowCount(window, label, used) });
    }
    for (const [accountId, { minute, day }] of windows)
      this.#counts.set(accountId, new RateLimitCounters(minute, day));
  }

  admit(principal: Principal, nowMs: number): Admission {
    const { key, account } = principal;
    const counts = this.#countsOf(account.id);
    const ban = this.#banTracker.runningBan(key.id, nowMs);
    if (ban) {
      counts.turnTo(nowMs);
      const windows = counts.usage(account.limits);
      return { windows, refusal: this.#banTracker.refuseBanned(ban, windows), atMs: nowMs };
    }
    const violated = counts.charge(account.limits, nowMs);
    const windows = counts.usage(account.limits);
    if (violated === undefined) {
      this.#changedAccounts.add(account.id);
      return { windows, refusal: undefined, atMs: nowMs };
    }
    return { windows, refusal: this.#banTracker.refuse(principal, violated, windows, nowMs), atMs: nowMs };
  }

  limitStatus({ key, account }: Principal, nowMs: number): LimitStatus {
    const counts = this.#countsOf(account.id);
    counts.turnTo(nowMs);
    const ban = this.#banTracker.runningBan(key.id, nowMs);
    return { windows: counts.usage(account.limits), ban, atMs: nowMs };
  }

  /**
   * Replaces the bans with the database's, because another process may have lifted one. Returns those that were
   * lifted.
   */
  setBans(bans: readonly Ban[]): readonly Ban[] {
    return this.#banTracker.setBans(bans);
  }

  /** The counts that changed since the last call. */
  takeChangedCounts(): SavedCount[] {
    const accountIds = this.#changedAccounts;
    this.#changedAccounts = new Set();
    return [...accountIds].flatMap((accountId) => {
      const { minute, day } = this.#countsOf(accountId);
      return [minute, day].map(({ name, label, used }) => ({ accountId, window: name, label, used }));
    });
  }

  /** Takes back counts that could not be written, for the next attempt. */
  returnChangedCounts(counts: readonly SavedCount[]): void {
    for (const { accountId } of counts) this.#changedAccounts.add(accountId);
  }

  #countsOf(accountId: string): RateLimitCounters {
    let counts = this.#counts.get(accountId);
    if (!counts) {
      counts = new RateLimitCounters();
      this.#counts.set(accountId, counts);
    }
    return counts;
  }
}
