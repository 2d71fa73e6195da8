import { comparePositions, type EventPosition } from '../domain/webhooks/events.ts';
import { MAX_LOGGED_ATTEMPTS } from '../domain/webhooks/webhook-endpoint.ts';
import type { EndpointProgress, LeasedEndpoint } from '../domain/webhooks/webhook-store.ts';
import type { AttemptResult, Clocks, Shipment } from './delivery/attempt.ts';
import { signingKey } from './delivery/signature.ts';
import { matches, type Subscription, toSubscription } from './event-facts.ts';
import type { EventSource } from './event-source.ts';
import type { Message } from './message.ts';
import { PendingMessages } from './pending-messages.ts';
import { mustPause, retryAfterMs, retryDelayMs } from './retry-schedule.ts';

const GONE = 410;

/** What a queue needs of its sender. */
export interface QueueOptions {
  readonly source: EventSource;
  readonly clocks: Clocks;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Makes an attempt as soon as a connection may be opened; `undefined`: the sender may not send any more. */
  readonly send: (shipment: Shipment) => Promise<AttemptResult | undefined>;
  /** Resolves after the time, or when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called when there is something to report. */
  readonly onProgress: (queue: EndpointQueue) => void;
  readonly onError: (error: unknown) => void;
}

type Failing = Pick<EndpointProgress, 'failingSinceMs' | 'failures' | 'retryAtMs'>;
const NOT_FAILING: Failing = { failingSinceMs: null, failures: 0, retryAtMs: null };

/** Delivers the events of one endpoint, one after the other. */
export class EndpointQueue {
  readonly id: string;
  readonly token: number;
  readonly #options: QueueOptions;
  /** Aborted: no further attempt begins. */
  readonly #ending = new AbortController();
  /** Aborted: the attempt in progress is interrupted too. */
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #url: string;
  #version: number;
  #subscription: Subscription;
  #keys: readonly Uint8Array[];
  #failing: Failing;
  #pause: EndpointProgress['pause'];
  #attempts: EndpointProgress['attempts'][number][] = [];
  /** All events up to here are delivered, or do not match. */
  #cursor: EventPosition;
  #reported: EventPosition;
  /** All events up to here are delivered, pending, or do not match. */
  #read: EventPosition;
  readonly #pending = new PendingMessages();
  /** Whether all matching events that the source has passed on are pending or delivered. */
  #isLive = false;
  /** The source lacks earlier events in its ring that only this endpoint receives. */
  #indexedAt: EventPosition;
  #scanSize = 0;
  #wake: () => void = () => {};
  /** When the event was recorded whose delivery fails. */
  #failedAtMs: number | undefined;

  constructor(leased: LeasedEndpoint, options: QueueOptions) {
    const { endpoint, token, secrets } = leased;
    this.id = endpoint.id;
    this.token = token;
    this.#options = options;
    this.#url = endpoint.url;
    this.#version = endpoint.version;
    this.#subscription = toSubscription(endpoint);
    this.#keys = secrets.map(signingKey);
    const { failingSinceMs, failures, retryAtMs, cursor } = endpoint;
    this.#failing = { failingSinceMs, failures, retryAtMs };
    this.#cursor = cursor;
    this.#reported = cursor;
    this.#read = cursor;
    this.#indexedAt = options.source.decided;
  }

  get subscription(): Subscription {
    return this.#subscription;
  }

  get version(): number {
    return this.#version;
  }

  get isFailing(): boolean {
    return this.#failing.failures > 0;
  }

  /** When the oldest event was recorded that is known to wait. */
  get oldestAtMs(): number | undefined {
    return this.#pending.first?.recordedAtMs ?? this.#failedAtMs;
  }

