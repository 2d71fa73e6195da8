import { ERASE_LINE } from '@petstore-inventory/shared/terminal/progress';
import type { OutputStream } from '../context.ts';

const INTERVAL_MS = 1_000;

/** Shows on one line of a terminal what a command waits for, as soon as that takes more than a second. */
export class Waiting {
  readonly #stream: OutputStream | undefined;
  readonly #blockedSeconds: () => number;

  constructor(stream: OutputStream | undefined, blockedSeconds: () => number) {
    this.#stream = stream;
    this.#blockedSeconds = blockedSeconds;
  }

  async during<T>(step: string, work: () => PromiseLike<T>): Promise<T> {
    const stream = this.#stream;
    if (!stream) return work();
    let seconds = 0;
    const timer = setInterval(() => {
      seconds += 1;
      const blocked = this.#blockedSeconds();
      const text =
        blocked > 0 ? `The limit of requests is used up; waiting ${blocked} s` : `${step} … ${seconds} s`;
      stream.write(`\r${text}${ERASE_LINE}`);
    }, INTERVAL_MS);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      if (seconds > 0) stream.write(`\r${ERASE_LINE}`);
    }
  }
}
