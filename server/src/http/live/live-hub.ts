import type { ApiError } from '../../domain/errors.ts';
import { inBackground } from '../../process/in-background.ts';
import type { LedgerHead } from '../../domain/ledger/ledger.ts';
import type { Ledger, StockStore } from '../../domain/ledger-store.ts';
import type { KeyStore } from '../../domain/store.ts';
import { CatchUp } from './catch-up.ts';
import { type AccessOptions, KeyWatch } from './key-watch.ts';
import { LedgerTail } from './ledger-tail.ts';
import { LiveReader, type ReaderClient } from './live-reader.ts';
import { errorEvent, HEARTBEAT, type MovementBlock, openingEvent } from './movement-events.ts';
import {
  historyPruned,
  ledgerReplaced,
  restarting,
  tooManyOfHolder,
  tooManyReaders,
  tooSlow,
} from './stream-errors.ts';

/** Interval of reads without a notification, and of the checks of readers. */
const TICK_MS = 1_000;
const HEARTBEAT_MS = 15_000;
/** A reader that takes nothing for so long, although there are movements for it, is cut. */
const SLOW_MS = 30_000;
/** A reader so many movements behind is cut after `BEHIND_MS`. */
const MAX_BEHIND = 100_000;
const BEHIND_MS = 5_000;
/** A connection that takes nothing for so long is cut. It replaces the time-outs of short responses. */
const MAX_SILENCE_SECONDS = 60;
/** While the service stops, a client that has not taken its last piece is cut after this time. */
const LAST_SILENCE_SECONDS = 1;
/** Readers per turn of the event loop. */
const SERVED_PER_TURN = 100;
/** Pause per reader after new movements were sent, so that requests get their share of the process. */
const PAUSE_MS_PER_READER = 0.1;
const MAX_PAUSE_MS = 250;
/** Readers of a stopped instance reconnect after a delay that is spread over this range. */
const SHORTEST_RETRY_MS = 1_000;
const RETRY_SPREAD_MS = 2_000;

/** The share of an instance's readers that one account, or one management key, may have. */
const SHARE_OF_HOLDER = 0.25;

/** The part of a store that live readers need. */
export type LiveStore = Pick<StockStore, 'onMovements'> &
  Pick<KeyStore, 'accessVersion'> & { readonly ledger: Ledger };

export interface LiveOptions extends Pick<AccessOptions, 'authenticate' | 'clock'> {
  /** Concurrent readers. */
  readonly maxReaders: number;
  /** Called with the number of readers after each change. */
  readonly onReaders: (count: number) => void;
  /** Called with the first error of a series. Readers do not see it. */
  readonly onError: (message: string, cause: unknown) => void;
  readonly heartbeatMs?: number;
  readonly slowMs?: number;
  /** Milliseconds of a monotonic clock. */
  readonly elapsedMs?: () => number;
  /** Calls a listener periodically, until the returned function is called. */
  readonly every?: (ms: number, listener: () => void) => () => void;
}

/**
 * Sends each reader the movements after its position, in order, without a gap. New movements are read and rendered once
 * for all readers. Readers that need movements older than the ring get pages of the ledger.
 */
export class LiveHub {
  readonly #store: LiveStore;
  readonly #options: Required<LiveOptions>;
  readonly #readers = new Set<LiveReader>();
  readonly #readersOf = new Map<string, number>();
  readonly #tail: LedgerTail;
  readonly #catchUp: CatchUp;
  readonly #access: KeyWatch;
  /** Stops the polling; only set while there are readers. */
  #stopPolling: (() => void) | undefined;
  #opened = 0;
  #isFailing = false;
  #isEnding = false;

