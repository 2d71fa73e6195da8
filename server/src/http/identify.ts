import { type Environment, hashApiKey, isWellFormedKey, type KeyHolder } from '../domain/api-key.ts';
import { ApiError, type ErrorCode } from '../domain/errors.ts';
import { andThen, type Eventually } from '../domain/eventually.ts';
import type { KeyStore } from '../domain/store.ts';

/** More keys than this are not remembered between requests; the rest is looked up each time. */
const REMEMBERED_KEYS = 10_000;
const CREDENTIAL = /^bearer(?: +(\S*))? *$/i;

/** The holder of the key that a request carries, or why there is none. */
export type Identity = KeyHolder | ApiError;

/** WWW-Authenticate as RFC 6750 section 3 has it: an error attribute only when a credential was given. */
function refusal(code: ErrorCode, message: string, attributes = ', error="invalid_token"'): ApiError {
  return new ApiError(code, message, {
    headers: { 'WWW-Authenticate': `Bearer realm="petstore"${attributes}` },
  });
}

function missingKey(): ApiError {
  return refusal('missing_api_key', 'Send your API key as: Authorization: Bearer <API_KEY>.', '');
}

/** One body for every key that is not one, so that a guess learns nothing. */
function invalidKey(): ApiError {
  return refusal('invalid_api_key', 'The API key is not valid here.');
}

/**
 * Finds out who makes a request. Keys found are remembered by the header that carried them, until the store
 * says that accounts or keys may have changed.
 */
export class Identifier {
  readonly #store: KeyStore;
  readonly #environment: Environment;
  readonly #pepper: Uint8Array;
  readonly #remembered = new Map<string, KeyHolder>();
  #rememberedVersion = -1;

  constructor(store: KeyStore, environment: Environment, pepper: Uint8Array) {
    this.#store = store;
    this.#environment = environment;
    this.#pepper = pepper;
  }

  /** @throws ApiError `malformed_request` when there is more than one credential. */
  identify(authorization: string | null, nowMs: number): Eventually<Identity> {
    if (authorization === null) return missingKey();
    const version = this.#store.accessVersion();
    if (version !== this.#rememberedVersion) {
      this.#remembered.clear();
      this.#rememberedVersion = version;
    }
    const remembered = this.#remembered.get(authorization);
    return remembered ? usable(remembered, nowMs) : this.#lookUp(authorization, version, nowMs);
  }

  #lookUp(authorization: string, version: number, nowMs: number): Eventually<Identity> {
    // Runtimes join repeated headers with a comma, which no credential of ours can hold.
    if (authorization.includes(',')) {
      throw new ApiError('malformed_request', 'Send one Authorization header with one API key.');
    }
    const key = CREDENTIAL.exec(authorization)?.[1];
    if (!key) return missingKey();
    if (!isWellFormedKey(key, this.#environment)) return invalidKey();
    return andThen(this.#store.findKey(hashApiKey(key, this.#pepper)), (holder) => {
      if (!holder) return invalidKey();
      if (version === this.#rememberedVersion && this.#remembered.size < REMEMBERED_KEYS) {
        this.#remembered.set(authorization, holder);
      }
      return usable(holder, nowMs);
    });
  }
}

/** Revoked and expired are told apart only here, after the caller has proved to hold the secret. */
function usable(holder: KeyHolder, nowMs: number): Identity {
  const { revokedAtMs, expiresAtMs } = holder.key;
  // Whatever the clock says: a step back must not bring a revoked key to life.
  if (revokedAtMs !== null) {
    return refusal('revoked_api_key', 'The API key was revoked; use another one.');
  }
  if (expiresAtMs !== null && expiresAtMs <= nowMs) {
    return refusal('expired_api_key', 'The API key has expired; use a newer one.');
  }
  return holder;
}
