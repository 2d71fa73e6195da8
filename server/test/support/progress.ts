const INTERVAL_MS = 10_000;
/** Daily tests report failures only. */
const isLong = process.argv[1]?.endsWith('.long.ts') ?? false;

/** Reports how much of a long test is done on stderr, which the runner prints while the test runs. */
export class Progress {
  readonly #what: string;
  readonly #total: number;
  #done = 0;
  #reportedAtMs = performance.now();

  /** @param what the name of the counted items, such as `faults` */
  constructor(what: string, total: number) {
    this.#what = what;
    this.#total = total;
  }

  /** Counts one as done, and reports no more often than every 10 s. */
  step(): void {
    this.#done += 1;
    if (!isLong || performance.now() - this.#reportedAtMs < INTERVAL_MS) return;
    this.#reportedAtMs = performance.now();
    process.stderr.write(`  ${this.#done} of ${this.#total} ${this.#what}\n`);
  }
}
