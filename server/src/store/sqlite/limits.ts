import type { KeyHolder } from '../../domain/api-key.ts';
import { type Ban, Conduct } from '../../domain/bans.ts';
import { Counts, WindowCount, type WindowName, type WindowUsage } from '../../domain/quota.ts';
import type { Admission, Refusal, Standing } from '../../domain/store.ts';
import type { SavedCount } from './writes.ts';

const CODE_OF_WINDOW = { minute: 'rate_limit_exceeded', day: 'daily_quota_exceeded' } as const;

/** The last moment at which one of the exhausted windows, or else `earliestMs`, ends. */
function latestReset(windows: readonly WindowUsage[], earliestMs: number): number {
  return windows.reduce(
    (at, { remaining, resetAtMs }) => (remaining === 0 ? Math.max(at, resetAtMs) : at),
    earliestMs,
  );
}

/**
 * The limits of a process that alone serves its database: counts and bans are decided in memory, and written
 * down by the store every second. A crash forgets at most that second.
 */
export class MemoryLimits {
  readonly #counts = new Map<string, Counts>();
  readonly #conducts = new Map<string, Conduct>();
  #changedAccounts = new Set<string>();
  readonly #onBan: (ban: Ban) => void;

  constructor(saved: readonly SavedCount[], onBan: (ban: Ban) => void) {
    this.#onBan = onBan;
    const windows = new Map<string, Partial<Record<WindowName, WindowCount>>>();
    for (const { accountId, window, label, used } of saved) {
      windows.set(accountId, { ...windows.get(accountId), [window]: new WindowCount(window, label, used) });
    }
    for (const [accountId, { minute, day }] of windows) this.#counts.set(accountId, new Counts(minute, day));
  }

  admit({ key, account }: KeyHolder, nowMs: number): Admission {
    const counts = this.#countsOf(account.id);
    const conduct = this.#conducts.get(key.id);
    if (conduct?.isBanned(nowMs)) {
      counts.turnTo(nowMs);
      return this.#banned(counts.usage(account.limits), conduct.ban as Ban);
    }
    const violated = counts.charge(account.limits, nowMs);
    const windows = counts.usage(account.limits);
    if (violated === undefined) {
      this.#changedAccounts.add(account.id);
      return { windows, refusal: undefined };
    }
    const retryAtMs = latestReset(windows, nowMs);
    const ban = this.#conductOf(key.id).refused(key.id, account.limits.perMinute, nowMs, retryAtMs);
    if (ban) {
      this.#onBan(ban);
      return this.#banned(windows, ban);
    }
    return { windows, refusal: { code: CODE_OF_WINDOW[violated], retryAtMs } };
  }

  standing({ key, account }: KeyHolder, nowMs: number): Standing {
    const counts = this.#countsOf(account.id);
    counts.turnTo(nowMs);
    const conduct = this.#conducts.get(key.id);
    return { windows: counts.usage(account.limits), ban: conduct?.isBanned(nowMs) ? conduct.ban : undefined };
  }

  /** Takes over the bans as the database has them, for another process may have lifted one. */
  setBans(bans: readonly Ban[]): void {
    const newestOfKey = new Map(bans.map((ban) => [ban.keyId, ban]));
    for (const [keyId, conduct] of this.#conducts) conduct.ban = newestOfKey.get(keyId);
    for (const [keyId, ban] of newestOfKey) {
      if (!this.#conducts.has(keyId)) this.#conducts.set(keyId, new Conduct(ban));
    }
  }

  /** The counts that changed since the last call, to be written down. */
  takeChangedCounts(): SavedCount[] {
    const accountIds = this.#changedAccounts;
    this.#changedAccounts = new Set();
    return [...accountIds].flatMap((accountId) => {
      const { minute, day } = this.#countsOf(accountId);
      return [minute, day].map(({ name, label, used }) => ({ accountId, window: name, label, used }));
    });
  }

  /** Gives back counts that could not be written, so that the next attempt has them. */
  returnChangedCounts(counts: readonly SavedCount[]): void {
    for (const { accountId } of counts) this.#changedAccounts.add(accountId);
  }

  /** A ban's `Retry-After` covers an exhausted window too, so that a client that waits is not refused again. */
  #banned(windows: readonly WindowUsage[], ban: Ban): Admission {
    const refusal: Refusal = { code: 'api_key_banned', retryAtMs: latestReset(windows, ban.endsAtMs) };
    return { windows, refusal };
  }

  #countsOf(accountId: string): Counts {
    let counts = this.#counts.get(accountId);
    if (!counts) {
      counts = new Counts();
      this.#counts.set(accountId, counts);
    }
    return counts;
  }

  #conductOf(keyId: string): Conduct {
    let conduct = this.#conducts.get(keyId);
    if (!conduct) {
      conduct = new Conduct();
      this.#conducts.set(keyId, conduct);
    }
    return conduct;
  }
}
