import { type LedgerHead, type Movement, movementHash } from '../../domain/ledger/ledger.ts';
import type { Ledger } from '../../domain/ledger-store.ts';
import { MovementBlock, withoutGap } from './movement-events.ts';
import { MovementRing } from './movement-ring.ts';

const RING_BYTES = 8 * 1024 * 1024;
const RING_MOVEMENTS = 16_384;
/** Movements per read. */
const PAGE_MOVEMENTS = 512;

interface TailOwner {
  /** The ring has new movements. Resolves after they are sent and other work had the event loop. */
  onNews(): Promise<void>;
  /**
   * The ledger ends before the last movement that was read, or its next movement does not continue the chain: it is
   * another ledger, of a restored backup or of a standby that lacked the newest movements. How far the two are equal is
   * unknown.
   */
  onReplaced(): void;
  onError(cause: unknown): void;
  onSuccess(): void;
}

/** Follows the end of the ledger. Reads and renders new movements once for all readers, and keeps them in a ring. */
export class LedgerTail {
  readonly ring = new MovementRing(RING_BYTES, RING_MOVEMENTS);
  readonly #ledger: Ledger;
  readonly #owner: TailOwner;
  #head: LedgerHead = { sequence: 0, recordedAtMs: 0 };
  /** The hash of the last movement that was read; `undefined` if the next need not continue it. */
  #lastHash: string | undefined;
  /** The movement after which following began, until its hash is read. */
  #start: LedgerHead | undefined;
  /** Counts calls of `begin` and `end`, so that earlier reads are dropped; odd while following. */
  #generation = 0;
  #isReading = false;
  #isStale = false;
  #pausedUntilMs = 0;

  constructor(ledger: Ledger, owner: TailOwner) {
    this.#ledger = ledger;
    this.#owner = owner;
  }

  /** The end of the ledger at its last read. */
  get head(): LedgerHead {
    return this.#head;
  }

  get isFollowing(): boolean {
    return this.#generation % 2 === 1;
  }

  /** Starts to follow after a movement. */
  begin(head: LedgerHead): void {
    this.#generation += 1;
    this.#head = head;
    this.#reset(head.sequence);
    this.#start = head;
  }

  /** Stops to follow, and clears the ring. */
  end(): void {
    this.#generation += 1;
    this.#reset(0);
  }

  /** Delays the next read. */
  pause(ms: number): void {
    this.#pausedUntilMs = performance.now() + ms;
  }

  /** Reads new movements. A call during a read makes it read once more. */
  async poll(): Promise<void> {
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
    const isSame = await this.#readStart();
    if (generation !== this.#generation) return;
    const head = await this.#ledger.head();
    if (generation !== this.#generation) return;
    this.#head = head;
    if (!isSame || head.sequence < this.ring.end) {
      this.#reset(head.sequence);
      return this.#owner.onReplaced();
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
        return this.#owner.onReplaced();
      } else {
        this.#lastHash = following.at(-1)?.hash;
        this.ring.push(new MovementBlock(following));
      }
      await this.#owner.onNews();
      if (generation !== this.#generation) return;
    }
  }

  /**
   * Reads the hash of the movement after which following began, which the next movement must continue. Until then the
   * ledger may have been replaced: returns whether it certainly was not.
   */
  async #readStart(): Promise<boolean> {
    const start = this.#start;
    if (start === undefined || start.sequence === 0) return true;
    const movement = await this.#ledger.findMovement(start.sequence);
    if (this.#start !== start) return true;
    this.#start = undefined;
    // A prune may have deleted it; a ledger that ends before it is shorter than the ring.
    if (movement === undefined) return true;
    this.#lastHash = movement.hash;
    return movement.recordedAtMs === start.recordedAtMs;
  }

  /** Whether a movement continues the chain of the last one, or of prunes between the two. */
  async #isContinuation(movement: Movement): Promise<boolean> {
    const last = this.#lastHash;
    if (last === undefined || movementHash(last, movement) === movement.hash) return true;
    const prunes = await this.#ledger.prunesAfter(movement.sequence - 1);
    const newest = prunes.at(-1);
    return prunes[0]?.previousHash === last && movementHash(newest?.hash ?? '', movement) === movement.hash;
  }

  /** Continues after deleted movements. Readers behind them get `history_pruned` from the catch-up. */
  async #skipPruned(after: number): Promise<void> {
    const start = await this.#ledger.retentionStart();
    if (start.sequence <= after) throw new Error(`The movements after ${after} cannot be read.`);
    if (this.ring.end === after) this.#reset(start.sequence);
  }

  #reset(sequence: number): void {
    this.#lastHash = undefined;
    this.#start = undefined;
    this.ring.reset(sequence);
  }
}
