import { CredentialUses } from '../access/credential-uses.ts';
import type { StoreOptions } from '../store-options.ts';
import type { MemoryLimits } from './memory-limits.ts';
import type { WriterThread } from './writer-thread.ts';

/** Periodic writes of a process; no request waits for them. */
export class DeferredWrites {
  readonly keyUses = new CredentialUses();
  readonly sessionUses = new CredentialUses();
  readonly #writer: WriterThread;
  readonly #limits: MemoryLimits;
  readonly #onError: StoreOptions['onError'];

  constructor(writer: WriterThread, limits: MemoryLimits, onError: StoreOptions['onError']) {
    this.#writer = writer;
    this.#limits = limits;
    this.#onError = onError;
  }

  /** Deletes old usage. Where that fails, the next call repeats it. */
  purgeUsage(nowMs: number): void {
    if (this.#writer.loss !== undefined) return;
    this.#writer.submit({ kind: 'purgeUsage', nowMs }).catch(() => undefined);
  }

  /** Writes counts, and uses of keys and sessions. Those that cannot be written now are kept for the next time. */
  async write(): Promise<void> {
    const changes = this.#limits.takeChanges();
    const { counts, minutes, quotas } = changes;
    const keyUses = this.keyUses.take();
    const sessionUses = this.sessionUses.take();
    // An empty batch makes the writing thread replace an unconfirmed commit.
    if (
      counts.length + minutes.length + quotas.length === 0 &&
      keyUses.length + sessionUses.length === 0 &&
      this.#writer.isCertain
    )
      return;
    try {
      await this.#writer.submit({ kind: 'saveCounts', counts, minutes, quotas, keyUses, sessionUses });
      this.#limits.noteSaved(changes);
    } catch (cause) {
      this.#limits.returnChanges(changes);
      this.keyUses.requeue(keyUses);
      this.sessionUses.requeue(sessionUses);
      this.#onError('Counts of requests could not be written; they stay in memory.', cause);
    }
  }
}
