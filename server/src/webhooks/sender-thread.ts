import { type ResourceLimits, Worker } from 'node:worker_threads';
import { inBackground } from '../process/in-background.ts';
import type { MaybePromise } from '../domain/maybe-promise.ts';
import { workerModule } from '../process/release-files.ts';
import type { DeliveryAttempt } from '../domain/webhooks/webhook-endpoint.ts';
import { BYTES_PER_ENDPOINT } from '../domain/webhooks/webhook-store.ts';
import { closeWorker } from '../management/close-worker.ts';
import type { SenderNumbers } from './sender-stats.ts';

/** Parameters of the sending thread. */
export interface SenderData {
  /** The address of the database. */
  readonly url: string;
  /** The secret under which the signing secrets are sealed. */
  readonly pepper: Uint8Array;
  /** Names this process among the senders. */
  readonly owner: string;
  /** Addresses and CIDR blocks besides the public addresses. */
  readonly networks: readonly string[];
  /** The release of the service. */
  readonly version: string;
  /** Whether each attempt is reported. */
  readonly isTraced?: boolean;
  /** Whether each attempt has the header `traceparent`. */
  readonly sendsTraceparent?: boolean;
}

/** To the sending thread: look for changed endpoints, or end after the attempts in progress. */
export type SenderCommand = 'wake' | { readonly closeWithinMs: number };

/** An attempt as it is reported: without the response of the receiver. */
type SentAttempt = Pick<
  DeliveryAttempt,
  'eventId' | 'eventType' | 'attempt' | 'durationMs' | 'statusCode' | 'errorCode'
> & { readonly url: string; readonly traceparent: string | undefined };

/** From the sending thread. */
export type SenderNews =
  | { readonly kind: 'numbers'; readonly numbers: SenderNumbers }
  | { readonly kind: 'attempt'; readonly attempt: SentAttempt }
  | { readonly kind: 'paused'; readonly id: string; readonly reason: 'failing' | 'gone' }
  | { readonly kind: 'unopened'; readonly id: string }
  | { readonly kind: 'failed'; readonly id: string; readonly error: string };

const CHECK_INTERVAL_MS = 2_000;
const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 30_000;

/**
 * The room grows only under a heavy load (`fit-memory-to-load.ts`): in the first 1 MB of it, half of the objects belong to attempts in
 * progress at each collection, and are copied.
 */
const MAX_YOUNG_GENERATION_MB = 12;
/**
 * Memory of the thread without that of its endpoints, which is added. A thousand endpoints that are far behind need two thirds
 * of it, and the garbage takes the rest. A thread that needed more than its limit is followed by one with twice the limit; but a
 * thread without memory can end the process, by a failing check of V8, so the limit must not be too low.
 */
const FIRST_MEMORY_MB = 32;
const MAX_MEMORY_MB = 1_536;
const BYTES_PER_MB = 1e6;

export interface SenderThreadOptions {
  readonly data: SenderData;
  /** Starts a thread with limits of its memory; by default one of the sender. */
  readonly startWorker?: (resourceLimits: ResourceLimits) => Worker;
  /** Memory of all endpoints to send to. Without an endpoint it is `undefined`, and no thread is started. */
  readonly endpointBytes: () => MaybePromise<number | undefined>;
  /** Called each second with the numbers since the start of the thread, and with `undefined` at its end. */
  readonly onNumbers: (numbers: SenderNumbers | undefined) => void;
  /** Called after each attempt, if they are reported. */
  readonly onAttempt?: ((attempt: SentAttempt) => void) | undefined;
  readonly onPaused: (id: string, reason: 'failing' | 'gone') => void;
  /** Called for an endpoint to which nothing is sent, because its secret does not open. */
  readonly onUnopened: (id: string) => void;
  /** Called for an endpoint whose events cannot be read or sent now; it is tried again. */
  readonly onEndpointError: (id: string, error: string) => void;
  /** Called for an unexpected end of the thread. It will be started again. */
  readonly onError: (message: string, cause: unknown) => void;
}

/** The serving thread's side of the thread that sends webhooks. */
export class SenderThread {
  readonly #options: SenderThreadOptions;
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isChecking = false;
  #isClosing = false;
  #isRestarting = false;
  #backoffMs = FIRST_BACKOFF_MS;
  #notBeforeMs = 0;
  #memoryMb = FIRST_MEMORY_MB;

  constructor(options: SenderThreadOptions) {
    this.#options = options;
  }

