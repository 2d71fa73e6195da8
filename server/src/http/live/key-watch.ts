import type { Principal } from '../../domain/access/principal.ts';
import { accessEndsAtMs } from '../../domain/access/sessions.ts';
import { ApiError } from '../../domain/errors.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { KeyStore } from '../../domain/store.ts';
import type { Credential } from '../request/request-context.ts';
import type { LiveReader } from './live-reader.ts';

/** Concurrent checks of keys, each of which may query the database. */
const KEYS_AT_ONCE = 50;

export interface AccessOptions {
  /** Checks a credential again. */
  readonly authenticate: (credential: Credential, nowMs: number) => MaybePromise<Principal | ApiError>;
  /** The time by the clock of the store. */
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
    this.#isChecking = true;
    try {
      await this.#checkAll(readers);
    } catch {
      // A database error must not end streams; requests report it.
    } finally {
      this.#isChecking = false;
    }
  }

  async #checkAll(readers: Iterable<LiveReader>): Promise<void> {
    const version = this.#keys.accessVersion();
    const nowMs = this.#options.clock();
    const suspects = new Map<string, LiveReader[]>();
    for (const reader of readers) {
      const { credential, accessVersion, expiresAtMs } = reader;
      if (accessVersion === version && (expiresAtMs === null || expiresAtMs > nowMs)) continue;
      const text = credential.session ?? credential.authorization ?? '';
      const same = suspects.get(text);
      if (same) same.push(reader);
      else suspects.set(text, [reader]);
    }
    const unchecked = [...suspects.values()];
    while (unchecked.length > 0) {
      const batch = unchecked.splice(0, KEYS_AT_ONCE);
      await Promise.all(batch.map((holders) => this.#checkKey(holders, version, nowMs)));
    }
  }

  async #checkKey(readers: readonly LiveReader[], version: number, nowMs: number): Promise<void> {
    const [{ credential }] = readers as [LiveReader];
    const result = await this.#options.authenticate(credential, nowMs);
    for (const reader of readers) {
      if (result instanceof ApiError) this.#options.onRefused(reader, result);
      else {
        reader.accessVersion = version;
        reader.expiresAtMs = accessEndsAtMs(result);
      }
    }
  }
}
