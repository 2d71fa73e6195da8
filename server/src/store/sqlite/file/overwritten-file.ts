import { lstatSync } from 'node:fs';
import type { WalIndex } from './wal-index.ts';

/** Windows updates the time of a file's change late. */
const IS_TIME_EXACT = process.platform !== 'win32';

/**
 * Detects that another program wrote to the database file, as `cp` does: device and inode stay. In WAL mode only
 * checkpoints write to that file, and each changes the index of the log: before it, what it will copy, and after it,
 * what it has copied. A file that changed while the index did not was written by another program.
 */
export class OverwrittenFile {
  readonly #file: string;
  readonly #walIndex: WalIndex;
  #known: { readonly checkpoint: string; readonly changedAtNs: bigint | undefined } | undefined;

  constructor(file: string, walIndex: WalIndex) {
    this.#file = file;
    this.#walIndex = walIndex;
    this.findFault();
  }

  /**
   * A sentence for the operator as soon as the file was overwritten.
   * @throws Error of the file system, which says nothing about the file: a later call may succeed.
   */
  findFault(): string | undefined {
    if (!IS_TIME_EXACT) return undefined;
    const checkpoint = this.#walIndex.readCheckpoint();
    const changedAtNs = lstatSync(this.#file, { bigint: true, throwIfNoEntry: false })?.mtimeNs;
    // A checkpoint that began between the two reads may have changed the file already.
    if (checkpoint === undefined || checkpoint !== this.#walIndex.readCheckpoint()) {
      this.#known = undefined;
      return undefined;
    }
    const known = this.#known;
    if (known?.checkpoint !== checkpoint) this.#known = { checkpoint, changedAtNs };
    else if (known.changedAtNs !== changedAtNs) return overwritten(this.#file);
    return undefined;
  }
}

function overwritten(file: string): string {
  return `${file} was written by another program while the service uses it, so the service answers 503 to all requests until it is restarted; restart it and run petstore-server verify; only if verify finds faults, stop the service, delete the -wal and -shm files beside it, restore a backup, and start it again.`;
}
