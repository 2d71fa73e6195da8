/** A clock that jumps from one thing that is to happen to the next. */
export class VirtualTime {
  nowMs = 0;
  /** The latest first. */
  readonly #ahead: { readonly atMs: number; readonly happen: () => void }[] = [];

  /** Events of the same moment run in the order in which they were scheduled. */
  after(delayMs: number, happen: () => void): void {
    const atMs = this.nowMs + delayMs;
    const index = this.#ahead.findLastIndex((event) => event.atMs > atMs);
    this.#ahead.splice(index + 1, 0, { atMs, happen });
  }

  /** Runs all events, including those scheduled during the run. */
  run(): void {
    for (let next = this.#ahead.pop(); next; next = this.#ahead.pop()) {
      this.nowMs = next.atMs;
      next.happen();
    }
  }
}
