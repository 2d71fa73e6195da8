import type { Principal } from '../../domain/access/api-key.ts';
import { ApiError } from '../../domain/errors.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { KeyStore } from '../../domain/store.ts';
import type { LiveReader } from './live-reader.ts';

/** Concurrent checks of keys, each of which may query the database. */
const KEYS_AT_ONCE = 50;

export interface AccessOptions {
  /** Checks the header of a key again. */
  readonly authenticate: (authorization: string | null, nowMs: number) => MaybePromise<Principal | ApiError>;
  /** Wall-clock milliseconds. */
  readonly clock: () => number;
  readonly onRefused: (reader: LiveReader, refusal: ApiError) => void;
}

/** Checks whether the keys of readers are still valid. */
export class KeyWatch {
  readonly #keys: Pick<KeyStore, 'accessVersion'>;
  readonly #options: AccessOptions;
  #isChecking = false;

  constructor(keys: Pick<KeyStore, 'accessVersion'>, options: AccessOptions) {
    this.#keys = keys;
    this.#options = options;
  }

  /**
   * Checks again the keys that may have changed or expired since their last check. A failed check is repeated at the
   * next call.
   */
  async check(readers: Iterable<LiveReader>): Promise<void> {
    if (this.#isChecking) return;
    const version = this.#keys.accessVersion();
    const nowMs = this.#options.clock();
    const suspects = new Map<string | null, LiveReader[]>();
    for (const reader of readers) {
      const { authorization, accessVersion, expiresAtMs } = reader;
      if (accessVersion === version && (expiresAtMs === null || expiresAtMs > nowMs)) continue;
      const same = suspects.get(authorization);
      if (same) same.push(reader);
      else suspects.set(authorization, [reader]);
    }
    if (suspects.size === 0) return;
    this.#isChecking = true;
    try {
      const unchecked = [...suspects];
      while (unchecked.length > 0) {
        const batch = unchecked.splice(0, KEYS_AT_ONCE);
        await Promise.all(batch.map(([key, holders]) => this.#checkKey(key, holders, version, nowMs)));
      }
    } catch {
      // A database error must not end streams; requests report it.
    } finally {
      this.#isChecking = false;
    }
  }

  async #checkKey(
    authorization: string | null,
    readers: readonly LiveReader[],
    version: number,
    nowMs: number,
  ): Promise<void> {
    const result = await this.#options.authenticate(authorization, nowMs);
    for (const reader of readers) {
      if (result instanceof ApiError) this.#options.onRefused(reader, result);
      else {
        reader.accessVersion = version;
        reader.expiresAtMs = result.key.expiresAtMs;
      }
    }
  }
}
