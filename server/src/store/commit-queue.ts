import { serviceUnavailable } from '../domain/errors.ts';

/**
 * Turns of the event loop to wait before a commit. The callers of the commit before are being answered in them,
 * and what they ask next goes into this one: half as many commits, and a fifth less work a change (DECISIONS.md).
 */
const GATHERING_TURNS = 3;

interface Waiting<W, R> {
  readonly write: W;
  readonly resolve: (result: R) => void;
  readonly reject: (reason: unknown) => void;
}

export interface CommitQueueLimits {
  /** Writes in one commit at most. */
  readonly batchSize: number;
  /** Writes waiting at most; one more is refused at once, so that a slow disk cannot fill the memory. */
  readonly waiting: number;
}

/**
 * Group commit. Writes that arrive while one commit is on its way to disk go together in the next one, and
 * each caller is answered when its own is durable. A commit that fails fails for all its writes alike.
 */
export class CommitQueue<W, R> {
  readonly #commit: (writes: W[]) => Promise<R[]>;
  readonly #limits: CommitQueueLimits;
  #waiting: Waiting<W, R>[] = [];
  #isScheduled = false;
  #underWay: Promise<void> | undefined;

  constructor(commit: (writes: W[]) => Promise<R[]>, limits: CommitQueueLimits) {
    this.#commit = commit;
    this.#limits = limits;
  }

  submit(write: W): Promise<R> {
    if (this.#waiting.length >= this.#limits.waiting) {
      return Promise.reject(serviceUnavailable('Too many changes are waiting to be written.', undefined, 1));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      this.#schedule();
    });
  }

  /** Resolves when nothing is waiting or under way. */
  async drain(): Promise<void> {
    while (this.#underWay || this.#waiting.length > 0) {
      this.#schedule();
      await (this.#underWay ?? new Promise((resolve) => setImmediate(resolve)));
    }
  }

  #schedule(): void {
    if (this.#underWay || this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    afterTurns(GATHERING_TURNS, () => {
      this.#isScheduled = false;
      this.#underWay = this.#commitNext().finally(() => {
        this.#underWay = undefined;
        this.#schedule();
      });
    });
  }

  async #commitNext(): Promise<void> {
    const batch = this.#waiting.splice(0, this.#limits.batchSize);
    try {
      const results = await this.#commit(batch.map(({ write }) => write));
      for (const [i, { resolve }] of batch.entries()) resolve(results[i] as R);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

function afterTurns(turns: number, next: () => void): void {
  setImmediate(() => (turns > 1 ? afterTurns(turns - 1, next) : next()));
}
