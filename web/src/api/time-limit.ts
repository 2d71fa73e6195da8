/** Aborts a request that makes no progress. */
export class TimeLimit {
  readonly #stop = new AbortController();
  readonly #ms: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Aborts at the end of the time, or by `end`. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Gives the whole time from now, also after an earlier start. */
  start(): this {
    this.clear();
    this.#timer = setTimeout(() => this.end(), this.#ms);
    return this;
  }

  /** Aborts now. */
  end(): void {
    this.clear();
    this.#stop.abort();
  }

  /** Stops the clock. */
  clear(): void {
    clearTimeout(this.#timer);
  }
}
