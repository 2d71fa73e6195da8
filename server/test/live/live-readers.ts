import assert from 'node:assert/strict';
import type { Principal } from '../../src/domain/access/principal.ts';
import type { ApiError } from '../../src/domain/errors.ts';
import type { LedgerHead } from '../../src/domain/ledger/ledger.ts';
import { LiveHub, type LiveOptions } from '../../src/http/live/live-hub.ts';
import type { Peer } from '../../src/listen/peer.ts';
import { EventStream, type StreamEvent } from '../support/event-stream.ts';
import { MemoryLedger } from './memory-ledger.ts';

const CLIENT = { peer: {}, credential: { authorization: 'Bearer x' } };
const GOOD = { key: { expiresAtMs: null } } as Principal;

/** Live readers of a ledger in memory, with a clock that the test advances. */
export class LiveRoom {
  readonly store = new MemoryLedger();
  readonly errors: string[] = [];
  readonly live: LiveHub;
  nowMs = 0;
  /** The result of every authentication: a principal, or a refusal. */
  identity: Principal | ApiError = GOOD;
  #tick: (() => void) | undefined;

  constructor(options: Partial<LiveOptions> = {}) {
    this.live = new LiveHub(this.store, {
      maxReaders: 4_000,
      authenticate: () => this.identity,
      clock: () => this.nowMs,
      onReaders: () => {},
      onError: (message) => this.errors.push(message),
      elapsedMs: () => this.nowMs,
      every: (_, listener) => {
        this.#tick = listener;
        return () => {
          this.#tick = undefined;
        };
      },
      ...options,
    });
  }

  get isTicking(): boolean {
    return this.#tick !== undefined;
  }

  /** Advances the clock by a number of seconds. */
  pass(seconds: number): void {
    for (let i = 0; i < seconds; i += 1) {
      this.nowMs += 1_000;
      this.#tick?.();
    }
  }

  open(
    after = this.store.length,
    expiresAtMs: number | null = null,
    holder = 'a',
    planLimit = 1_000,
  ): LiveClient {
    const client = { ...CLIENT, expiresAtMs, holder, planLimit };
    return new LiveClient(this.store, after, this.live.open(after, this.store.headNow(), client));
  }

  /** A reader whose request found this end of the ledger. */
  follow(head: LedgerHead, after = head.sequence, peer: Peer = {}): LiveClient {
    const client = { ...CLIENT, peer, expiresAtMs: null, holder: 'a', planLimit: 1_000 };
    return new LiveClient(this.store, after, this.live.open(after, head, client));
  }
}

/** One reader; it reads a piece per call of `take`. */
export class LiveClient {
  readonly events: StreamEvent[] = [];
  readonly parser = new EventStream();
  readonly pieces: Uint8Array[] = [];
  readonly #store: MemoryLedger;
  readonly #after: number;
  #taking: Promise<boolean> | undefined;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;

  constructor(store: MemoryLedger, after: number, stream: ReadableStream<Uint8Array>) {
    this.#store = store;
    this.#after = after;
    this.#reader = stream.getReader();
  }

  /** Reads the next piece, or waits for the pending read; `false` when the stream has ended. */
  take(): Promise<boolean> {
    this.#taking ??= this.#take().finally(() => {
      this.#taking = undefined;
    });
    return this.#taking;
  }

  /** Takes pieces until this is the last event id. */
  async takeUntil(lastEventId: string): Promise<void> {
    while (this.parser.lastEventId !== lastEventId) assert.ok(await this.take(), 'the stream continues');
  }

  async #take(): Promise<boolean> {
    const { done, value } = await this.#reader.read();
    if (done) return false;
    this.pieces.push(value);
    this.events.push(...this.parser.push(value));
    return true;
  }

  /** Reads pieces until a number of movements has arrived, or the stream has ended. */
  async takeMovements(count: number): Promise<void> {
    while (this.movements.length < count && (await this.take()));
  }

  async takeAll(): Promise<void> {
    while (await this.take());
  }

  async cancel(): Promise<void> {
    await this.#reader.cancel();
  }

  get movements(): readonly StreamEvent[] {
    return this.events.filter(({ type }) => type === 'movement');
  }

  /** Why the stream has ended. */
  get error(): { code: string; message: string; status: number } {
    const last = this.events.at(-1);
    assert.equal(last?.type, 'end', 'the last event has the reason');
    return JSON.parse(last?.data ?? '') as ReturnType<() => LiveClient['error']>;
  }

  /** Asserts that it received the ledger from its start: in order, without a gap, with the same bytes. */
  assertLedger(): void {
    const received = this.movements.map(({ id, data }) => `${id} ${data}`);
    const expected = this.#store.eventsAfter(this.#after).slice(0, received.length);
    // Compared one by one first: a difference of long lists is slow to print.
    const isSame = received.length === expected.length && received.every((event, i) => event === expected[i]);
    if (!isSame) assert.deepEqual(received, expected);
  }
}
