/** Rows that one task works on: a few milliseconds, also on a slow phone, so that frames and keys come between. */
export const ROWS_PER_TASK = 250;

/** Ends the task. Timers would wait for 4 ms, or for a second while the page is hidden. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** Divides work on rows that arrive into tasks. Rows of several calls count together: they may be of one task. */
export class Pauses {
  readonly #pause: () => Promise<void>;
  #left = ROWS_PER_TASK;

  constructor(pause = nextTask) {
    this.#pause = pause;
  }

  /** @param signal Ends the work at the next pause. */
  async each<T>(rows: readonly T[], work: (part: readonly T[]) => void, signal?: AbortSignal): Promise<void> {
    for (let start = 0; start < rows.length && !signal?.aborted;) {
      const part = rows.slice(start, start + this.#left);
      work(part);
      start += part.length;
      this.#left -= part.length;
      if (this.#left > 0) continue;
      await this.#pause();
      this.#left = ROWS_PER_TASK;
    }
  }
}
