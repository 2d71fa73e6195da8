import { type Ban, StrikeCounter } from '../../domain/access/bans.ts';
import type { Principal } from '../../domain/access/principal.ts';
import type { WindowName, WindowUsage } from '../../domain/access/rate-limit.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { Admission, Refusal } from '../../domain/store.ts';

const CODE_OF_WINDOW = { minute: 'rate_limit_exceeded', day: 'daily_quota_exceeded' } as const;

/** Tracks strikes and bans per key. */
export class BanTracker {
  /** By the id of the key. */
  readonly #counters = new Map<string, StrikeCounter>();
  readonly #onBan: (ban: Ban) => void;

  /** @param onBan Called with each new ban, to write it. */
  constructor(onBan: (ban: Ban) => void) {
    this.#onBan = onBan;
  }

  /** The ban of a key that runs at this moment. */
  runningBan(keyId: string, nowMs: number): Ban | undefined {
    const counter = this.#counters.get(keyId);
    return counter?.isBanned(nowMs) ? counter.ban : undefined;
  }

  /** The refusal of a request over a limit; it may be one strike too many. */
  refuse(
    { key, account }: Principal,
    violated: WindowName,
    windows: readonly WindowUsage[],
    nowMs: number,
  ): Refusal {
    const retryAtMs = latestReset(windows, nowMs);
    const ban = this.#counterOf(key.id).refused(key.id, account.limits.perMinute, nowMs, retryAtMs);
    if (!ban) return { code: CODE_OF_WINDOW[violated], retryAtMs };
    this.#onBan(ban);
    return { ...this.refuseBanned(ban, windows), imposed: ban };
  }

  /** A ban's `Retry-After` covers an exhausted window too, so that a client that waits is not refused again. */
  refuseBanned(ban: Ban, windows: readonly WindowUsage[]): Refusal {
    return { code: 'api_key_banned', retryAtMs: latestReset(windows, ban.endsAtMs) };
  }

  /**
   * Replaces the bans with the database's, because another process may have imposed or lifted one. Returns those that
   * were lifted.
   */
  setBans(bans: readonly Ban[]): readonly Ban[] {
    const newestOfKey = new Map(bans.map((ban) => [ban.keyId, ban]));
    const lifted: Ban[] = [];
    for (const [keyId, counter] of this.#counters) {
      if (counter.ban && !newestOfKey.has(keyId)) lifted.push(counter.ban);
      counter.ban = newestOfKey.get(keyId);
    }
    for (const [keyId, ban] of newestOfKey) {
      if (!this.#counters.has(keyId)) this.#counters.set(keyId, new StrikeCounter(ban));
    }
    return lifted;
  }

  #counterOf(keyId: string): StrikeCounter {
    let counter = this.#counters.get(keyId);
    if (!counter) {
      counter = new StrikeCounter();
      this.#counters.set(keyId, counter);
    }
    return counter;
  }
}

/** The last moment at which one of the exhausted windows, or else `earliestMs`, ends. */
function latestReset(windows: readonly WindowUsage[], earliestMs: number): number {
  return windows.reduce(
    (at, { remaining, resetAtMs }) => (remaining === 0 ? Math.max(at, resetAtMs) : at),
    earliestMs,
  );
}

/** Bans that are not durable yet. A ban that cannot be written applies from memory, and is written again later. */
export class PendingBans {
  readonly #write: (ban: Ban) => Promise<void>;
  readonly #onError: (message: string, cause: unknown) => void;
  readonly #bans = new Map<string, Ban>();
  readonly #writes = new Map<string, Promise<void>>();

  constructor(write: (ban: Ban) => Promise<void>, onError: (message: string, cause: unknown) => void) {
    this.#write = write;
    this.#onError = onError;
  }

  save(ban: Ban): void {
    this.#bans.set(ban.keyId, ban);
    const writing = this.#attempt(ban).finally(() => {
      // A write that hangs can end after that of the next ban of its key has begun.
      if (this.#writes.get(ban.keyId) === writing) this.#writes.delete(ban.keyId);
    });
    this.#writes.set(ban.keyId, writing);
  }

  /** Resolves with a decision after the key's ban is durable, so that no crash forgets a ban that was sent. */
  whenSaved(keyId: string, admission: Admission): MaybePromise<Admission> {
    if (admission.refusal?.code !== 'api_key_banned') return admission;
    const writing = this.#writes.get(keyId);
    return writing ? writing.then(() => admission) : admission;
  }

  /** The database's bans with those that it does not have yet. */
  mergeWith(saved: readonly Ban[]): readonly Ban[] {
    return this.#bans.size === 0 ? saved : [...saved, ...this.#bans.values()];
  }

  /** Writes the bans again whose write failed. */
  retry(): void {
    for (const ban of this.#bans.values()) {
      if (!this.#writes.has(ban.keyId)) this.save(ban);
    }
  }

  /** Resolves when no write is in progress. */
  async drain(): Promise<void> {
    await Promise.all(this.#writes.values());
  }

  async #attempt(ban: Ban): Promise<void> {
    try {
      await this.#write(ban);
      if (this.#bans.get(ban.keyId) === ban) this.#bans.delete(ban.keyId);
    } catch (cause) {
      this.#onError('A ban could not be written; it stays in memory.', cause);
    }
  }
}
