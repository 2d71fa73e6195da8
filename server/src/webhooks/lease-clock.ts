import type { Clocks } from './delivery/attempt.ts';

/** For how long a lease is taken, by the clock of the database. */
export const LEASE_MS = 15_000;
/** The sender stops this long before another one may start. */
const MARGIN_MS = 1_000;

/**
 * Decides whether a lease may be over. It uses the clock that passes faster: the monotonic one may not count the time for
 * which a machine is suspended, and the wall clock can be set back.
 */
export class LeaseClock {
  readonly #clocks: Clocks;
  #atElapsedMs = Number.NEGATIVE_INFINITY;
  #atWallMs = Number.NEGATIVE_INFINITY;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
  }

  /** Call `begin` before the lease is requested, and the result after it is granted. */
  begin(): () => void {
    const atElapsedMs = this.#clocks.elapsedMs();
    const atWallMs = this.#clocks.wallMs();
    return () => {
      this.#atElapsedMs = atElapsedMs;
      this.#atWallMs = atWallMs;
    };
  }

  /** Milliseconds for which this process certainly has its leases. */
  leftMs(): number {
    const { elapsedMs, wallMs } = this.#clocks;
    const passedMs = Math.max(elapsedMs() - this.#atElapsedMs, wallMs() - this.#atWallMs);
    return Math.max(0, LEASE_MS - MARGIN_MS - passedMs);
  }
}
