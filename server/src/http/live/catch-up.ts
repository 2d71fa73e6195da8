import { inBackground } from '../../process/in-background.ts';
import type { LedgerHead } from '../../domain/ledger/ledger.ts';
import type { Ledger } from '../../domain/ledger-store.ts';
import type { LiveReader } from './live-reader.ts';
import { MovementBlock, withoutGap } from './movement-events.ts';

/** Movements per read. A slow reader holds so many in memory. */
const PAGE_MOVEMENTS = 128;
/** Concurrent reads, so that readers far behind do not occupy the database. */
const PAGES_AT_ONCE = 4;

interface CatchUpOwner {
  /** The end of the ledger at its last read. */
  headNow(): LedgerHead;
  /** The block contains the next movement of the reader. */
  onBlock(reader: LiveReader, block: MovementBlock): void;
  /** The next movement of the reader is deleted. */
  onPruned(reader: LiveReader): void;
  onError(cause: unknown): void;
}

/** Reads pages of the ledger for readers that need movements older than the ring. One page serves all readers near it. */
export class CatchUp {
  readonly #ledger: Ledger;
  readonly #owner: CatchUpOwner;
  readonly #behind = new Set<LiveReader>();
  /** Sequences after which pages are being read. */
  readonly #pages = new Set<number>();
  #isPaused = false;

  constructor(ledger: Ledger, owner: CatchUpOwner) {
    this.#ledger = ledger;
    this.#owner = owner;
  }

  /** Queues a reader for the next page. */
  add(reader: LiveReader): void {
    this.#behind.add(reader);
    this.#startPages();
  }

  remove(reader: LiveReader): void {
    this.#behind.delete(reader);
  }

  /** Resumes reading after an error. */
  retry(): void {
    this.#isPaused = false;
    this.#startPages();
  }

  #startPages(): void {
    if (this.#isPaused) return;
    for (const { position } of this.#behind) {
      if (this.#pages.size >= PAGES_AT_ONCE) return;
      const isRead = [...this.#pages].some((after) => position >= after && position < after + PAGE_MOVEMENTS);
      if (isRead) continue;
      inBackground(
        () => this.#readPage(position),
        (cause) => this.#owner.onError(cause),
      );
    }
  }

  async #readPage(after: number): Promise<void> {
    this.#pages.add(after);
    try {
      // A database in this process returns without a turn of the event loop, so other requests would wait.
      await new Promise((resolve) => setImmediate(resolve));
      const { movements } = await this.#ledger.listMovements({
        filter: { after },
        order: 'asc',
        limit: PAGE_MOVEMENTS,
        head: this.#owner.headNow(),
      });
      const following = withoutGap(movements, after);
      if (following.length > 0) this.#deliver(new MovementBlock(following));
      else await this.#endPruned(after);
    } catch (cause) {
      this.#isPaused = true;
      this.#owner.onError(cause);
    }
    this.#pages.delete(after);
    this.#startPages();
  }

  #deliver(block: MovementBlock): void {
    for (const reader of this.#behind) {
      if (!block.follows(reader.position)) continue;
      this.#behind.delete(reader);
      this.#owner.onBlock(reader, block);
    }
  }

  /** Ends the readers whose next movement is deleted. */
  async #endPruned(after: number): Promise<void> {
    const start = await this.#ledger.retentionStart();
    if (start.sequence <= after) throw new Error(`The movements after ${after} cannot be read.`);
    for (const reader of this.#behind) {
      if (reader.position >= start.sequence) continue;
      this.#behind.delete(reader);
      this.#owner.onPruned(reader);
    }
  }
}
