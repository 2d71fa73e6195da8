import type { Peer } from '../../listen/peer.ts';
import type { Credential } from '../request/request-context.ts';

/** The owner of readers. */
interface ReaderOwner {
  /** The reader waits for the next piece, which may be given synchronously. */
  onWaiting(reader: LiveReader): void;
  /** The client has disconnected. */
  onGone(reader: LiveReader): void;
}

/** The client of a stream. */
export interface ReaderClient {
  readonly peer: Peer;
  readonly credential: Credential;
  /** The expiry of the credential at its last check. */
  readonly expiresAtMs: number | null;
  /** The account whose share of the streams the reader takes, or the management key. */
  readonly holder: string;
  /** Readers per instance that the plan of the account allows. */
  readonly planLimit: number;
}

/**
 * One client of the stream: a position in the ledger, and no queue. It gets a piece only after it has taken the one
 * before, so a slow reader holds one piece, which other readers may share.
 */
export class LiveReader {
  readonly stream: ReadableStream<Uint8Array>;
  readonly peer: Peer;
  readonly credential: Credential;
  readonly holder: string;
  expiresAtMs: number | null;
  /** The access version of the last successful check of its key; `undefined` before the first. */
  accessVersion: number | undefined;
  /** The time of its last piece. */
  givenAtMs: number;
  /** The time since which it takes nothing although there are movements for it. */
  stalledSinceMs: number | undefined;
  #position: number;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** Resolves its `pull`; only set while it waits. */
  #take: (() => void) | undefined;
  #hasEnded = false;

  /** @param opening Its first piece. */
  constructor(
    position: number,
    { peer, credential, expiresAtMs, holder }: ReaderClient,
    owner: ReaderOwner,
    { opening, nowMs }: { opening: Uint8Array; nowMs: number },
  ) {
    this.#position = position;
    this.peer = peer;
    this.credential = credential;
    this.expiresAtMs = expiresAtMs;
    this.holder = holder;
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
    // No piece is made before the client takes it.
    this.stream = new ReadableStream(source, { highWaterMark: 0 });
  }

  /** The sequence of its last movement. */
  get position(): number {
    return this.#position;
  }

  /** Whether it has taken everything and waits for the next piece. */
  get isWaiting(): boolean {
    return this.#take !== undefined;
  }

  /** Gives a waiting reader a piece. @param sequence The last movement of the piece. */
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
