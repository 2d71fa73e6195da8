import assert from 'node:assert/strict';
import type { Limits } from '../../src/domain/access/plans.ts';
import type { ErrorCode } from '../../src/domain/errors.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const GRACE_MS = 1_000;
const FIRST_BAN_MS = 5 * MINUTE_MS;

/** The required result of one request. */
export interface Expected {
  readonly code: ErrorCode | undefined;
  /** When a refused caller may retry. */
  readonly retryAtMs: number;
  readonly minuteRemaining: number;
  readonly dayRemaining: number;
}

interface KeyHistory {
  firstRefusedAtMs: number;
  reportedUntilMs: number;
  strikesAtMs: number[];
  bans: { endsAtMs: number; level: number }[];
}

/**
 * The limits of one account according to the design, as plain lists on a clock that only goes forward. Each decision of
 * the service is compared with it.
 */
export class LimitModel {
  readonly #admittedIn = new Map<string, number>();
  readonly #keys = new Map<string, KeyHistory>();
  #lastMs = 0;
  banCount = 0;

  judge(keyId: string, limits: Limits, nowMs: number): Expected {
    assert.ok(nowMs >= this.#lastMs, 'the clock of the model only goes forward');
    this.#lastMs = nowMs;
    const key = this.#keyOf(keyId);
    const ban = key.bans.at(-1);
    if (ban && nowMs < ban.endsAtMs) return this.#refusal('api_key_banned', limits, nowMs, ban.endsAtMs);

    const inDay = this.#admitted('day', nowMs);
    const inMinute = this.#admitted('minute', nowMs);
    if (inDay < limits.perDay && inMinute < limits.perMinute) {
      this.#admittedIn.set(label('day', nowMs), inDay + 1);
      this.#admittedIn.set(label('minute', nowMs), inMinute + 1);
      return { code: undefined, retryAtMs: 0, ...this.#remaining(limits, nowMs) };
    }
    const code = inDay >= limits.perDay ? 'daily_quota_exceeded' : 'rate_limit_exceeded';
    const refusal = this.#refusal(code, limits, nowMs, 0);
    const banEndsAtMs = noteRefusal(key, limits, nowMs, refusal.retryAtMs);
    if (banEndsAtMs === undefined) return refusal;
    this.banCount += 1;
    return this.#refusal('api_key_banned', limits, nowMs, banEndsAtMs);
  }

  strikesOf(keyId: string): number {
    return this.#keyOf(keyId).strikesAtMs.length;
  }

  #refusal(code: ErrorCode, limits: Limits, nowMs: number, notBeforeMs: number): Expected {
    const remaining = this.#remaining(limits, nowMs);
    const minuteEnd = remaining.minuteRemaining === 0 ? (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS : 0;
    const dayEnd = remaining.dayRemaining === 0 ? (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS : 0;
    return { code, retryAtMs: Math.max(minuteEnd, dayEnd, notBeforeMs), ...remaining };
  }

  #remaining({ perMinute, perDay }: Limits, nowMs: number) {
    return {
      minuteRemaining: Math.max(0, perMinute - this.#admitted('minute', nowMs)),
      dayRemaining: Math.max(0, perDay - this.#admitted('day', nowMs)),
    };
  }

  #admitted(window: 'minute' | 'day', nowMs: number): number {
    return this.#admittedIn.get(label(window, nowMs)) ?? 0;
  }

  #keyOf(keyId: string): KeyHistory {
    let key = this.#keys.get(keyId);
    if (!key) {
      key = { firstRefusedAtMs: 0, reportedUntilMs: 0, strikesAtMs: [], bans: [] };
      this.#keys.set(keyId, key);
    }
    return key;
  }
}

function label(window: 'minute' | 'day', nowMs: number): string {
  return `${window} ${Math.floor(nowMs / (window === 'minute' ? MINUTE_MS : DAY_MS))}`;
}

/** Returns the end of the ban, if this refusal brings one. */
function noteRefusal(key: KeyHistory, limits: Limits, nowMs: number, retryAtMs: number): number | undefined {
  const retriedTooEarly = nowMs < key.reportedUntilMs;
  if (!retriedTooEarly) key.firstRefusedAtMs = nowMs;
  key.reportedUntilMs = retryAtMs;
  if (!retriedTooEarly || nowMs - key.firstRefusedAtMs <= GRACE_MS) return undefined;
  key.strikesAtMs = [...key.strikesAtMs.filter((atMs) => nowMs - atMs < MINUTE_MS), nowMs];
  if (key.strikesAtMs.length <= Math.max(20, Math.floor((limits.perMinute * 30) / 100))) return undefined;
  const last = key.bans.at(-1);
  const level = last && nowMs - last.endsAtMs < DAY_MS ? last.level + 1 : 1;
  const endsAtMs = nowMs + Math.min(FIRST_BAN_MS * 2 ** (level - 1), DAY_MS);
  key.strikesAtMs = [];
  key.bans.push({ endsAtMs, level });
  return endsAtMs;
}