  constructor(store: LiveStore, options: LiveOptions) {
    this.#store = store;
    this.#options = {
      heartbeatMs: HEARTBEAT_MS,
      slowMs: SLOW_MS,
      elapsedMs: () => performance.now(),
      every: repeat,
      ...options,
    };
    const { authenticate, clock } = options;
    this.#access = new KeyWatch(store, {
      authenticate,
      clock,
      onRefused: (reader, refusal) => this.#end(reader, refusal),
    });
    const onError = (cause: unknown) => this.#reportError(cause);
    this.#tail = new LedgerTail(store.ledger, {
      onNews: () => this.#serveAll(),
      onReplaced: () => this.#endAll(),
      onError,
      onSuccess: () => {
        this.#isFailing = false;
      },
    });
    this.#catchUp = new CatchUp(store.ledger, {
      headNow: () => this.#tail.head,
      onBlock: (reader, block) => this.#give(reader, block),
      onPruned: (reader) => this.#end(reader, historyPruned(reader.position)),
      onError,
    });
  }

  get readerCount(): number {
    return this.#readers.size;
  }

  /**
   * Opens a stream of the movements after a sequence, as events.
   * @param head The end of the ledger at the request; not before the sequence.
   * @throws ApiError `service_unavailable` when the instance stops, or when it, the account or the management key has reached its limit of readers.
   */
  open(sequence: number, head: LedgerHead, client: ReaderClient): ReadableStream<Uint8Array> {
    // A load balancer may not know yet that the instance stops. After a 200 a client would soon connect again, and use up its requests.
    if (this.#isEnding) throw restarting();
    if (this.#readers.size >= this.#options.maxReaders) throw tooManyReaders();
    const { holder, planLimit } = client;
    const share = Math.max(1, Math.floor(this.#options.maxReaders * SHARE_OF_HOLDER));
    const maxOfHolder = Math.min(planLimit, share);
    const open = this.#countOf(holder);
    if (open >= maxOfHolder) throw tooManyOfHolder(open, maxOfHolder);
    const retryMs = SHORTEST_RETRY_MS + ((this.#opened * 619) % RETRY_SPREAD_MS);
    this.#opened += 1;
    const opening = openingEvent(sequence, retryMs);
    const owner = {
      onWaiting: (one: LiveReader) => this.#serve(one),
      onGone: (one: LiveReader) => this.#remove(one),
    };
    const reader = new LiveReader(sequence, client, owner, { opening, nowMs: this.#options.elapsedMs() });
    client.peer.allowSilence?.(MAX_SILENCE_SECONDS);
    client.peer.followClient?.();
    this.#add(reader, head);
    return reader.stream;
  }

  /** The service stops: ends every stream, and refuses later ones. */
  end(): void {
    this.#isEnding = true;
    for (const reader of this.#readers) {
      if (!reader.isWaiting) reader.peer.allowSilence?.(LAST_SILENCE_SECONDS);
      this.#end(reader, restarting());
    }
  }

  #countOf(holder: string): number {
    return this.#readersOf.get(holder) ?? 0;
  }

  #add(reader: LiveReader, head: LedgerHead): void {
    this.#readers.add(reader);
    this.#readersOf.set(reader.holder, this.#countOf(reader.holder) + 1);
    this.#options.onReaders(this.#readers.size);
    if (this.#stopPolling) return;
    this.#tail.begin(head);
    const stopListening = this.#store.onMovements(() => this.#poll());
    const stopTicking = this.#options.every(TICK_MS, () => this.#tick());
    this.#stopPolling = () => {
      stopListening();
      stopTicking();
    };
    // Movements that were committed before the listener was added.
    this.#poll();
  }

  #remove(reader: LiveReader): void {
    if (!this.#readers.delete(reader)) return;
    const { holder } = reader;
    const left = this.#countOf(holder) - 1;
    if (left > 0) this.#readersOf.set(holder, left);
    else this.#readersOf.delete(holder);
    this.#catchUp.remove(reader);
    this.#options.onReaders(this.#readers.size);
    if (this.#readers.size > 0) return;
    this.#stopPolling?.();
    this.#stopPolling = undefined;
    this.#tail.end();
  }

  #end(reader: LiveReader, reason: ApiError): void {
    reader.end(errorEvent(reason));
    this.#remove(reader);
  }

  /** Ends the streams, which may have sent movements that the ledger does not contain. */
  #endAll(): void {
    for (const reader of this.#readers) this.#end(reader, ledgerReplaced());
  }

  /** Sends a waiting reader its next movements, if the ring has them. */
  #serve(reader: LiveReader): void {
    if (!reader.isWaiting || !this.#readers.has(reader)) return;
    const { ring } = this.#tail;
    const block = ring.find(reader.position);
    if (block) this.#give(reader, block);
    else if (reader.position < ring.start) this.#catchUp.add(reader);
  }

  async #serveAll(): Promise<void> {
    this.#tail.pause(Math.min(MAX_PAUSE_MS, this.#readers.size * PAUSE_MS_PER_READER));
    let served = 0;
    for (const reader of this.#readers) {
      this.#serve(reader);
      served += 1;
      if (served % SERVED_PER_TURN === 0) await nextTurn();
    }
    await nextTurn();
  }

  #give(reader: LiveReader, block: MovementBlock): void {
    reader.give(block.eventsAfter(reader.position), block.last, this.#options.elapsedMs());
  }

  #tick(): void {
    const nowMs = this.#options.elapsedMs();
    for (const reader of this.#readers) this.#check(reader, nowMs);
    this.#catchUp.retry();
    inBackground(
      () => this.#access.check(this.#readers),
      (cause) => this.#reportError(cause),
    );
    this.#poll();
  }

  #poll(): void {
    inBackground(
      () => this.#tail.poll(),
      (cause) => this.#reportError(cause),
    );
  }

  /** Sends a heartbeat to an idle reader, and ends the stream of a slow one. */
  #check(reader: LiveReader, nowMs: number): void {
    const { heartbeatMs, slowMs } = this.#options;
    if (reader.isWaiting) {
      if (nowMs - reader.givenAtMs >= heartbeatMs) reader.give(HEARTBEAT, reader.position, nowMs);
      return;
    }
    const behind = this.#tail.ring.end - reader.position;
    if (behind <= 0) return;
    reader.stalledSinceMs ??= nowMs;
    const stalledMs = nowMs - reader.stalledSinceMs;
    if (behind > MAX_BEHIND && stalledMs >= BEHIND_MS)
      this.#end(reader, tooSlow(`fell ${behind} movements behind`));
    else if (stalledMs >= slowMs) {
      this.#end(reader, tooSlow(`took nothing for ${slowMs / 1_000} seconds`));
    }
  }

  #reportError(cause: unknown): void {
    if (this.#isFailing || this.#readers.size === 0) return;
    this.#isFailing = true;
    this.#options.onError('Live readers wait: the ledger cannot be read now.', cause);
  }
}

/** A database in this process returns without a turn of the event loop, so other work needs one here. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function repeat(ms: number, listener: () => void): () => void {
  const timer = setInterval(listener, ms);
  timer.unref();
  return () => clearInterval(timer);
}
