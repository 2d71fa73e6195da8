import { shownValue } from '@petstore-inventory/shared/shown-value';
import { type Environment, hashApiKey, isWellFormedKey, type KeyKind } from '../../domain/access/api-key.ts';
import type { Principal } from '../../domain/access/principal.ts';
import { ApiError, type ErrorCode } from '../../domain/errors.ts';
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import { timestamp } from '../../domain/timestamps.ts';
import type { KeyStore } from '../../domain/store.ts';
import { bearerToken } from './bearer-token.ts';
import { KeyCache } from './key-cache.ts';

/** Concurrent look-ups for callers over the limit of their address. More are rejected without a look-up. */
const MAX_WAITING_GUESSES = 1_000;

/**
 * A credential behind another one: runtimes join repeated headers with a comma. A comma alone proves nothing, because
 * one credential of another scheme, such as Digest, separates its parameters with commas.
 */
const SECOND_CREDENTIAL = /,[ \t]*(?:bearer$|[\w-]+ +[^ =])/i;

/** The owner of the request's key, or the refusal of the key. */
export type AuthResult = Principal | ApiError;

/** `WWW-Authenticate` (RFC 6750 section 3) has an error attribute only if a credential was sent. */
export function refusal(code: ErrorCode, message: string, attributes = ', error="invalid_token"'): ApiError {
  return new ApiError(code, message, {
    headers: { 'WWW-Authenticate': `Bearer realm="petstore"${attributes}` },
  });
}

const MISSING_KEY: Readonly<Record<KeyKind, string>> = {
  client: 'Send your API key as: Authorization: Bearer <API_KEY>.',
  management: 'Send a management key (psa_...) as: Authorization: Bearer <MANAGEMENT_KEY>.',
};

/** A key of the other kind, by its beginning. */
const OTHER_KIND: Readonly<Record<KeyKind, { readonly prefix: string; readonly message: string }>> = {
  client: {
    prefix: 'psa_',
    message: 'This is a management key (psa_). /v1 needs the API key of an account (psk_).',
  },
  management: {
    prefix: 'psk_',
    message: 'This is the API key of an account (psk_). /admin/v1 needs a management key (psa_).',
  },
};

/** One message for every invalid key of the right kind, so that a guess reveals nothing. */
const INVALID_KEY: Readonly<Record<KeyKind, string>> = {
  client:
    'The API key is not valid here. Check that it begins with psk_, is complete, and is neither revoked nor expired.',
  management:
    'The key is not valid here. Check that it begins with psa_, is complete, and is neither revoked nor expired.',
};

function tooManyGuesses(): ApiError {
  return new ApiError(
    'rate_limit_exceeded',
    'Too many unknown API keys came from this address. Retry soon.',
    {
      headers: { 'Retry-After': '1' },
    },
  );
}

/**
 * Finds the owner of a request's key. Keys are cached until the access version of the store changes.
 */
export class Authenticator {
  readonly #store: KeyStore;
  readonly #environment: Environment;
  readonly #pepper: Uint8Array;
  readonly #kind: KeyKind;
  readonly #cache = new KeyCache<Principal>();
  #waitingGuesses = 0;

  /** @param kind The keys that are valid; all others are refused without a look-up. */
  constructor(store: KeyStore, environment: Environment, pepper: Uint8Array, kind: KeyKind = 'client') {
    this.#store = store;
    this.#environment = environment;
    this.#pepper = pepper;
    this.#kind = kind;
  }

  /**
   * @param isOverLimit Whether the caller's address has used up its requests without a valid key. Called only for a
   *   key that is not cached.
   * @throws ApiError `malformed_request` when there is more than one credential.
   */
  authenticate(
    authorization: string | null,
    nowMs: number,
    isOverLimit: () => boolean = () => false,
  ): MaybePromise<AuthResult> {
    if (authorization === null) return this.#missingKey();
    const generation = this.#cache.follow(this.#store.accessVersion());
    const key = bearerToken(authorization);
    const cached = key === undefined ? undefined : this.#cache.get(key);
    if (cached?.generation === generation) return usable(cached.owner, nowMs);
    if (SECOND_CREDENTIAL.test(authorization)) {
      throw new ApiError('malformed_request', 'Send one Authorization header with one API key.');
    }
    if (key === undefined || /\s/.test(key)) return this.#missingKey();
    const { prefix, message } = OTHER_KIND[this.#kind];
    if (key.startsWith(prefix)) return refusal('invalid_api_key', message);
    if (!isWellFormedKey(key, this.#environment, this.#kind) || this.#cache.isUnknown(key))
      return this.#invalidKey();
    // A recently valid key never waits behind guesses from the same address.
    const isGuess = !cached && isOverLimit();
    if (isGuess && this.#waitingGuesses >= MAX_WAITING_GUESSES) return tooManyGuesses();
    return andThen(this.#find(key, isGuess), (principal) => {
      this.#cache.note(key, principal, generation);
      return principal ? usable(principal, nowMs) : this.#invalidKey();
    });
  }

  #missingKey(): ApiError {
    return refusal('missing_api_key', MISSING_KEY[this.#kind], '');
  }

  #invalidKey(): ApiError {
    return refusal('invalid_api_key', INVALID_KEY[this.#kind]);
  }

  #find(key: string, isGuess: boolean): MaybePromise<Principal | undefined> {
    const found = this.#store.findKey(hashApiKey(key, this.#pepper), isGuess);
    if (!isGuess || !(found instanceof Promise)) return found;
    this.#waitingGuesses += 1;
    return found.finally(() => {
      this.#waitingGuesses -= 1;
    });
  }
}

/** Only here, after the caller has proved the secret, the response distinguishes revoked and expired keys. */
function usable(principal: Principal, nowMs: number): AuthResult {
  const { revokedAtMs, expiresAtMs } = principal.key;
  // Independent of the clock: a step back must not reactivate a revoked key.
  if (revokedAtMs !== null) {
    return refusal(
      'revoked_api_key',
      `The key ${shownValue(principal.key.name)} was revoked. Use another key.`,
    );
  }
  if (expiresAtMs !== null && expiresAtMs <= nowMs) {
    return refusal(
      'expired_api_key',
      `The key ${shownValue(principal.key.name)} expired at ${timestamp(expiresAtMs)}. Use a newer key.`,
    );
  }
  return principal;
}
