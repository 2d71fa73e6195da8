import { DAY_MS, MINUTE_MS } from '@petstore-inventory/shared/durations';

/** When repeated requests after a 429 lead to a temporary ban of the API key (specification, section 8, rule 4). */
export const BAN_RULE = {
  /** Requests this soon after a 429 were already on their way, and are not strikes. */
  graceMs: 1_000,
  strikeWindowMs: MINUTE_MS,
  /** A ban takes more strikes than this, and more than this share of the plan's minute. */
  toleratedStrikes: 20,
  toleratedShareOfMinute: 0.3,
  firstBanMs: 5 * MINUTE_MS,
  maxBanMs: DAY_MS,
  /** After this time without a ban, the next ban is a first one again. */
  forgivenAfterMs: DAY_MS,
} as const;

/** A ban as it was imposed. A lifted ban does not count when the next one is measured. */
export interface Ban {
  readonly keyId: string;
  /** 1 for a first ban; each further one lasts twice as long as the one before. */
  readonly level: number;
  readonly bannedAtMs: number;
  readonly endsAtMs: number;
}

/** How many strikes within the strike window a key may make without being banned. */
export function toleratedStrikes(perMinute: number): number {
  return Math.max(BAN_RULE.toleratedStrikes, Math.floor(perMinute * BAN_RULE.toleratedShareOfMinute));
}

/**
 * Tracks how one key behaves after a refusal. A strike is a request that comes before the `Retry-After` that the key
 * got, and later than the grace after the 429 that first sent it. A client that waits never makes a strike.
 */
export class StrikeCounter {
  #refusedAtMs = 0;
  #retryAtMs = 0;
  /** Times of the newest strikes, oldest first; never more than it takes to be banned. */
  #strikes: number[] = [];
  ban: Ban | undefined;

  constructor(ban?: Ban) {
    this.ban = ban;
  }

  isBanned(nowMs: number): boolean {
    return this.ban !== undefined && nowMs >= this.ban.bannedAtMs && nowMs < this.ban.endsAtMs;
  }

  /** Records a refused request and its `Retry-After`. Returns the ban if this request was one strike too many. */
  refused(keyId: string, perMinute: number, nowMs: number, retryAtMs: number): Ban | undefined {
    const isCoolingDown = nowMs >= this.#refusedAtMs && nowMs < this.#retryAtMs;
    if (!isCoolingDown) this.#refusedAtMs = nowMs;
    this.#retryAtMs = retryAtMs;
    if (!isCoolingDown || nowMs <= this.#refusedAtMs + BAN_RULE.graceMs) return undefined;

    const since = nowMs - BAN_RULE.strikeWindowMs;
    this.#strikes = this.#strikes.filter((strikeAtMs) => strikeAtMs > since && strikeAtMs <= nowMs);
    this.#strikes.push(nowMs);
    if (this.#strikes.length <= toleratedStrikes(perMinute)) return undefined;

    this.#strikes = [];
    this.ban = this.#nextBan(keyId, nowMs);
    return this.ban;
  }

  #nextBan(keyId: string, nowMs: number): Ban {
    const last = this.ban;
    const level = last && nowMs - last.endsAtMs < BAN_RULE.forgivenAfterMs ? last.level + 1 : 1;
    const durationMs = Math.min(BAN_RULE.firstBanMs * 2 ** (level - 1), BAN_RULE.maxBanMs);
    return { keyId, level, bannedAtMs: nowMs, endsAtMs: nowMs + durationMs };
  }
}
