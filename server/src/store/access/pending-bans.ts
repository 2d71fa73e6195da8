import type { Ban } from '../../domain/access/bans.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { Admission } from '../../domain/store.ts';

/** Bans that are not durable yet. A ban that cannot be written applies from memory, and is written again later. */
export class PendingBans {
  readonly #write: (ban: Ban) => Promise<void>;
  readonly #onError: (message: string, cause: unknown) => void;
  readonly #bans = new Map<string, Ban>();
  readonly #writes = new Map<string, Promise<void>>();

  constructor(write: (ban: Ban) => Promise<void>, onError: (message: string, cause: unknown) => void) {
    this.#write = write;
    this.#onError = onError;
  }

  save(ban: Ban): void {
    this.#bans.set(ban.keyId, ban);
    this.#writes.set(ban.keyId, this.#attempt(ban));
  }

  /** Resolves with a decision after the key's ban is durable, so that no crash forgets a ban that was sent. */
  whenSaved(keyId: string, admission: Admission): MaybePromise<Admission> {
    if (admission.refusal?.code !== 'api_key_banned') return admission;
    const writing = this.#writes.get(keyId);
    return writing ? writing.then(() => admission) : admission;
  }

  /** The database's bans with those that it does not have yet. */
  mergeWith(saved: readonly Ban[]): readonly Ban[] {
    return this.#bans.size === 0 ? saved : [...saved, ...this.#bans.values()];
  }

  /** Writes the bans again whose write failed. */
  retry(): void {
    for (const ban of this.#bans.values()) {
      if (!this.#writes.has(ban.keyId)) this.save(ban);
    }
  }

  /** Resolves when no write is in progress. */
  async drain(): Promise<void> {
    await Promise.all(this.#writes.values());
  }

  async #attempt(ban: Ban): Promise<void> {
    try {
      await this.#write(ban);
      if (this.#bans.get(ban.keyId) === ban) this.#bans.delete(ban.keyId);
    } catch (cause) {
      this.#onError('A ban could not be written; it stays in memory.', cause);
    } finally {
      this.#writes.delete(ban.keyId);
    }
  }
}
