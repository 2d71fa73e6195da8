import { type Ban, BAN_RULE, toleratedStrikes } from '../../src/domain/access/bans.ts';
import type { Admission } from '../../src/domain/store.ts';
import { HASTY } from './database.ts';
import type { Scheduler } from './scheduler.ts';
import type { Violations } from './violations.ts';

/**
 * The ban of a client that does not wait: after so many strikes, and not before. A crash may forget strikes, and a ban that
 * could not be written, but no other one that its client knows.
 */
export class BanTruth {
  readonly #scheduler: Scheduler;
  readonly #violations: Violations;
  /** When its first refusal since the last start was, and until when it must wait. */
  #refused: { readonly atMs: number; untilMs: number } | undefined;
  /** Since the last start. */
  #strikes: number[] = [];
  #ban: Ban | undefined;
  #isWritten = false;
  #hasFailed = false;

  constructor(scheduler: Scheduler, violations: Violations) {
    this.#scheduler = scheduler;
    this.#violations = violations;
  }

  decided({ refusal }: Admission): void {
    const { nowMs } = this.#scheduler;
    if (refusal?.imposed) this.#imposed(refusal.imposed);
    const isBanned = this.#ban !== undefined && nowMs < this.#ban.endsAtMs;
    this.#violations.require(
      isBanned === (refusal?.code === 'api_key_banned'),
      () => `A ${isBanned ? 'banned' : 'free'} key was ${refusal?.code ?? 'admitted'}.`,
    );
    if (!isBanned && refusal) this.#noteRefusal(nowMs, refusal.retryAtMs);
  }

  /** The client got a response. */
  noteRefusal({ refusal }: Admission): void {
    const isSafe = refusal?.code !== 'api_key_banned' || this.#isWritten || this.#hasFailed;
    this.#violations.require(isSafe, () => 'A ban was reported before it was written.');
  }

  /** A ban became durable. */
  saved(ban: Ban): void {
    const isKnown = ban.bannedAtMs === this.#ban?.bannedAtMs;
    this.#violations.require(isKnown, () => 'A ban was written that no request had caused.');
    this.#isWritten = true;
  }

  /** A ban could not be written. It is written again while its process lives. */
  failed(): void {
    this.#hasFailed = true;
  }

  /** The process that counts has ended. */
  restarted(): void {
    this.#refused = undefined;
    this.#strikes = [];
    if (!this.#isWritten) this.#ban = undefined;
  }

  /** The process that counts has stopped in order, after it could write for a time. */
  stopped(): void {
    this.#violations.require(!this.#ban || this.#isWritten, () => 'A ban was never written.');
  }

  #imposed(ban: Ban): void {
    const since = ban.bannedAtMs - BAN_RULE.strikeWindowMs;
    // The request that is one strike too many is the last one.
    const strikes = this.#strikes.filter((atMs) => atMs > since).length + 1;
    const needed = toleratedStrikes(HASTY.account.limits.perMinute) + 1;
    this.#violations.require(
      strikes === needed,
      () => `A ban came after ${strikes} strikes instead of ${needed}.`,
    );
    this.#ban = ban;
    this.#isWritten = false;
    this.#hasFailed = false;
  }

  #noteRefusal(nowMs: number, retryAtMs: number): void {
    const refused = this.#refused;
    if (!refused || nowMs >= refused.untilMs) this.#refused = { atMs: nowMs, untilMs: retryAtMs };
    else {
      refused.untilMs = retryAtMs;
      if (nowMs > refused.atMs + BAN_RULE.graceMs) this.#strikes.push(nowMs);
    }
    const since = nowMs - BAN_RULE.strikeWindowMs;
    const strikes = this.#strikes.filter((atMs) => atMs > since).length;
    const most = toleratedStrikes(HASTY.account.limits.perMinute);
    this.#violations.require(strikes <= most, () => `A key with ${strikes} strikes is not banned.`);
  }
}
