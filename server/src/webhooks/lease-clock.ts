/** The clocks of this machine. */
interface MachineClocks {
  /** Unix milliseconds: that of the database may not be reached when the machine continues after it was suspended. */
  readonly machineMs: () => number;
  /** Milliseconds of a clock that is never set. */
  readonly elapsedMs: () => number;
}

/** For how long a lease is taken, by the clock of the database. */
export const LEASE_MS = 15_000;
/** The sender stops this long before another one may start. */
const MARGIN_MS = 1_000;

/**
 * Decides whether a lease may be over. It uses the clock that passes faster: the monotonic one may not count the time for
 * which a machine is suspended, and the machine's time can be set back.
 */
export class LeaseClock {
  readonly #clocks: MachineClocks;
  #atElapsedMs = Number.NEGATIVE_INFINITY;
  #atMachineMs = Number.NEGATIVE_INFINITY;

  constructor(clocks: MachineClocks) {
    this.#clocks = clocks;
  }

  /** Call `begin` before the lease is requested, and the result after it is granted. */
  begin(): () => void {
    const atElapsedMs = this.#clocks.elapsedMs();
    const atMachineMs = this.#clocks.machineMs();
    return () => {
      this.#atElapsedMs = atElapsedMs;
      this.#atMachineMs = atMachineMs;
    };
  }

  /** Milliseconds for which this process certainly has its leases. */
  leftMs(): number {
    const { elapsedMs, machineMs } = this.#clocks;
    const passedMs = Math.max(elapsedMs() - this.#atElapsedMs, machineMs() - this.#atMachineMs);
    return Math.max(0, LEASE_MS - MARGIN_MS - passedMs);
  }
}
