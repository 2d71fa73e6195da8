import { type Count, type Sent, stockAfter } from './count.ts';
import type { CountQueue } from './count-queue.ts';

const LOCK = 'petstore-counts';

/** Sends the counts of one person, one after the other, in one tab at a time. */
export class CountSender {
  readonly #queue: CountQueue;
  readonly #send: (count: Count) => Promise<Sent>;
  #isRunning = false;

  constructor(queue: CountQueue, send: (count: Count) => Promise<Sent>) {
    this.#queue = queue;
    this.#send = send;
  }

  /** Sends what waits, until nothing does or an attempt fails. */
  async run(keyId: string): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      // A count that was made while the lock was released started no run of its own.
      for (let isReached = true; isReached && this.#queue.next(keyId);) {
        isReached = await inOneTab(() => this.#sendAll(keyId));
      }
    } finally {
      this.#isRunning = false;
    }
  }

  /** @returns Whether each attempt had an answer. */
  async #sendAll(keyId: string): Promise<boolean> {
    for (let count = this.#queue.next(keyId); count; count = this.#queue.next(keyId)) {
      // Before the request: from now on it cannot be withdrawn without the service.
      this.#queue.update(count.id, { isTried: true });
      const changes = await this.#send(count);
      if (!changes) return false;
      this.#queue.update(count.id, changes);
      if (changes.state === 'sent') this.#moveOn({ ...count, ...changes }, count.tag);
    }
    return true;
  }

  /** A later count of the same pet was made on top of this one. */
  #moveOn(sent: Count, tagBefore: string): void {
    for (const count of this.#queue.counts) {
      const isNext = count.state === 'waiting' && count.petId === sent.petId && count.tag === tagBefore;
      if (isNext) this.#queue.update(count.id, { tag: sent.tag, expected: stockAfter(sent) });
    }
  }
}

interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Without locks, as on a page without TLS, idempotency keys alone keep a count from being recorded twice. */
function inOneTab<T>(work: () => Promise<T>): Promise<T> {
  const { locks } = navigator as { readonly locks?: Locks };
  return locks ? locks.request(LOCK, work) : work();
}
