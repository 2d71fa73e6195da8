import { writeSync } from 'node:fs';

/** Characters that wait for a slow reader of a pipe. Further lines are lost. */
const MAX_WAITING = 4_000_000;
const RETRY_MS = 10;

/**
 * Writes the log of the service immediately to a descriptor, such as standard output, so that no line is lost when the process
 * ends. Lines are lost while it cannot be written, for example because the disk of a file is full or the reader
 * of a pipe has ended: the service continues without them.
 */
export class LogOutput {
  readonly #descriptor: number;
  /** The bytes that a full pipe has not taken; the first line may be incomplete. */
  #begun: Buffer | undefined;
  #waiting = '';
  /** Whether the end of a line was lost. */
  #isBroken = false;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    process.on('exit', () => this.#writeWaiting());
  }

  write(line: string): void {
    if (this.#begun === undefined) this.#writeLines(line);
    else if (this.#begun.length + this.#waiting.length + line.length <= MAX_WAITING) this.#waiting += line;
  }

  #writeWaiting(): void {
    if (this.#begun === undefined) return;
    const rest = this.#begun;
    this.#begun = undefined;
    this.#writeBytes(rest, true);
    if (this.#begun !== undefined || this.#waiting === '') return;
    const lines = this.#waiting;
    this.#waiting = '';
    this.#writeLines(lines);
  }

  #writeLines(lines: string): void {
    this.#writeBytes(Buffer.from(this.#isBroken ? `\n${lines}` : lines), false);
  }

  /** @param isRest Whether the start of the first line was written before. */
  #writeBytes(bytes: Buffer, isRest: boolean): void {
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#descriptor, bytes, written);
      this.#isBroken = false;
    } catch (error) {
      // A pipe that does not block is full.
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') {
        this.#begun = bytes.subarray(written);
        setTimeout(() => this.#writeWaiting(), RETRY_MS);
      } else {
        this.#isBroken ||= isRest || written > 0;
      }
    }
  }
}
