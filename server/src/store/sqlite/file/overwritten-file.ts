import { lstatSync } from 'node:fs';
import type { WalIndex } from './wal-index.ts';

/** Windows writes down late when a file was changed. */
const IS_TIME_EXACT = process.platform !== 'win32';

/**
 * Finds that another program has written into the database file, as `cp` does: device and inode stay. In WAL mode only
 * checkpoints write to that file, and each changes the index of the log: what it is going to copy before, and
 * what it has copied after. A file that changed while the index did not was written by something else.
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

  /** A sentence for the operator as soon as the file was overwritten. */
  findFault(): string | undefined {
    if (!IS_TIME_EXACT) return undefined;
    const checkpoint = this.#walIndex.readCheckpoint();
    const changedAtNs = lstatSync(this.#file, { bigint: true, throwIfNoEntry: false })?.mtimeNs;
    // One that began between the two reads may have changed the file already.
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
  return `${file} was written by another program while the service uses it, so the service answers 503 to all requests until it is restarted; stop it, delete the -wal and -shm files beside it, restore a backup, and start it again.`;
}