  /** From now on the thread runs while there are endpoints. */
  start(): void {
    this.#timer = setInterval(() => this.#checkSoon(), CHECK_INTERVAL_MS);
    this.#timer.unref();
    this.#checkSoon();
  }

  /** Called after a change of an endpoint, so that it has an effect immediately. */
  wake(): void {
    if (this.#worker) this.#worker.postMessage('wake' satisfies SenderCommand);
    else this.#checkSoon();
  }

  /** Ends the thread with its connections. It is started again soon, and continues where its reports end. */
  restart(): void {
    if (!this.#worker) return;
    this.#isRestarting = true;
    this.#worker.terminate().catch(() => undefined);
  }

  /**
   * Ends the thread after it has reported, or a few seconds after the time for attempts.
   * @param closeWithinMs How long attempts in progress may take.
   */
  async close(closeWithinMs = 0): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#timer);
    if (this.#worker)
      await closeWorker(this.#worker, { closeWithinMs } satisfies SenderCommand, closeWithinMs);
  }

  #checkSoon(): void {
    inBackground(
      () => this.#check(),
      (cause) => this.#options.onError('the webhook sender cannot start yet', cause),
    );
  }

  /** Starts the thread if there is an endpoint to send to. */
  async #check(): Promise<void> {
    if (this.#worker || this.#isChecking || performance.now() < this.#notBeforeMs) return;
    this.#isChecking = true;
    try {
      const bytes = await this.#endpointBytes();
      if (bytes !== undefined && !this.#isClosing) this.#startWorker(bytes);
    } finally {
      this.#isChecking = false;
    }
  }

  /** The store reports a database that cannot be read; the next check tries again. */
  async #endpointBytes(): Promise<number | undefined> {
    try {
      return await this.#options.endpointBytes();
    } catch {
      return undefined;
    }
  }

  #startWorker(endpointBytes: number): void {
    const { data, onNumbers, onAttempt, onPaused, onUnopened, onEndpointError, onError } = this.#options;
    const start = this.#options.startWorker ?? ((resourceLimits) => newWorker(data, resourceLimits));
    const worker = start({
      maxYoungGenerationSizeMb: MAX_YOUNG_GENERATION_MB,
      maxOldGenerationSizeMb: Math.min(this.#memoryMb + endpointBytes / BYTES_PER_MB, MAX_MEMORY_MB),
    });
    this.#worker = worker;
    const mostBytes = endpointBytes + (this.#memoryMb * BYTES_PER_MB) / 2;
    let isOutgrown = false;
    let cause: unknown;
    worker.on('message', (news: SenderNews) => {
      if (news.kind === 'attempt') return onAttempt?.(news.attempt);
      if (news.kind === 'paused') return onPaused(news.id, news.reason);
      if (news.kind === 'unopened') return onUnopened(news.id);
      if (news.kind === 'failed') return onEndpointError(news.id, news.error);
      this.#backoffMs = FIRST_BACKOFF_MS;
      onNumbers(news.numbers);
      if (isOutgrown || bytesOf(news.numbers) <= mostBytes) return;
      isOutgrown = true;
      inBackground(
        () => closeWorker(worker, { closeWithinMs: 0 } satisfies SenderCommand),
        (error) => onError('the webhook sender cannot end', error),
      );
    });
    worker.once('error', (error) => {
      cause = error;
    });
    worker.once('exit', () => {
      this.#worker = undefined;
      const isWanted = this.#isRestarting && cause === undefined;
      this.#isRestarting = false;
      onNumbers(undefined);
      if (this.#isClosing) return;
      if (isOutgrown) return this.#checkSoon();
      if (isOutOfMemory(cause)) this.#memoryMb = Math.min(this.#memoryMb * 2, MAX_MEMORY_MB);
      if (!isWanted) onError('the webhook sender failed; it will be started again', cause);
      this.#notBeforeMs = performance.now() + this.#backoffMs;
      this.#backoffMs = Math.min(this.#backoffMs * 2, MAX_BACKOFF_MS);
    });
  }
}

export function newWorker(workerData: SenderData, resourceLimits: ResourceLimits): Worker {
  return new Worker(workerModule('sender-worker', import.meta.url), { workerData, resourceLimits });
}

/** Without filters. */
function bytesOf({ endpoints }: SenderNumbers): number {
  return (endpoints.healthy + endpoints.failing) * BYTES_PER_ENDPOINT;
}

function isOutOfMemory(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
