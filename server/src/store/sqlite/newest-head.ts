import type { LedgerHead } from '../../domain/ledger/ledger.ts';
import { listTag } from '../list/list-cache.ts';
import type { WalIndex } from './file/wal-index.ts';

/** The newest movement, and the version of keys, plans and bans. */
export interface Head extends LedgerHead {
  readonly accessVersion: number;
}

/** What this process knows to be the newest in its file, which other processes change too. */
export class NewestHead {
  readonly #walIndex: WalIndex;
  /** Reads the head from the database. @throws Error of the store. */
  readonly #read: () => Head;
  readonly #onAccessVersion: () => void;
  #known: Head = { accessVersion: -1, sequence: -1, recordedAtMs: 0 };
  /** The tag of the list at `#known`. */
  #tag: string | undefined;
  #isFresh = false;
  #isClosed = false;
  readonly #turnEnds = (): void => {
    this.#isFresh = false;
  };

  /** @param onAccessVersion Called after a change of accounts, keys or bans by any process, before the head is known. */
  constructor(walIndex: WalIndex, read: () => Head, onAccessVersion: () => void) {
    this.#walIndex = walIndex;
    this.#read = read;
    this.#onAccessVersion = onAccessVersion;
  }

  /** The head of the last read, without a look at the file. */
  get known(): Head {
    return this.#known;
  }

  /**
   * Reads the head if any process has committed since the last read. Once per callback of the event loop is enough, because
   * its requests arrived before it began.
   * @throws Error of the store.
   */
  current(): Head {
    // A closed descriptor may belong to another file by now.
    if (this.#isFresh || this.#isClosed) return this.#known;
    if (this.#walIndex.hasChanged()) this.#refresh();
    this.#isFresh = true;
    queueMicrotask(this.#turnEnds);
    return this.#known;
  }

  /** The tag of the newest list. @throws Error of the store. */
  tag(): string {
    const head = this.current();
    this.#tag ??= listTag(head);
    return this.#tag;
  }

  #refresh(): void {
    const head = this.#read();
    if (head.accessVersion !== this.#known.accessVersion) this.#onAccessVersion();
    this.#keep(head);
  }

  /** Replaces a read after a commit of this process, unless that was seen already, or another process has committed too. */
  note({ sequence, recordedAtMs }: LedgerHead): void {
    if (this.#isClosed || sequence <= this.#known.sequence || !this.#walIndex.hasOneCommit()) return;
    this.#keep({ accessVersion: this.#known.accessVersion, sequence, recordedAtMs });
  }

  #keep(head: Head): void {
    this.#known = head;
    this.#tag = undefined;
    this.#walIndex.noteSeen();
  }

  /** Call it before the file of the log is closed: nothing is read from then on. */
  close(): void {
    this.#isClosed = true;
  }
}
