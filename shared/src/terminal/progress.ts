import type { Command } from 'commander';
import type { ReportProgress } from '../report-progress.ts';
import { thousands } from './texts.ts';

const INTERVAL_MS = 1_000;
/** A bar is drawn again after this time at the earliest. */
const REDRAW_MS = 100;
const BAR_WIDTH = 20;
/** ANSI escape sequence: erase from the cursor to the end of the line (ECMA-48, EL). */
export const ERASE_LINE = '\u001B[K';

/** Where progress is shown: standard error, so that it never mixes with a result. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Shows the step of a long command on one line of a terminal, with the seconds since the command began. A step with a known
 * total has a bar too.
 */
export class Progress {
  readonly #stream: ProgressStream | undefined;
  readonly #beganAtMs = performance.now();
  #step = '';
  #done = 0;
  #total: number | undefined;
  #drawnAtMs = 0;

  constructor(stream: ProgressStream | undefined) {
    this.#stream = stream;
  }

  /** Shows the next step. Without `count`, a step that blocks the event loop keeps the seconds of its beginning. */
  show(step: string, total?: number): void {
    this.#step = step;
    this.#done = 0;
    this.#total = total;
    this.#draw();
  }

  /** Passes items on, and counts each one as done when the next one is taken. */
  *count<T>(items: Iterable<T>): Generator<T> {
    for (const item of items) {
      yield item;
      this.#done += 1;
      this.#redraw();
    }
  }

  /** Shows how far a step with a known total is. */
  readonly report: ReportProgress = (step, done, total) => {
    if (step !== this.#step || total !== this.#total) this.show(step, total);
    this.#done = Math.min(done, total);
    this.#redraw();
  };

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

  #redraw(): void {
    if (performance.now() - this.#drawnAtMs >= REDRAW_MS) this.#draw();
  }

  #draw(): void {
    this.#drawnAtMs = performance.now();
    const seconds = Math.floor((this.#drawnAtMs - this.#beganAtMs) / 1_000);
    this.#stream?.write(`\r${this.#step} … ${this.#bar()}${seconds} s${ERASE_LINE}`);
  }

  /** A bar with numbers, such as `[#####---------------] 2,500 of 10,000, `. */
  #bar(): string {
    if (!this.#total) return '';
    const width = Math.floor((Math.min(this.#done, this.#total) / this.#total) * BAR_WIDTH);
    const bar = '#'.repeat(width).padEnd(BAR_WIDTH, '-');
    const done = thousands(this.#done).padStart(thousands(this.#total).length);
    return `[${bar}] ${done} of ${thousands(this.#total)}, `;
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
