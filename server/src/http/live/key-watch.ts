import type { Principal } from '../../domain/api-key.ts';
import { ApiError } from '../../domain/errors.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { KeyStore } from '../../domain/store.ts';
import type { LiveReader } from './live-reader.ts';

/** Keys asked at once after a change; each may be a question to the database. */
const KEYS_AT_ONCE = 50;

export interface AccessOptions {
  /** Finds out again whose key a header carries, or why it is none any more. */
  readonly authenticate: (authorization: string | null, nowMs: number) => MaybePromise<Principal | ApiError>;
  /** Wall-clock milliseconds. */
  readonly clock: () => number;
  readonly onRefused: (reader: LiveReader, refusal: ApiError) => void;
}

/** Looks whether the keys that readers came with are still good. */
export class KeyWatch {
  readonly #keys: Pick<KeyStore, 'accessVersion'>;
  readonly #options: AccessOptions;
  #isLooking = false;

  constructor(keys: Pick<KeyStore, 'accessVersion'>, options: AccessOptions) {
    this.#keys = keys;
    this.#options = options;
  }

  /**
   * Asks again for the keys that may have changed or expired since they were found good. What cannot be asked now is
   * asked the next time.
   */
  async look(readers: Iterable<LiveReader>): Promise<void> {
    if (this.#isLooking) return;
    const version = this.#keys.accessVersion();
    const nowMs = this.#options.clock();
    const suspects = new Map<string | null, LiveReader[]>();
    for (const reader of readers) {
      const { authorization, accessVersion, expiresAtMs } = reader;
      if (accessVersion === version && (expiresAtMs === null || expiresAtMs > nowMs)) continue;
      const alike = suspects.get(authorization);
      if (alike) alike.push(reader);
      else suspects.set(authorization, [reader]);
    }
    if (suspects.size === 0) return;
    this.#isLooking = true;
    try {
      const questions = [...suspects];
      while (questions.length > 0) {
        const some = questions.splice(0, KEYS_AT_ONCE);
        await Promise.all(some.map(([key, principals]) => this.#ask(key, principals, version, nowMs)));
      }
    } catch {
      // Nobody is shut out because a database does not answer; who asks it hears of that.
    } finally {
      this.#isLooking = false;
    }
  }

  async #ask(
    authorization: string | null,
    readers: readonly LiveReader[],
    version: number,
    nowMs: number,
  ): Promise<void> {
    const identity = await this.#options.authenticate(authorization, nowMs);
    for (const reader of readers) {
      if (identity instanceof ApiError) this.#options.onRefused(reader, identity);
      else {
        reader.accessVersion = version;
        reader.expiresAtMs = identity.key.expiresAtMs;
      }
    }
  }
}
