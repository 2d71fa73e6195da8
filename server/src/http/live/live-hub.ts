import type { ApiError } from '../../domain/errors.ts';
import type { LedgerHead } from '../../domain/ledger.ts';
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
  tooManyOfAccount,
  tooManyReaders,
  tooSlow,
} from './stream-errors.ts';

/** How often the ledger is looked at without being told of news, and readers are judged. */
const TICK_MS = 1_000;
const HEARTBEAT_MS = 15_000;
/** A reader that leaves alone for so long what there is for it is cut. */
const SLOW_MS = 30_000;
/** So is one that is so many movements behind and has not read for a while. */
const MAX_BEHIND = 100_000;
const BEHIND_MS = 5_000;
/** A client that takes nothing for so long is cut off, whatever the time-outs of short answers are. */
const MAX_SILENCE_SECONDS = 60;
/** One that has not taken what it was given before, when the service stops. */
const LAST_SILENCE_SECONDS = 1;
/** Readers served in one turn of the event loop. */
const SERVED_PER_TURN = 100;
/** After news went out, more of it waits for so long a reader, so that requests have their share of the process. */
const PAUSE_MS_PER_READER = 0.1;
const MAX_PAUSE_MS = 250;
/** Readers of an instance that stops come back spread over so long. */
const SHORTEST_RETRY_MS = 1_000;
const RETRY_SPREAD_MS = 2_000;

/** The part of an instance's readers that one account may have. */
const SHARE_OF_ACCOUNT = 0.25;

/** What is asked of a store. */
export type LiveStore = Pick<StockStore, 'onMovements'> &
  Pick<KeyStore, 'accessVersion'> & { readonly ledger: Ledger };

export interface LiveOptions extends Pick<AccessOptions, 'authenticate' | 'clock'> {
  /** Readers at once. */
  readonly maxReaders: number;
  /** Told how many readers there are, when that changes. */
  readonly onReaders: (count: number) => void;
  /** Told of trouble that no reader hears of, once until it is over. */
  readonly onError: (message: string, cause: unknown) => void;
  readonly heartbeatMs?: number;
  readonly slowMs?: number;
  /** Milliseconds of a clock that is never set. */
  readonly elapsedMs?: () => number;
  /** Calls again and again, until the function that it returns is called. */
  readonly every?: (ms: number, listener: () => void) => () => void;
}

/**
 * Hands each reader the movements after its position, in order, without a gap. New ones are read and rendered once
 * for all; whoever needs older ones than are at hand has pages read from the ledger, which is the truth.
 */
export class LiveHub {
  readonly #store: LiveStore;
  readonly #options: Required<LiveOptions>;
  readonly #readers = new Set<LiveReader>();
  readonly #readersOf = new Map<string, number>();
  readonly #tail: LedgerTail;
  readonly #catchUp: CatchUp;
  readonly #access: KeyWatch;
  /** Ends the looking for news; only set while there are readers. */
  #stopLooking: (() => void) | undefined;
  #opened = 0;
  #isTroubled = false;
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
    const onError = (cause: unknown) => this.#noteTrouble(cause);
    this.#tail = new LedgerTail(store.ledger, {
      onNews: () => this.#serveAll(),
      onReplaced: (head) => this.#endBeyond(head),
      onError,
      onSuccess: () => {
        this.#isTroubled = false;
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
   * A stream of the movements after a sequence, as events.
   * @param head Where the ledger stood when the client asked; not before the sequence.
   * @throws ApiError `service_unavailable` when the instance or the account has as many readers as it may have.
   */
  open(sequence: number, head: LedgerHead, client: ReaderClient): ReadableStream<Uint8Array> {
    if (this.#readers.size >= this.#options.maxReaders) throw tooManyReaders();
    const { accountId, planLimit } = client;
    const share = Math.max(1, Math.floor(this.#options.maxReaders * SHARE_OF_ACCOUNT));
    const maxOfAccount = Math.min(planLimit, share);
    if (this.#countOf(accountId) >= maxOfAccount) throw tooManyOfAccount(maxOfAccount);
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
    if (this.#isEnding) reader.end(errorEvent(restarting()));
    else this.#add(reader, head);
    return reader.stream;
  }

  /** Ends every stream, and each that is opened later at once: the service stops. */
  end(): void {
    this.#isEnding = true;
    for (const reader of this.#readers) {
      if (!reader.isWaiting) reader.peer.allowSilence?.(LAST_SILENCE_SECONDS);
      this.#end(reader, restarting());
    }
  }

  #countOf(accountId: string): number {
    return this.#readersOf.get(accountId) ?? 0;
  }

  #add(reader: LiveReader, head: LedgerHead): void {
    this.#readers.add(reader);
    this.#readersOf.set(reader.accountId, this.#countOf(reader.accountId) + 1);
    this.#options.onReaders(this.#readers.size);
    if (this.#stopLooking) return;
    this.#tail.begin(head);
    const stopListening = this.#store.onMovements(() => void this.#tail.look());
    const stopTicking = this.#options.every(TICK_MS, () => this.#tick());
    this.#stopLooking = () => {
      stopListening();
      stopTicking();
    };
    // What was committed before anybody listened.
    void this.#tail.look();
  }

  #remove(reader: LiveReader): void {
    if (!this.#readers.delete(reader)) return;
    const { accountId } = reader;
    const left = this.#countOf(accountId) - 1;
    if (left > 0) this.#readersOf.set(accountId, left);
    else this.#readersOf.delete(accountId);
    this.#catchUp.remove(reader);
    this.#options.onReaders(this.#readers.size);
    if (this.#readers.size > 0) return;
    this.#stopLooking?.();
    this.#stopLooking = undefined;
    this.#tail.end();
  }

  #end(reader: LiveReader, reason: ApiError): void {
    reader.end(errorEvent(reason));
    this.#remove(reader);
  }

  /** Ends the streams that have told more than the ledger holds. */
  #endBeyond(head: LedgerHead): void {
    for (const reader of this.#readers) {
      if (reader.position > head.sequence) this.#end(reader, ledgerReplaced());
    }
  }

  /** Gives a reader what comes next, if it waits for it and it is there. */
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
    for (const reader of this.#readers) this.#judge(reader, nowMs);
    this.#catchUp.retry();
    void this.#access.look(this.#readers);
    void this.#tail.look();
  }

  #judge(reader: LiveReader, nowMs: number): void {
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

  #noteTrouble(cause: unknown): void {
    if (this.#isTroubled || this.#readers.size === 0) return;
    this.#isTroubled = true;
    this.#options.onError('Live readers wait: the ledger cannot be read now.', cause);
  }
}

/** Lets others have the event loop; a database in the process answers at once, and would never leave it. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function repeat(ms: number, listener: () => void): () => void {
  const timer = setInterval(listener, ms);
  timer.unref();
  return () => clearInterval(timer);
}
