import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { ApiError } from '../api/api-error.ts';
import { isApiError } from '../api/api-error.ts';
import { endRequests, isReached, open } from '../api/client.ts';
import { parseExact } from '../api/exact-json.ts';
import type { Movement } from '../api/schemas.ts';
import { TimeLimit } from '../api/time-limit.ts';
import { Pauses } from './pauses.ts';
import { Listeners } from '../listeners.ts';

type LiveState = 'connecting' | 'live' | 'offline';

export interface LiveStatus {
  readonly state: LiveState;
  /** When the connection was lost; `undefined` while it is live. */
  readonly sinceMs: number | undefined;
}

export interface LiveListener {
  /** New movements, in order, without gaps. */
  onMovements?(movements: readonly Movement[]): void;
  /** Movements were missed that cannot be read again: load everything again. */
  onGap?(): void;
  /** The operator restored a backup: what is known, also with a newer version, may never have been. */
  onOtherLedger?(): void;
}

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;
/** The service sends at least a comment in 15 seconds, and looks each second whether one is due. */
const SILENCE_MS = 18_000;
/** The stream begins with an event, which needs no other work of the service. */
const OPEN_MS = 5_000;

export interface StreamSource {
  /** As `open` of the API. */
  readonly open: typeof open;
  /** Whether the service answers anything. */
  readonly isReached: () => Promise<boolean>;
  /** Called when it does not. */
  readonly onLost: () => void;
}

/** A movement that the pages have. Its hash covers all movements before it. */
interface Place {
  readonly id: string;
  readonly hash: string;
}

/** One stream of movements per tab, shared by its pages. It resumes after the last movement that it has. */
export class MovementStream {
  readonly #listeners = new Listeners<LiveListener>();
  readonly subscribe = this.#listeners.subscribe;
  readonly #statusListeners = new Listeners();
  readonly subscribeStatus = this.#statusListeners.subscribe;
  #status: LiveStatus = { state: 'connecting', sinceMs: undefined };
  #lastId: string | undefined;
  /** Shows whether the ledger is another one when the stream resumes, such as that of a restored backup. */
  #place: Place | undefined;
  /** Whether the pages show another ledger than that of the service. */
  #isReplaced = false;
  #stop: AbortController | undefined;
  #wake: (() => void) | undefined;
  #connection: TimeLimit | undefined;
  #isChecking = false;
  /** Whether the last attempt to connect had no answer. */
  #isUnreached = false;
  readonly #source: StreamSource;
  readonly #pauses: Pauses;

  constructor(source: StreamSource = { open, isReached, onLost: endRequests }, pauses = new Pauses()) {
    this.#source = source;
    this.#pauses = pauses;
  }

  get status(): LiveStatus {
    return this.#status;
  }

  /** The sequence of the last movement before or of the stream; `undefined` before it began. */
  get lastId(): string | undefined {
    return this.#lastId;
  }

