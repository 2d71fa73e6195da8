import { write, writeSync } from 'node:fs';

/** Characters that wait for a slow reader. Further lines are lost. */
const MAX_WAITING = 4_000_000;
const RETRY_MS = 100;

/**
 * Writes the log of the service to a descriptor, such as standard output. Lines are lost while it cannot be written, for example because
 * the disk of a file is full or the reader of a pipe has ended: the service continues without them.
 */
export class LogOutput {
  readonly #descriptor: number;
  #waiting = '';
  #isWriting = false;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    process.on('exit', () => this.#writeRest());
  }

  write(line: string): void {
    if (this.#waiting.length + line.length > MAX_WAITING) return;
    this.#waiting += line;
    if (!this.#isWriting) this.#writeWaiting();
  }

  #writeWaiting(): void {
    const bytes = Buffer.from(this.#waiting);
    this.#waiting = '';
    this.#isWriting = true;
    this.#writeBytes(bytes);
  }

  #writeBytes(bytes: Buffer): void {
    write(this.#descriptor, bytes, (error, written) => {
      // A pipe that does not block is full.
      if (error?.code === 'EAGAIN') {
        setTimeout(() => this.#writeBytes(bytes), RETRY_MS);
        return;
      }
      if (!error && written < bytes.length) {
        this.#writeBytes(bytes.subarray(written));
        return;
      }
      this.#isWriting = false;
      if (this.#waiting !== '') this.#writeWaiting();
    });
  }

  #writeRest(): void {
    if (this.#waiting === '') return;
    try {
      writeSync(this.#descriptor, this.#waiting);
    } catch {
      // The process ends, and nobody can be informed.
    }
  }
}
