import { setTimeout as elapsed } from 'node:timers/promises';
import type { StockStore } from './domain/ledger-store.ts';
import { serviceAuthor } from './domain/orders/orders.ts';

const POLL_INTERVAL_MS = 1_000;
/** The most orders whose writes are queued together: other writes wait for no more of them. */
const MAX_QUEUED_ORDERS = 50;

interface OrderExpiryOptions {
  /** Called when orders cannot be expired; again only after they could be. */
  readonly onError: (message: string, cause: unknown) => void;
  /** Milliseconds between two looks for orders whose time has come. */
  readonly intervalMs?: number;
  /** Resolves after a time, or when the signal aborts; by default by a timer. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds of a clock that is never set; by default that of this process. */
  readonly elapsedMs?: () => number;
}

/** The timer alone must not keep a process alive. */
const timerWait = (ms: number, signal: AbortSignal): Promise<void> =>
  elapsed(ms, undefined, { signal, ref: false }).catch(() => {});

/**
 * Expires placed orders whose time has come. Every instance does this. The ledger's transaction decides about each
 * order, so that it expires once.
 */
export class OrderExpiry {
  readonly #store: Pick<StockStore, 'write' | 'orders'>;
  readonly #onError: OrderExpiryOptions['onError'];
  readonly #intervalMs: number;
  readonly #wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly #elapsedMs: () => number;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #isFailing = false;

  constructor(
    store: Pick<StockStore, 'write' | 'orders'>,
    {
      onError,
      intervalMs = POLL_INTERVAL_MS,
      wait = timerWait,
      elapsedMs = () => performance.now(),
    }: OrderExpiryOptions,
  ) {
    this.#store = store;
    this.#onError = onError;
    this.#intervalMs = intervalMs;
    this.#wait = wait;
    this.#elapsedMs = elapsedMs;
  }

  start(): void {
    this.#running = this.#poll();
  }

  /** Resolves when no expiry is being written any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const beganAtMs = this.#elapsedMs();
      const isMoreDue = await this.#tryExpireDue();
      // Half of the time is left for other writes.
      const pauseMs = isMoreDue ? this.#elapsedMs() - beganAtMs : this.#intervalMs;
      await this.#wait(pauseMs, signal);
    }
  }

  async #tryExpireDue(): Promise<boolean> {
    try {
      const isMoreDue = await this.#expireDue();
      this.#isFailing = false;
      return isMoreDue;
    } catch (error) {
      if (!this.#isFailing) this.#onError('cannot expire orders; the service keeps trying', error);
      this.#isFailing = true;
      return false;
    }
  }

  /** Expires one page of orders. Returns whether there may be more. */
  async #expireDue(): Promise<boolean> {
    const { atMs, orderIds, hasMore } = await this.#store.orders.dueOrders(MAX_QUEUED_ORDERS);
    const author = serviceAuthor(atMs);
    const writes = orderIds.map((orderId) =>
      this.#store.write({ author, command: { kind: 'step', step: 'expire', orderId } }),
    );
    // Waits for each write, so that none is left when a stop waits for this.
    const settled = await Promise.allSettled(writes);
    const failed = settled.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    // Where another instance has expired all of them, it also takes the next page.
    const isOwn = settled.some((one) => one.status === 'fulfilled' && isExpired(one.value));
    return isOwn && hasMore;
  }
}

function isExpired(answer: Awaited<ReturnType<StockStore['write']>>): boolean {
  return answer.kind === 'written' && answer.result.code === 'done';
}
