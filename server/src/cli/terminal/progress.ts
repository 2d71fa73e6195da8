import type { Command } from 'commander';

const INTERVAL_MS = 1_000;
/** ANSI escape sequence: erase from the cursor to the end of the line (ECMA-48, EL). */
const ERASE_LINE = '\u001B[K';

/** Where progress is shown: standard error, so that it never mixes with a result. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Shows the step of a long command on one line of a terminal, with the seconds since the command began. */
export class Progress {
  readonly #stream: ProgressStream | undefined;
  readonly #beganAtMs = performance.now();
  #step = '';

  constructor(stream: ProgressStream | undefined) {
    this.#stream = stream;
  }

  /** Shows the next step. A step that blocks the event loop keeps the seconds of its beginning. */
  show(step: string): void {
    this.#step = step;
    this.#draw();
  }

  /** Runs the work while the seconds advance, then erases the line. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const timer = setInterval(() => this.#draw(), INTERVAL_MS);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      this.#stream?.write(`\r${ERASE_LINE}`);
    }
  }

  #draw(): void {
    const seconds = Math.floor((performance.now() - this.#beganAtMs) / 1_000);
    this.#stream?.write(`\r${this.#step} … ${seconds} s${ERASE_LINE}`);
  }
}

/** Runs the work of a long command with its progress on a terminal; without a terminal, or with `--json`, it shows nothing. */
export function withProgress<T>(
  command: Command,
  work: (progress: Progress) => Promise<T>,
  stream: ProgressStream = process.stderr,
): Promise<T> {
  const progress = new Progress(stream.isTTY && !command.opts().json ? stream : undefined);
  return progress.during(() => work(progress));
}
