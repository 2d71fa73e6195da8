import type { Ban } from '../../domain/access/bans.ts';
import type { Principal } from '../../domain/access/principal.ts';
import { RateLimitCounters, WindowCount, type WindowName } from '../../domain/access/rate-limit.ts';
import { reachedLevels } from '../../domain/management/usage-events.ts';
import type { Admission, LimitStatus } from '../../domain/store.ts';
import { BanTracker } from '../access/bans.ts';
import type { FinishedMinute, QuotaNotice, SavedCount } from './writer-messages.ts';

/** Counts that are saved in the database. */
interface SavedUsage {
  readonly counts: readonly SavedCount[];
  /** The number of the newest minute in the history. */
  readonly finished: number;
}

/** Changes since the last successful save. */
interface UsageChanges {
  readonly counts: readonly SavedCount[];
  readonly minutes: readonly FinishedMinute[];
  readonly quotas: readonly QuotaNotice[];
}

interface AccountUsage {
  readonly counts: RateLimitCounters;
  /** The part of the minute's count that the history has, or that belongs to another minute. */
  recorded: number;
  /** The day's limit of the last request, which may be one that it refused. */
  perDay: number;
  lastAtMs: number;
  /** The day and the number of levels whose notices were made. */
  noted: { readonly dayLabel: number; readonly levels: number };
}

const NOTHING_NOTED = { dayLabel: -1, levels: 0 };

function newUsage(counts: RateLimitCounters, recorded: number): AccountUsage {
  return { counts, recorded, perDay: Infinity, lastAtMs: 0, noted: NOTHING_NOTED };
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
  #quotas: QuotaNotice[] = [];

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
      this.#accounts.set(accountId, newUsage(counts, recorded.get(accountId) ?? 0));
    }
  }

  admit(principal: Principal, nowMs: number): Admission {
    const { key, account } = principal;
    const usage = this.#turnedTo(account.id, nowMs);
    const { counts } = usage;
    const ban = this.#banTracker.runningBan(key.id, nowMs);
    if (ban) {
      const windows = counts.usage(account.limits);
      return { windows, refusal: this.#banTracker.refuseBanned(ban, windows), atMs: nowMs };
    }
    const violated = counts.charge(account.limits, nowMs);
    const windows = counts.usage(account.limits);
    // A limit that was lowered can be reached with a request that it refuses.
    if (violated === undefined || usage.perDay !== account.limits.perDay) {
      this.#changedAccounts.add(account.id);
      usage.perDay = account.limits.perDay;
      usage.lastAtMs = nowMs;
    }
    if (violated === undefined) return { windows, refusal: undefined, atMs: nowMs };
    return { windows, refusal: this.#banTracker.refuse(principal, violated, windows, nowMs), atMs: nowMs };
  }

  limitStatus({ key, account }: Principal, nowMs: number): LimitStatus {
    const { counts } = this.#turnedTo(account.id, nowMs);
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

  /** Changes since the last call. Minutes and quotas are returned again until `noteSaved`. */
  takeChanges(): UsageChanges {
    const accountIds = this.#changedAccounts;
    this.#changedAccounts = new Set();
    const counts = [...accountIds].flatMap((accountId) => {
      const usage = this.#usageOf(accountId);
      this.#noteQuota(accountId, usage);
      const { counts, recorded } = usage;
      const { minute, day } = counts;
      return [minute, day].map(({ name, label, used }) => {
        return { accountId, window: name, label, used, recorded: name === 'minute' ? recorded : 0 };
      });
    });
    return { counts, minutes: [...this.#minutes], quotas: [...this.#quotas] };
  }

  /** Forgets minutes and quotas that were written. */
  noteSaved({ minutes, quotas }: UsageChanges): void {
    const last = minutes.at(-1)?.number ?? 0;
    this.#minutes = this.#minutes.filter(({ number }) => number > last);
    this.#quotas = this.#quotas.filter((quota) => !quotas.includes(quota));
  }

  /** Takes back counts that could not be written, for the next attempt. */
  returnChanges({ counts }: UsageChanges): void {
    for (const { accountId } of counts) this.#changedAccounts.add(accountId);
  }

  /**
   * The usage of an account in the windows of a moment. What the minute before has admitted since it began goes to the
   * history; where the clock has stepped back, the new minute begins with a count that is not its own.
   */
  #turnedTo(accountId: string, nowMs: number): AccountUsage {
    const usage = this.#usageOf(accountId);
    const { counts, recorded } = usage;
    const { label, used } = counts.minute;
    if (counts.minute.isAt(nowMs)) return usage;
    this.#noteQuota(accountId, usage);
    counts.turnTo(nowMs);
    if (used > recorded) {
      this.#finished += 1;
      this.#minutes.push({ number: this.#finished, accountId, label, requests: used - recorded });
      // The database gets the count of the new minute with it.
      this.#changedAccounts.add(accountId);
    }
    usage.recorded = counts.minute.used;
    return usage;
  }

  /** Adds a notice for each level of the day's limit that was reached since the last call. */
  #noteQuota(accountId: string, usage: AccountUsage): void {
    const { counts, perDay: limit, lastAtMs: atMs, noted } = usage;
    const { label: dayLabel, used } = counts.day;
    const levels = reachedLevels(used, limit);
    const known = noted.dayLabel === dayLabel ? noted.levels : 0;
    if (levels.length <= known) return;
    usage.noted = { dayLabel, levels: levels.length };
    for (const percent of levels.slice(known)) {
      this.#quotas.push({ accountId, dayLabel, percent, limit, used, atMs });
    }
  }

  #usageOf(accountId: string): AccountUsage {
    let usage = this.#accounts.get(accountId);
    if (!usage) {
      usage = newUsage(new RateLimitCounters(), 0);
      this.#accounts.set(accountId, usage);
    }
    return usage;
  }
}
