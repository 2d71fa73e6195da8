import { comparePositions, type EventPosition } from '../../domain/webhooks/events.ts';
import { MAX_LOGGED_ATTEMPTS } from '../../domain/webhooks/webhook-endpoint.ts';
import type { EndpointPause, EndpointProgress, LeasedEndpoint } from '../../domain/webhooks/webhook-store.ts';
import type { AttemptResult, Dispatch } from '../delivery/attempt.ts';
import { signingKey } from '../delivery/signature.ts';
import { PROMPT_MS } from './delivery-slots.ts';
import { EndpointEvents } from './endpoint-events.ts';
import { type Subscription, toSubscription } from './event-facts.ts';
import type { EventSource } from './event-source.ts';
import type { Message } from './message.ts';
import { type FailureOptions, ReceiverFailures } from './receiver-failures.ts';

/** Pauses after errors that are not failures of the receiver. */
const FIRST_ERROR_DELAY_MS = 250;
const MAX_ERROR_DELAY_MS = 30_000;

/** What a queue needs of its sender. */
export interface QueueOptions extends FailureOptions {
  readonly source: EventSource;
  /**
   * Makes an attempt as soon as a connection may be opened; `undefined`: there is none, or it was aborted, because the
   * receiver is slow or the sender may not send any more.
   * @param dispatch Called when the attempt begins; `undefined`: there is nothing to send any more.
   */
  readonly send: (
    dispatch: () => Dispatch | undefined,
    from: SendingQueue,
  ) => Promise<AttemptResult | undefined>;
  /** Resolves after the time, or when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called when there is something to report. */
  readonly onProgress: (queue: EndpointQueue) => void;
  /** Called for the first error in a row that is not a failure of the receiver. The queue tries again by itself. */
  readonly onError: (endpointId: string, error: unknown) => void;
}

/** What decides for which place an attempt waits. */
export interface SendingQueue {
  /** Failed attempts of the message before. */
  readonly failures: number;
  /** Whether the last attempt was aborted. */
  readonly isSlow: boolean;
}

/** Delivers the events of one endpoint, one after the other. */
export class EndpointQueue {
  readonly id: string;
  readonly token: number;
  readonly #options: QueueOptions;
  readonly #events: EndpointEvents;
  readonly #failures: ReceiverFailures;
  /** Aborted: no further attempt begins. */
  readonly #ending = new AbortController();
  /** Aborted: the attempt in progress is interrupted too. */
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #url: string;
  #version: number;
  #keys: readonly Uint8Array[];
  #attempts: EndpointProgress['attempts'][number][] = [];
  #reported: EventPosition;
  #wake: () => void = () => {};
  #isSlow = false;
  /** Errors in a row that are not failures of the receiver. */
  #errors = 0;
  /** When the event was recorded whose delivery fails. */
  #failedAtMs: number | undefined;

  constructor(leased: LeasedEndpoint, options: QueueOptions) {
    const { endpoint, token, secrets } = leased;
    this.id = endpoint.id;
    this.token = token;
    this.#options = options;
    this.#url = endpoint.url;
    this.#version = endpoint.version;
    this.#events = new EndpointEvents(options.source, toSubscription(endpoint), endpoint.cursor);
    this.#failures = new ReceiverFailures(endpoint, options);
    this.#keys = secrets.map(signingKey);
    this.#reported = endpoint.cursor;
  }

  get subscription(): Subscription {
    return this.#events.subscription;
  }

  get version(): number {
    return this.#version;
  }

  get isFailing(): boolean {
    return this.#failures.count > 0 || this.#errors > 0;
  }

  /** When the oldest event was recorded that is known to wait. */
  get oldestAtMs(): number | undefined {
    return this.#events.first?.recordedAtMs ?? this.#failedAtMs;
  }

  /** Movements after the last one that is done. */
  get behind(): number {
    return this.#events.behind;
  }

