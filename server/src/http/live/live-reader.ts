import type { Peer } from '../../listen/peer.ts';

/** Whom a reader belongs to. */
export interface ReaderOwner {
  /** The reader takes what comes next now; it may be given to it at once. */
  onWaiting(reader: LiveReader): void;
  /** The client has gone away. */
  onGone(reader: LiveReader): void;
}

/** Who asked for a stream. */
export interface ReaderClient {
  readonly peer: Peer;
  /** The header that carried the key. */
  readonly authorization: string | null;
  /** Until when the key is good, as far as is known. */
  readonly expiresAtMs: number | null;
  readonly accountId: string;
  /** Readers that the plan of the account allows at one instance. */
  readonly planLimit: number;
}

/**
 * One client of the stream: a position in the ledger, and no queue. It is given a piece only when it has taken the one
 * before, so that a slow one holds one piece, and that one may be others' too.
 */
export class LiveReader {
  readonly stream: ReadableStream<Uint8Array>;
  readonly peer: Peer;
  readonly authorization: string | null;
  readonly accountId: string;
  expiresAtMs: number | null;
  /** The store's access version under which its key was found good, once it was asked. */
  accessVersion: number | undefined;
  /** When it was given something last. */
  givenAtMs: number;
  /** Since when it has left alone what there is for it. */
  stalledSinceMs: number | undefined;
  #position: number;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** Ends its waiting; only set while it waits. */
  #take: (() => void) | undefined;
  #hasEnded = false;

  /** @param opening What it gets first. */
  constructor(
    position: number,
    { peer, authorization, expiresAtMs, accountId }: ReaderClient,
    owner: ReaderOwner,
    { opening, nowMs }: { opening: Uint8Array; nowMs: number },
  ) {
    this.#position = position;
    this.peer = peer;
    this.authorization = authorization;
    this.expiresAtMs = expiresAtMs;
    this.accountId = accountId;
    this.givenAtMs = nowMs;
    const source = {
      start: (controller: ReadableStreamDefaultController<Uint8Array>) => {
        this.#controller = controller;
        controller.enqueue(opening);
      },
      pull: () =>
        new Promise<void>((resolve) => {
          this.#take = resolve;
          this.stalledSinceMs = undefined;
          owner.onWaiting(this);
        }),
      cancel: () => {
        this.#hasEnded = true;
        this.#settle();
        owner.onGone(this);
      },
    };
    // Nothing is made before somebody takes it.
    this.stream = new ReadableStream(source, { highWaterMark: 0 });
  }

  /** The last movement that it was given. */
  get position(): number {
    return this.#position;
  }

  /** Whether it has taken everything, and takes what comes next as soon as it is there. */
  get isWaiting(): boolean {
    return this.#take !== undefined;
  }

  /** Gives it a piece that it waits for, which ends with the movement of a sequence. */
  give(piece: Uint8Array, sequence: number, nowMs: number): void {
    if (this.#hasEnded) return;
    this.#position = sequence;
    this.givenAtMs = nowMs;
    this.#controller?.enqueue(piece);
    this.#settle();
  }

  /** Ends its stream after a last piece. */
  end(piece: Uint8Array): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#controller?.enqueue(piece);
    this.#controller?.close();
    this.#settle();
  }

  #settle(): void {
    this.#take?.();
    this.#take = undefined;
  }
}
