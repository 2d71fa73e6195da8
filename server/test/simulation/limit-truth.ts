import type { Admission } from '../../src/domain/store.ts';
import type { SavedCount } from '../../src/store/sqlite/writer-messages.ts';
import { ACCOUNT } from './database.ts';
import type { Scheduler } from './scheduler.ts';
import type { Violations } from './violations.ts';

const MINUTE_MS = 60_000;

/**
 * The limit of an account: so many requests per minute, exactly. A crash may forget the requests that were admitted since
 * the last counts were written, and nothing else may.
 */
export class LimitTruth {
  readonly #scheduler: Scheduler;
  readonly #violations: Violations;
  #minute = -1;
  #used = 0;
  #saved = { minute: -1, used: 0 };

  constructor(scheduler: Scheduler, violations: Violations) {
    this.#scheduler = scheduler;
    this.#violations = violations;
  }

  decided({ refusal }: Admission): void {
    const minute = Math.floor(this.#scheduler.nowMs / MINUTE_MS);
    if (minute !== this.#minute) this.#used = 0;
    this.#minute = minute;
    const hasRoom = this.#used < ACCOUNT.limits.perMinute;
    if (!refusal) this.#used += 1;
    const verdict = refusal?.code ?? 'admitted';
    this.#violations.require(
      hasRoom === !refusal,
      () => `A request was ${verdict} after ${this.#used} requests in its minute.`,
    );
  }

  /** Counts became durable. */
  saved(counts: readonly SavedCount[]): void {
    const count = counts.find(({ accountId, window }) => accountId === ACCOUNT.id && window === 'minute');
    if (!count) return;
    const isRight = count.label !== this.#minute || count.used <= this.#used;
    this.#violations.require(isRight, () => `${count.used} requests were written instead of ${this.#used}.`);
    this.#saved = { minute: count.label, used: count.used };
  }

  /** The process that counts has ended. */
  restarted(): void {
    this.#used = this.#saved.minute === this.#minute ? this.#saved.used : 0;
  }

  /** The process that counts has stopped in order: nothing may be lost. */
  stopped(): void {
    const isSaved =
      this.#used === 0 || (this.#saved.minute === this.#minute && this.#saved.used === this.#used);
    this.#violations.require(isSaved, () => `A stop forgot some of ${this.#used} requests.`);
  }
}
