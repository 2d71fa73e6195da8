import { type LedgerHead, type Movement, movementHash } from '../../domain/ledger.ts';
import type { Ledger } from '../../domain/ledger-store.ts';
import { MovementBlock, withoutGap } from './movement-events.ts';
import { MovementRing } from './movement-ring.ts';

const RING_BYTES = 8 * 1024 * 1024;
const RING_MOVEMENTS = 16_384;
/** New movements read at once. */
const PAGE_MOVEMENTS = 512;

/** Before every place: how far two ledgers are the same nobody knows. */
const NOWHERE: LedgerHead = { sequence: -1, recordedAtMs: 0 };

export interface TailOwner {
  /** There is more in the ring. Resolves when it went out, and others had the event loop meanwhile. */
  onNews(): Promise<void>;
  /**
   * The ledger ends before what was read of it, or what follows does not continue it: it is another one, such as that of
   * a backup, or of a standby that lacked the newest movements when it took over. Whoever was told more than `head` was
   * told of the other one.
   */
  onReplaced(head: LedgerHead): void;
  onError(cause: unknown): void;
  onSuccess(): void;
}

/** Follows the end of the ledger: what is new is read and rendered once, and kept at hand for a while. */
export class LedgerTail {
  readonly ring = new MovementRing(RING_BYTES, RING_MOVEMENTS);
  readonly #ledger: Ledger;
  readonly #owner: TailOwner;
  #head: LedgerHead = { sequence: 0, recordedAtMs: 0 };
  /** Of the last movement that was read, if the next one follows it. */
  #lastHash: string | undefined;
  /** Counts beginnings and ends, so that what was asked before one of them is dropped; odd while it follows. */
  #generation = 0;
  #isReading = false;
  #isStale = false;
  #pausedUntilMs = 0;

  constructor(ledger: Ledger, owner: TailOwner) {
    this.#ledger = ledger;
    this.#owner = owner;
  }

  /** Where the ledger stood lately. */
  get head(): LedgerHead {
    return this.#head;
  }

  get isFollowing(): boolean {
    return this.#generation % 2 === 1;
  }

  /** Begins after a place of the ledger. */
  begin(head: LedgerHead): void {
    this.#generation += 1;
    this.#head = head;
    this.#reset(head.sequence);
  }

  /** Follows no longer, and forgets what it has. */
  end(): void {
    this.#generation += 1;
    this.#reset(0);
  }

  /** Lets news wait for so long from now on. */
  pause(ms: number): void {
    this.#pausedUntilMs = performance.now() + ms;
  }

  /** Reads what is new. Who calls while it reads has it look once more. */
  async look(): Promise<void> {
    this.#isStale = true;
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#isStale && this.isFollowing) {
        this.#isStale = false;
        const pauseMs = this.#pausedUntilMs - performance.now();
        if (pauseMs >= 1) await new Promise((resolve) => setTimeout(resolve, pauseMs));
        if (this.isFollowing) await this.#readToHead(this.#generation);
        this.#owner.onSuccess();
      }
    } catch (cause) {
      if (this.isFollowing) this.#owner.onError(cause);
    } finally {
      this.#isReading = false;
    }
  }

  async #readToHead(generation: number): Promise<void> {
    const head = await this.#ledger.head();
    if (generation !== this.#generation) return;
    this.#head = head;
    if (head.sequence < this.ring.end) {
      this.#reset(head.sequence);
      this.#owner.onReplaced(head);
    }
    while (this.ring.end < head.sequence) {
      const after = this.ring.end;
      const query = { filter: { after }, order: 'asc', limit: PAGE_MOVEMENTS, head } as const;
      const { movements } = await this.#ledger.listMovements(query);
      if (generation !== this.#generation) return;
      const following = withoutGap(movements, after);
      const [first] = following;
      const isContinued = first === undefined || (await this.#isContinuation(first));
      if (generation !== this.#generation) return;
      if (!first) await this.#skipPruned(after);
      else if (!isContinued) {
        this.#reset(head.sequence);
        this.#owner.onReplaced(NOWHERE);
        return;
      } else {
        this.#lastHash = following.at(-1)?.hash;
        this.ring.push(new MovementBlock(following));
      }
      await this.#owner.onNews();
      if (generation !== this.#generation) return;
    }
  }

  /** Whether a movement follows from the last one that was read, or from prunes that were made between the two. */
  async #isContinuation(movement: Movement): Promise<boolean> {
    const last = this.#lastHash;
    if (last === undefined || movementHash(last, movement) === movement.hash) return true;
    const prunes = await this.#ledger.prunesAfter(movement.sequence - 1);
    const newest = prunes.at(-1);
    return prunes[0]?.previousHash === last && movementHash(newest?.hash ?? '', movement) === movement.hash;
  }

  /** Goes on after what the operator does not keep; readers who have not got it are told so when they go on. */
  async #skipPruned(after: number): Promise<void> {
    const start = await this.#ledger.retentionStart();
    if (start.sequence <= after) throw new Error(`What follows movement ${after} cannot be read.`);
    if (this.ring.end === after) this.#reset(start.sequence);
  }

  #reset(sequence: number): void {
    this.#lastHash = undefined;
    this.ring.reset(sequence);
  }
}
