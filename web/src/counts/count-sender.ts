import { type Count, type Sent, stockAfter } from './count.ts';
import type { CountQueue } from './count-queue.ts';

const LOCK = 'petstore-counts';

/** Sends the counts of one person, one after the other, in one tab at a time. */
export class CountSender {
  readonly #queue: CountQueue;
  readonly #send: (count: Count) => Promise<Sent>;
  readonly #mayBeOf: (keyId: string) => boolean;
  #isRunning = false;

  /** @param mayBeOf Whether the session may be that of a person. Another person would be the author of the counts. */
  constructor(
    queue: CountQueue,
    send: (count: Count) => Promise<Sent>,
    mayBeOf: (keyId: string) => boolean = () => true,
  ) {
    this.#queue = queue;
    this.#send = send;
    this.#mayBeOf = mayBeOf;
  }

  /** Sends what waits, until nothing does or an attempt fails. */
  async run(keyId: string): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      // A count that was made while the lock was released started no run of its own.
      for (let isReached = true; isReached && this.#next(keyId);) {
        isReached = await inOneTab(() => this.#sendAll(keyId));
      }
    } finally {
      this.#isRunning = false;
    }
  }

  #next(keyId: string): Count | undefined {
    return this.#mayBeOf(keyId) ? this.#queue.next(keyId) : undefined;
  }

  /** @returns Whether each attempt had an answer. */
  async #sendAll(keyId: string): Promise<boolean> {
    for (let count = this.#next(keyId); count; count = this.#next(keyId)) {
      // Before the request: from now on it cannot be withdrawn without the service.
      this.#queue.update(count.id, { isTried: true, triedAtMs: count.triedAtMs ?? Date.now() });
      const changes = await this.#send(count);
      if (!changes) return false;
      // Without locks, another tab may have had the same answer first. Another new key would make the change a second time.
      if (!this.#isAsSent(count)) continue;
      this.#queue.update(count.id, changes);
      this.#moveOn({ ...count, ...changes }, count.tag);
    }
    return true;
  }

  #isAsSent({ id, key }: Count): boolean {
    const now = this.#queue.find(id);
    return now?.state === 'waiting' && now.key === key;
  }

  /**
   * A later count of the same pet was made on top of this one, or on the same state as this one, which has another tag now.
   * Units that were added to the quantity of somebody else, whom the person did not see, are nothing to go on from, and neither
   * are details of a pet whose quantity somebody else has changed.
   */
  #moveOn(moved: Count, tagBefore: string): void {
    const { petId, tag, state, edit, stock } = moved;
    const isBesides = edit?.delta !== undefined || edit?.details !== undefined;
    if (tag === tagBefore || (isBesides && stock !== undefined)) return;
    const expected = state === 'sent' ? { expected: stockAfter(moved) } : {};
    for (const count of this.#queue.counts) {
      const isNext = count.state === 'waiting' && count.petId === petId && count.tag === tagBefore;
      if (isNext) this.#queue.update(count.id, { tag, ...expected });
    }
  }
}

interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** A page without TLS from another machine has no locks. There, idempotency keys keep a count from being recorded twice. */
function inOneTab<T>(work: () => Promise<T>): Promise<T> {
  const { locks } = navigator as { readonly locks?: Locks };
  return locks ? locks.request(LOCK, work) : work();
}