  /** Whether only events that do not match have moved the cursor since the last report. */
  get hasSkipped(): boolean {
    return comparePositions(this.#events.cursor, this.#reported) !== 0;
  }

  /** Set where no further attempt may be made: the endpoint must be paused. */
  get pause(): EndpointPause | undefined {
    const { pause } = this.#failures;
    return pause && { id: this.id, token: this.token, ...pause };
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Ends after the attempt in progress. */
  finish(): Promise<void> {
    this.#ending.abort();
    this.#wake();
    return this.#running;
  }

  /**
   * Ends immediately. An attempt in progress is interrupted, and is not reported. What was delivered before can still be
   * reported: no event that comes later counts as done.
   */
  stop(): void {
    this.#stopping.abort();
    this.#events.detach();
    void this.finish();
  }

  /** Uses these secrets from now on. */
  useSecrets(secrets: readonly string[]): void {
    this.#keys = secrets.map(signingKey);
  }

  /** Uses a changed filter. The caller removes the queue from the index before, and adds it after. */
  change({ endpoint }: LeasedEndpoint): void {
    this.#url = endpoint.url;
    this.#version = endpoint.version;
    this.#events.change(toSubscription(endpoint));
    this.#wake();
  }

  /** Takes a new event that matches. */
  offer(message: Message): void {
    if (this.#events.offer(message)) this.#wake();
  }

  /** Progress since the last report. */
  takeProgress(): EndpointProgress {
    const { id, token } = this;
    const { cursor } = this.#events;
    this.#reported = cursor;
    const attempts = this.#attempts;
    this.#attempts = [];
    return { id, token, cursor, ...this.#failures.progress, attempts };
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    await this.#findFailed();
    await this.#waitForRetry();
    while (!signal.aborted) {
      try {
        await this.#step();
        this.#errors = 0;
      } catch (error) {
        await this.#waitAfter(error);
      }
    }
  }

  /**
   * Finds the event whose retry another queue has planned, such as one before a restart: it waits for up to an hour, and its age
   * is the lag of the endpoint.
   */
  async #findFailed(): Promise<void> {
    if (this.#failures.delayMs() === undefined) return;
    const events = this.#events;
    try {
      while (!events.first && !events.isAtEnd && !this.#ending.signal.aborted) await events.refill();
      this.#failedAtMs = events.first?.recordedAtMs;
      // As after a failure: the memory is free while it waits.
      if (events.first) events.forget();
    } catch {
      // It is read again for the attempt, where an error is reported.
    }
  }

  async #step(): Promise<void> {
    const next = this.#events.first;
    if (next) await this.#deliver(next);
    else if (!this.#events.isAtEnd) await this.#events.refill();
    else {
      this.#endFailure();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** No event waits: a changed filter leaves out the one whose delivery failed, or a prune has deleted it. */
  #endFailure(): void {
    if (this.#failures.count === 0) return;
    this.#failures.succeed();
    this.#failedAtMs = undefined;
    this.#options.onProgress(this);
  }

  /** A failure of one endpoint must not end the sender, because that would stop all endpoints. */
  async #waitAfter(error: unknown): Promise<void> {
    const { signal } = this.#ending;
    if (signal.aborted) return;
    this.#errors += 1;
    if (this.#errors === 1) this.#options.onError(this.id, error);
    const delayMs = FIRST_ERROR_DELAY_MS * 2 ** (this.#errors - 1);
    await this.#options.wait(Math.min(delayMs, MAX_ERROR_DELAY_MS), signal);
  }

  async #deliver(message: Message): Promise<void> {
    const { signal } = this.#stopping;
    const { count: failures } = this.#failures;
    // An attempt can wait for its place for minutes. Meanwhile a secret ends, or a filter leaves the message out.
    const dispatch = () =>
      this.#isNext(message)
        ? { message, url: this.#url, keys: this.#keys, failures, signals: [signal] }
        : undefined;
    const sent = await this.#options.send(dispatch, { failures, isSlow: this.#isSlow });
    if (!sent && !this.#isNext(message)) return;
    this.#isSlow = sent ? this.#isSlow && sent.attempt.durationMs > PROMPT_MS : true;
    // An attempt that a stop interrupted is not a failure of the receiver.
    if (!sent || signal.aborted) return;
    this.#attempts.push(sent.attempt);
    if (this.#attempts.length > MAX_LOGGED_ATTEMPTS) this.#attempts.shift();
    if (sent.result === 'delivered') this.#succeed(message);
    else this.#fail(message, sent);
    this.#options.onProgress(this);
    await this.#waitForRetry();
  }

  /** Whether no change of the filter has emptied the list of messages since this one was taken from it. */
  #isNext(message: Message): boolean {
    return this.#events.first === message;
  }

  #succeed(message: Message): void {
    this.#failures.succeed();
    this.#failedAtMs = undefined;
    this.#events.remove(message);
  }

  #fail(message: Message, { attempt, retryAfter }: AttemptResult): void {
    this.#failures.fail(attempt.statusCode, retryAfter);
    this.#failedAtMs = message.recordedAtMs;
    // The memory is free while it waits. The message is read again, with the same bytes.
    this.#events.forget();
    if (this.#failures.pause) this.#ending.abort();
  }

  async #waitForRetry(): Promise<void> {
    const delayMs = this.#failures.delayMs();
    if (delayMs !== undefined) await this.#options.wait(delayMs, this.#ending.signal);
  }
}
