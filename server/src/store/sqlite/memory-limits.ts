import type { Principal } from '../../domain/access/api-key.ts';
import type { Ban } from '../../domain/access/bans.ts';
import { RateLimitCounters, WindowCount, type WindowName } from '../../domain/access/rate-limit.ts';
import type { Admission, LimitStatus } from '../../domain/store.ts';
import { BanTracker } from '../access/ban-tracker.ts';
import type { FinishedMinute, SavedCount } from './writer-messages.ts';

/** What the database has of the counts. */
export interface SavedUsage {
  readonly counts: readonly SavedCount[];
  /** The number of the newest minute in the history. */
  readonly finished: number;
}

/** What changed since the last successful save. */
export interface UsageChanges {
  readonly counts: readonly SavedCount[];
  readonly minutes: readonly FinishedMinute[];
}

interface AccountUsage {
  readonly counts: RateLimitCounters;
  /** The part of the minute's count that the history has, or that belongs to another minute. */
  recorded: number;
}

/**
 * The limits of the only process that serves its database: counts and bans are decided in memory, and the store
 * writes them every second. A crash loses at most that second.
 */
export class MemoryLimits {
  readonly #accounts = new Map<string, AccountUsage>();
  readonly #banTracker: BanTracker;
  #changedAccounts = new Set<string>();
  #finished: number;
  #minutes: FinishedMinute[] = [];

  constructor(saved: SavedUsage, onBan: (ban: Ban) => void) {
    this.#banTracker = new BanTracker(onBan);
    this.#finished = saved.finished;
    const windows = new Map<string, Partial<Record<WindowName, WindowCount>>>();
    const recorded = new Map<string, number>();
    for (const count of saved.counts) {
      const { accountId, window, label, used } = count;
      windows.set(accountId, { ...windows.get(accountId), [window]: new WindowCount(window, label, used) });
      if (window === 'minute') recorded.set(accountId, count.recorded);
    }
    for (const [accountId, { minute, day }] of windows) {
      const counts = new RateLimitCounters(minute, day);
      this.#accounts.set(accountId, { counts, recorded: recorded.get(accountId) ?? 0 });
    }
  }

  admit(principal: Principal, nowMs: number): Admission {
    const { key, account } = principal;
    const counts = this.#countsAt(account.id, nowMs);
    const ban = this.#banTracker.runningBan(key.id, nowMs);
    if (ban) {
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
    const counts = this.#countsAt(account.id, nowMs);
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

  /** What changed since the last call. The minutes are returned again until `noteSaved`. */
  takeChanges(): UsageChanges {
    const accountIds = this.#changedAccounts;
    this.#changedAccounts = new Set();
    const counts = [...accountIds].flatMap((accountId) => {
      const { counts, recorded } = this.#usageOf(accountId);
      const { minute, day } = counts;
      return [minute, day].map(({ name, label, used }) => {
        return { accountId, window: name, label, used, recorded: name === 'minute' ? recorded : 0 };
      });
    });
    return { counts, minutes: [...this.#minutes] };
  }

  /** Forgets the minutes of changes that were written. */
  noteSaved({ minutes }: UsageChanges): void {
    const last = minutes.at(-1)?.number ?? 0;
    this.#minutes = this.#minutes.filter(({ number }) => number > last);
  }

  /** Takes back counts that could not be written, for the next attempt. */
  returnChanges({ counts }: UsageChanges): void {
    for (const { accountId } of counts) this.#changedAccounts.add(accountId);
  }

  /**
   * The counts of an account in the windows of a moment. What the minute before has admitted since it began goes to the
   * history; where the clock has stepped back, the new minute begins with a count that is not its own.
   */
  #countsAt(accountId: string, nowMs: number): RateLimitCounters {
    const usage = this.#usageOf(accountId);
    const { counts, recorded } = usage;
    const { label, used } = counts.minute;
    counts.turnTo(nowMs);
    if (counts.minute.label === label) return counts;
    if (used > recorded) {
      this.#finished += 1;
      this.#minutes.push({ number: this.#finished, accountId, label, requests: used - recorded });
      // The database gets the count of the new minute with it.
      this.#changedAccounts.add(accountId);
    }
    usage.recorded = counts.minute.used;
    return counts;
  }

  #usageOf(accountId: string): AccountUsage {
    let usage = this.#accounts.get(accountId);
    if (!usage) {
      usage = { counts: new RateLimitCounters(), recorded: 0 };
      this.#accounts.set(accountId, usage);
    }
    return usage;
  }
}
