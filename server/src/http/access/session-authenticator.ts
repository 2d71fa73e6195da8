import { hashApiKey } from '../../domain/access/api-key.ts';
import type { Session, SessionOwner } from '../../domain/access/principal.ts';
import { isSessionLive, isSessionSecret } from '../../domain/access/sessions.ts';
import type { ApiError } from '../../domain/errors.ts';
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import type { KeyStore } from '../../domain/store.ts';
import { refusal } from './authenticator.ts';
import { KeyCache } from './key-cache.ts';

type SessionKeys = Pick<KeyStore, 'accessVersion' | 'findSession' | 'noteSessionUse'>;

/** Finds the session of a cookie with its key. Sessions are cached as keys are. */
export class SessionAuthenticator {
  readonly #store: SessionKeys;
  readonly #pepper: Uint8Array;
  readonly #cache = new KeyCache<SessionOwner>();

  constructor(store: SessionKeys, pepper: Uint8Array) {
    this.#store = store;
    this.#pepper = pepper;
  }

  /** @param isOverLimit As of `Authenticator`. */
  authenticate(
    secret: string,
    nowMs: number,
    isOverLimit: () => boolean = () => false,
  ): MaybePromise<SessionOwner | ApiError> {
    const generation = this.#cache.follow(this.#store.accessVersion());
    const cached = this.#cache.get(secret);
    // A session that is over by this cache may have been used at another instance, so only a live one is taken from it.
    if (cached?.generation === generation && isSessionLive(cached.owner, nowMs)) return cached.owner;
    if (!isSessionSecret(secret) || this.#cache.isUnknown(secret)) return sessionEnded();
    const isGuess = !cached && isOverLimit();
    return andThen(this.#store.findSession(hashApiKey(secret, this.#pepper), isGuess), (owner) => {
      this.#cache.note(secret, owner, generation);
      return owner && isSessionLive(owner, nowMs) ? owner : sessionEnded();
    });
  }

  /**
   * Prolongs a session that a request used. No use is before the sign-in: a clock that goes back for some time must not end
   * the session when it is right again.
   */
  noteUse(session: Session, nowMs: number): void {
    session.lastUsedAtMs = Math.max(nowMs, session.createdAtMs);
    this.#store.noteSessionUse(session.id, session.lastUsedAtMs);
  }

  /** The instance that ends a session refuses it immediately; others do after they see the end. */
  forget(secret: string): void {
    this.#cache.forget(secret);
  }
}

function sessionEnded(): ApiError {
  return refusal('session_ended', 'The session has ended. Sign in again.');
}
