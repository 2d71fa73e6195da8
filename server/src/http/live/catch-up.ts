import type { LedgerHead } from '../../domain/ledger.ts';
import type { Ledger } from '../../domain/ledger-store.ts';
import type { LiveReader } from './live-reader.ts';
import { MovementBlock, withoutGap } from './movement-events.ts';

/** Movements read at once for readers who are behind: what one of them holds while it is slow. */
const PAGE_MOVEMENTS = 128;
/** Pages being read at a time, so that those who are far behind leave the database to others. */
const PAGES_AT_ONCE = 4;

export interface CatchUpOwner {
  /** Where the ledger stood lately. */
  headNow(): LedgerHead;
  /** The block holds what the reader waits for. */
  onBlock(reader: LiveReader, block: MovementBlock): void;
  /** What the reader waits for is not kept any more. */
  onPruned(reader: LiveReader): void;
  onError(cause: unknown): void;
}

/** Reads pages of the ledger for readers who need older movements than are at hand; one page serves all near it. */
export class CatchUp {
  readonly #ledger: Ledger;
  readonly #owner: CatchUpOwner;
  readonly #behind = new Set<LiveReader>();
  /** After which sequences pages are being read. */
  readonly #pages = new Set<number>();
  #isResting = false;

  constructor(ledger: Ledger, owner: CatchUpOwner) {
    this.#ledger = ledger;
    this.#owner = owner;
  }

  /** Has a reader who waits given what follows its position. */
  add(reader: LiveReader): void {
    this.#behind.add(reader);
    this.#startPages();
  }

  remove(reader: LiveReader): void {
    this.#behind.delete(reader);
  }

  /** Goes on after trouble; until then nothing is read. */
  retry(): void {
    this.#isResting = false;
    this.#startPages();
  }

  #startPages(): void {
    if (this.#isResting) return;
    for (const { position } of this.#behind) {
      if (this.#pages.size >= PAGES_AT_ONCE) return;
      const isRead = [...this.#pages].some((after) => position >= after && position < after + PAGE_MOVEMENTS);
      if (!isRead) void this.#readPage(position);
    }
  }

  async #readPage(after: number): Promise<void> {
    this.#pages.add(after);
    try {
      // A database in the process answers at once, and would leave no turn to anybody else.
      await new Promise((resolve) => setImmediate(resolve));
      const { movements } = await this.#ledger.listMovements({
        filter: { after },
        order: 'asc',
        limit: PAGE_MOVEMENTS,
        head: this.#owner.headNow(),
      });
      const following = withoutGap(movements, after);
      if (following.length > 0) this.#hand(new MovementBlock(following));
      else await this.#endPruned(after);
    } catch (cause) {
      this.#isResting = true;
      this.#owner.onError(cause);
    }
    this.#pages.delete(after);
    this.#startPages();
  }

  #hand(block: MovementBlock): void {
    for (const reader of this.#behind) {
      if (!block.follows(reader.position)) continue;
      this.#behind.delete(reader);
      this.#owner.onBlock(reader, block);
    }
  }

  /** Tells those readers the truth whose next movement the operator does not keep. */
  async #endPruned(after: number): Promise<void> {
    const start = await this.#ledger.retentionStart();
    if (start.sequence <= after) throw new Error(`What follows movement ${after} cannot be read.`);
    for (const reader of this.#behind) {
      if (reader.position >= start.sequence) continue;
      this.#behind.delete(reader);
      this.#owner.onPruned(reader);
    }
  }
}
