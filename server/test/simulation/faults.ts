import type { SeededRandom } from '../support/limit-clients.ts';
import type { Scheduler } from './scheduler.ts';

/** How a round trip to the database ends. */
export type TripFault = 'none' | 'refused' | 'rolled back' | 'answer lost';
/** How a commit of the writing thread ends. */
export type CommitFault = 'none' | 'full' | 'unconfirmed' | 'thread ends before' | 'thread ends after';

/** After a fault, what depends on the database may be late for so long. */
const AFTERMATH_MS = 20_000;

/** The faults of one instance; the seed decides. */
export class Faults {
  readonly #scheduler: Scheduler;
  readonly #random: SeededRandom;
  /** Whether nothing fails any more. */
  isOver = false;
  #outageEndsAtMs = 0;
  #slowEndsAtMs = 0;
  #hangEndsAtMs = 0;
  #disturbedUntilMs = 0;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
    this.#random = scheduler.random;
  }

  /** Whether the sender may have lost its leases, or its progress. */
  get isDisturbed(): boolean {
    return this.#scheduler.nowMs < this.#disturbedUntilMs;
  }

  /** The database does not respond to this instance for a time. */
  beginOutage(ms: number): void {
    this.#outageEndsAtMs = this.#scheduler.nowMs + ms;
    this.disturb(ms);
  }

  /** The database responds only after this time. */
  beginHang(ms: number): void {
    this.#hangEndsAtMs = this.#scheduler.nowMs + ms;
    this.disturb(ms);
  }

  /** Each trip takes long for a time. */
  beginSlowness(ms: number): void {
    this.#slowEndsAtMs = this.#scheduler.nowMs + ms;
  }

  end(): void {
    this.isOver = true;
    this.#outageEndsAtMs = 0;
    this.#slowEndsAtMs = 0;
    this.#hangEndsAtMs = 0;
  }

  tripMs(): number {
    const { nowMs } = this.#scheduler;
    if (nowMs < this.#hangEndsAtMs) return this.#hangEndsAtMs - nowMs;
    const isSlow = nowMs < this.#slowEndsAtMs;
    return isSlow ? this.#random.integer(300, 1_200) : this.#random.integer(0, 3);
  }

  trip(): TripFault {
    if (this.isOver) return 'none';
    if (this.#scheduler.nowMs < this.#outageEndsAtMs) return 'refused';
    if (!this.#random.chance(0.01)) return 'none';
    return this.#random.pick(['refused', 'rolled back', 'answer lost'] as const);
  }

  commit(): CommitFault {
    if (this.isOver || !this.#random.chance(0.03)) return 'none';
    return this.#random.pick(['full', 'unconfirmed', 'thread ends before', 'thread ends after'] as const);
  }

  /** The sender may lose its leases for so long. */
  disturb(ms: number): void {
    const untilMs = this.#scheduler.nowMs + ms + AFTERMATH_MS;
    this.#disturbedUntilMs = Math.max(this.#disturbedUntilMs, untilMs);
  }
}