  /** Movements after the last one that is done. */
  get behind(): number {
    return Math.max(0, this.#options.source.head.sequence - this.cursor.sequence);
  }

  get cursor(): EventPosition {
    if (this.#pending.first) return this.#cursor;
    if (!this.#isLive) return this.#read;
    const { position } = this.#options.source;
    return comparePositions(position, this.#read) > 0 ? position : this.#read;
  }

  /** Whether only events that do not match have moved the cursor since the last report. */
  get hasSkipped(): boolean {
    return comparePositions(this.cursor, this.#reported) !== 0;
  }

  start(): void {
    this.#running = this.#run().catch((error: unknown) => {
      if (!this.#ending.signal.aborted) this.#options.onError(error);
    });
  }

  /** Ends after the attempt in progress. */
  finish(): Promise<void> {
    this.#ending.abort();
    this.#wake();
    return this.#running;
  }

  /** Ends immediately. An attempt in progress is interrupted, and is not reported. */
  stop(): void {
    this.#stopping.abort();
    void this.finish();
  }

  /** Uses these secrets from now on. */
  useSecrets(secrets: readonly string[]): void {
    this.#keys = secrets.map(signingKey);
  }

  /** Uses a changed filter. The caller removes the queue from the index before, and adds it after. */
  change({ endpoint }: LeasedEndpoint): void {
    this.#cursor = this.cursor;
    this.#url = endpoint.url;
    this.#version = endpoint.version;
    this.#subscription = toSubscription(endpoint);
    this.#indexedAt = this.#options.source.decided;
    this.#forget();
    this.#wake();
  }

  /** Takes a new event that matches. */
  offer(message: Message): void {
    if (!this.#isLive || comparePositions(message.position, this.#read) <= 0) return;
    if (this.#pending.isFull) {
      this.#isLive = false;
      return;
    }
    if (!this.#pending.first) this.#cursor = this.cursor;
    this.#push(message);
    this.#wake();
  }

  /** What is new since the last report. */
  takeProgress(): EndpointProgress {
    const { cursor, id, token } = this;
    this.#reported = cursor;
    const attempts = this.#attempts;
    this.#attempts = [];
    return { id, token, cursor, ...this.#failing, ...(this.#pause && { pause: this.#pause }), attempts };
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    await this.#waitForRetry();
    while (!signal.aborted) {
      const next = this.#pending.first;
      if (next) await this.#deliver(next);
      else if (!this.#isLive) await this.#refill();
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  async #deliver(message: Message): Promise<void> {
    const { signal } = this.#stopping;
    const { failures } = this.#failing;
    const sent = await this.#options.send({
      message,
      url: this.#url,
      keys: this.#keys,
      failures,
      signal,
    });
    // An attempt that a stop interrupted is not a failure of the receiver.
    if (!sent || signal.aborted) return;
    const { result, attempt, retryAfter } = sent;
    this.#attempts.push(attempt);
    if (this.#attempts.length > MAX_LOGGED_ATTEMPTS) this.#attempts.shift();
    if (result === 'delivered') {
      this.#succeed(message);
      this.#options.onProgress(this);
      return;
    }
    this.#fail(message, attempt.statusCode, retryAfter);
    this.#options.onProgress(this);
    await this.#waitForRetry();
  }

  #succeed(message: Message): void {
    this.#failing = NOT_FAILING;
    this.#failedAtMs = undefined;
    this.#cursor = message.position;
    // A change of the filter meanwhile has emptied the list; the event is done all the same.
    if (this.#pending.first === message) this.#pending.removeFirst();
    else if (comparePositions(this.#read, message.position) < 0) this.#read = message.position;
  }

  #fail(message: Message, statusCode: number | null, retryAfter: string | undefined): void {
    const nowMs = this.#options.clocks.wallMs();
    const failures = this.#failing.failures + 1;
    const failingSinceMs = this.#failing.failingSinceMs ?? nowMs;
    const delayMs = retryDelayMs(failures, retryAfterMs(retryAfter, nowMs), this.#options.random());
    this.#failing = { failures, failingSinceMs, retryAtMs: nowMs + delayMs };
    if (statusCode === GONE) this.#pause = { reason: 'gone', atMs: nowMs };
    else if (mustPause(failingSinceMs, failures, nowMs)) this.#pause = { reason: 'failing', atMs: nowMs };
    this.#failedAtMs = message.recordedAtMs;
    // The memory is free while it waits. The message is read again, with the same bytes.
    this.#forget();
    if (this.#pause) this.#ending.abort();
  }

  /** Drops what is pending: it will be read again after the cursor. */
  #forget(): void {
    this.#pending.clear();
    this.#isLive = false;
    this.#read = this.#cursor;
  }

  async #waitForRetry(): Promise<void> {
    const { retryAtMs, failures } = this.#failing;
    if (retryAtMs === null) return;
    // A wall clock that was set must not delay an endpoint for longer than the schedule.
    const longestMs = retryDelayMs(Math.max(failures, 1), Number.POSITIVE_INFINITY, 1);
    const delayMs = Math.min(Math.max(0, retryAtMs - this.#options.clocks.wallMs()), longestMs);
    await this.#options.wait(delayMs, this.#ending.signal);
  }

  /** Takes the next matching events from the ring, or reads them where the ring does not have them. */
  async #refill(): Promise<void> {
    if (this.#isInRing()) this.#takeFromRing();
    else await this.#readPage();
  }

  #takeFromRing(): void {
    this.#cursor = this.cursor;
    for (const { facts, message } of this.#options.source.ring.after(this.#read)) {
      if (!matches(this.#subscription, facts)) continue;
      if (this.#pending.isFull) return;
      this.#push(message);
    }
    this.#isLive = true;
  }

  async #readPage(): Promise<void> {
    const [before, subscription] = [this.#read, this.#subscription];
    const page = await this.#options.source.page(before, subscription, this.#scanSize);
    // The filter changed meanwhile.
    if (this.#read !== before || this.#subscription !== subscription) return;
    this.#scanSize = page.nextScan;
    this.#cursor = before;
    for (const message of page.messages) this.#push(message);
    this.#read = page.upTo;
  }

  /** Whether the ring has all later events that match. */
  #isInRing(): boolean {
    const { ring } = this.#options.source;
    return comparePositions(this.#read, ring.from) >= 0 && comparePositions(this.#read, this.#indexedAt) >= 0;
  }

  #push(message: Message): void {
    this.#pending.push(message);
    this.#read = message.position;
  }
}