  start(): void {
    if (this.#stop) return;
    this.#stop = new AbortController();
    void this.#run(this.#stop.signal);
  }

  /** Ends the connection. `start` resumes after the last movement. */
  pause(): void {
    this.#stop?.abort();
    this.#stop = undefined;
    this.#wake?.();
    this.#setState('connecting');
  }

  stop(): void {
    this.pause();
    this.#forgetPlace();
    this.#isReplaced = false;
  }

  /** Connects again without waiting, such as when the browser is online again. */
  retryNow(): void {
    this.#wake?.();
  }

  /** Connects again without waiting, after the answer to another request. A stream that was refused waits: it would be again. */
  answered(): void {
    if (this.#isUnreached) this.retryNow();
  }

  /** Looks whether the service still answers, after a request that did not. If it does not, the stream is offline. */
  async check(): Promise<void> {
    if (this.#isChecking || !this.#stop || this.#status.state === 'offline') return;
    this.#isChecking = true;
    const isLost = !(await this.#source.isReached());
    this.#isChecking = false;
    if (isLost) this.lose();
  }

  /** Ends the connection, and connects again soon: there is a sign that it is lost. */
  lose(): void {
    if (!this.#stop) return;
    this.#source.onLost();
    this.#connection?.end();
    this.#setState('offline');
  }

  /** Resolves when the stream is live or cannot be now. */
  settled(): Promise<void> {
    if (this.#status.state !== 'connecting') return Promise.resolve();
    return new Promise((resolve) => {
      const unsubscribe = this.subscribeStatus(() => {
        if (this.#status.state === 'connecting') return;
        unsubscribe();
        resolve();
      });
    });
  }

  async #run(signal: AbortSignal): Promise<void> {
    let delayMs = FIRST_DELAY_MS;
    while (!signal.aborted) {
      try {
        await this.#follow(signal, () => {
          delayMs = FIRST_DELAY_MS;
        });
      } catch (error) {
        if (signal.aborted) return;
        this.#isUnreached = isApiError(error, 'offline');
        if (isApiError(error, 'history_pruned')) this.#skipGap();
        else if (isBehind(error)) this.#leaveLedger();
        else if (isSignedOut(error)) return;
      }
      this.#setState('offline');
      await this.#wait(delayMs * (0.5 + Math.random() / 2));
      delayMs = Math.min(delayMs * 2, MAX_DELAY_MS);
    }
  }

  async #follow(signal: AbortSignal, onOpen: () => void): Promise<void> {
    const opening = new TimeLimit(OPEN_MS).start();
    const silence = new TimeLimit(SILENCE_MS).start();
    this.#connection = silence;
    try {
      const signals = AbortSignal.any([signal, opening.signal, silence.signal]);
      if (await this.#isOtherLedger(signals)) this.#leaveLedger();
      const response = await this.#source.open('GET', '/movements/stream', {
        query: { after: this.#lastId },
        signal: signals,
      });
      opening.clear();
      onOpen();
      this.#isUnreached = false;
      const wasOffline = this.#status.state === 'offline';
      this.#setState('live');
      // The stream begins now, not after what the pages have.
      if (this.#isReplaced) this.#beginLedger();
      else if (wasOffline && this.#lastId === undefined) this.#skipGap();
      await this.#read(response.body as ReadableStream<Uint8Array>, silence, signal);
    } finally {
      opening.clear();
      silence.clear();
    }
  }

  async #read(body: ReadableStream<Uint8Array>, silence: TimeLimit, signal: AbortSignal): Promise<void> {
    let events: EventSourceMessage[] = [];
    let isPruned = false;
    const parser = createParser({ onEvent: (event) => events.push(event) });
    const receive = (part: readonly EventSourceMessage[]) => {
      const movements: Movement[] = [];
      for (const { event, id, data } of part) {
        if (id !== undefined) this.#lastId = id;
        if (event === 'movement') {
          const movement = parseExact(data) as Movement;
          movements.push(movement);
          if (id !== undefined) this.#place = { id, hash: movement.hash };
        }
        if (event === 'end') isPruned = data.includes('history_pruned');
      }
      if (movements.length === 0) return;
      for (const listener of this.#listeners) listener.onMovements?.(movements);
    };
    // An id without data is no event for the parser; the stream begins with one.
    const firstId = /^id: ?(\d+)$/m;
    const decoder = new TextDecoder();
    const reader = body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      silence.start();
      const text = decoder.decode(value, { stream: true });
      const isFirst = this.#lastId === undefined;
      this.#lastId ??= firstId.exec(text)?.[1];
      if (isFirst) void this.#findPlace(signal);
      parser.feed(text);
      const received = events;
      events = [];
      await this.#pauses.each(received, receive, signal);
    }
    if (isPruned) this.#skipGap();
  }

  /** Reads the hash of the movement after which the stream began. */
  async #findPlace(signal: AbortSignal): Promise<void> {
    const id = this.#lastId;
    if (id === undefined || id === '0') return;
    try {
      const hash = await this.#hashOf(id, signal);
      if (this.#lastId !== undefined) this.#place ??= { id, hash };
    } catch {
      // Without a place a shorter ledger is still found, because it refuses the last id.
    }
  }

  /** Whether the ledger lacks the movements that the pages have. @throws ApiError if that cannot be read now */
  async #isOtherLedger(signal: AbortSignal): Promise<boolean> {
    if (this.#place === undefined) return false;
    const { id, hash } = this.#place;
    try {
      return (await this.#hashOf(id, signal)) !== hash;
    } catch (error) {
      if (isApiError(error, 'not_found')) return true;
      // The stream itself says whether what follows a deleted movement is there.
      if (isApiError(error, 'history_pruned')) return false;
      throw error;
    }
  }

  async #hashOf(id: string, signal: AbortSignal): Promise<string> {
    const response = await this.#source.open('GET', `/movements/${id}`, { signal });
    return ((await response.json()) as Movement).hash;
  }

  #forgetPlace(): void {
    this.#lastId = undefined;
    this.#place = undefined;
  }

  #leaveLedger(): void {
    this.#forgetPlace();
    this.#isReplaced = true;
  }

  #beginLedger(): void {
    this.#isReplaced = false;
    for (const listener of this.#listeners) listener.onOtherLedger?.();
  }

  #skipGap(): void {
    this.#forgetPlace();
    for (const listener of this.#listeners) listener.onGap?.();
  }

  #setState(state: LiveState): void {
    if (state === this.#status.state) return;
    const sinceMs = state === 'offline' ? Date.now() : undefined;
    this.#status = { state, sinceMs };
    for (const listener of this.#statusListeners) listener();
  }

  #wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, delayMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Whether the ledger ends before the last movement of the stream. */
const isBehind = (error: unknown): boolean => isApiError(error, 'invalid_parameter');

const isSignedOut = (error: unknown): boolean => (error as Partial<ApiError>).status === 401;
