import type { KeyHolder } from '../../domain/api-key.ts';
import { type Ban, Conduct } from '../../domain/bans.ts';
import type { WindowName, WindowUsage } from '../../domain/rate-limit.ts';
import type { Refusal } from '../../domain/store.ts';

const CODE_OF_WINDOW = { minute: 'rate_limit_exceeded', day: 'daily_quota_exceeded' } as const;

/** How the keys behave that were ever refused, and what they are told. */
export class Conducts {
  readonly #conducts = new Map<string, Conduct>();
  readonly #onBan: (ban: Ban) => void;

  /** @param onBan Told of each ban when it is imposed, to be written down. */
  constructor(onBan: (ban: Ban) => void) {
    this.#onBan = onBan;
  }

  /** The ban of a key that runs at this moment. */
  runningBan(keyId: string, nowMs: number): Ban | undefined {
    const conduct = this.#conducts.get(keyId);
    return conduct?.isBanned(nowMs) ? conduct.ban : undefined;
  }

  /** What a request of a key is told that a window has refused; it may be one strike too many. */
  refuse(
    { key, account }: KeyHolder,
    violated: WindowName,
    windows: readonly WindowUsage[],
    nowMs: number,
  ): Refusal {
    const retryAtMs = latestReset(windows, nowMs);
    const ban = this.#conductOf(key.id).refused(key.id, account.limits.perMinute, nowMs, retryAtMs);
    if (!ban) return { code: CODE_OF_WINDOW[violated], retryAtMs };
    this.#onBan(ban);
    return { ...this.refuseBanned(ban, windows), imposed: ban };
  }

  /** A ban's `Retry-After` covers an exhausted window too, so that a client that waits is not refused again. */
  refuseBanned(ban: Ban, windows: readonly WindowUsage[]): Refusal {
    return { code: 'api_key_banned', retryAtMs: latestReset(windows, ban.endsAtMs) };
  }

  /**
   * Takes over the bans as the database has them, for another process may have imposed or lifted one.
   * Returns those that were lifted.
   */
  setBans(bans: readonly Ban[]): readonly Ban[] {
    const newestOfKey = new Map(bans.map((ban) => [ban.keyId, ban]));
    const lifted: Ban[] = [];
    for (const [keyId, conduct] of this.#conducts) {
      if (conduct.ban && !newestOfKey.has(keyId)) lifted.push(conduct.ban);
      conduct.ban = newestOfKey.get(keyId);
    }
    for (const [keyId, ban] of newestOfKey) {
      if (!this.#conducts.has(keyId)) this.#conducts.set(keyId, new Conduct(ban));
    }
    return lifted;
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

/** The last moment at which one of the exhausted windows, or else `earliestMs`, ends. */
function latestReset(windows: readonly WindowUsage[], earliestMs: number): number {
  return windows.reduce(
    (at, { remaining, resetAtMs }) => (remaining === 0 ? Math.max(at, resetAtMs) : at),
    earliestMs,
  );
}
