import type { Ban } from '../../domain/bans.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { Admission } from '../../domain/store.ts';

/** Bans on their way to the database. One that cannot be written holds in memory, and is tried again. */
export class PendingBans {
  readonly #write: (ban: Ban) => Promise<void>;
  readonly #onTrouble: (message: string, cause: unknown) => void;
  readonly #bans = new Map<string, Ban>();
  readonly #writes = new Map<string, Promise<void>>();

  constructor(write: (ban: Ban) => Promise<void>, onError: (message: string, cause: unknown) => void) {
    this.#write = write;
    this.#onTrouble = onError;
  }

  save(ban: Ban): void {
    this.#bans.set(ban.keyId, ban);
    this.#writes.set(ban.keyId, this.#attempt(ban));
  }

  /** Hands a decision on. Whoever is banned is told when the ban is on disk, so that no crash forgets what was said. */
  whenSaved(keyId: string, admission: Admission): MaybePromise<Admission> {
    if (admission.refusal?.code !== 'api_key_banned') return admission;
    const writing = this.#writes.get(keyId);
    return writing ? writing.then(() => admission) : admission;
  }

  /** The bans as the database has them, with those that it does not have yet. */
  mergeWith(saved: readonly Ban[]): readonly Ban[] {
    return this.#bans.size === 0 ? saved : [...saved, ...this.#bans.values()];
  }

  /** Tries those again whose write failed. */
  retry(): void {
    for (const ban of this.#bans.values()) {
      if (!this.#writes.has(ban.keyId)) this.save(ban);
    }
  }

  /** Resolves when no write is under way. */
  async drain(): Promise<void> {
    await Promise.all(this.#writes.values());
  }

  async #attempt(ban: Ban): Promise<void> {
    try {
      await this.#write(ban);
      if (this.#bans.get(ban.keyId) === ban) this.#bans.delete(ban.keyId);
    } catch (cause) {
      this.#onTrouble('A ban could not be written down; it is kept in memory.', cause);
    } finally {
      this.#writes.delete(ban.keyId);
    }
  }
}
