import type { SessionOwner } from '../access/principal.ts';
import type { ActionAuthor } from './activity.ts';

/** A page of the sessions, in the order of their ids. */
export interface SessionQuery {
  /** Only those of this key. */
  readonly keyId?: string | undefined;
  /** The id of the session after which the page begins. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface NewSession {
  readonly id: string;
  /** The hash of the secret. */
  readonly hash: Uint8Array;
}

/** Sign-ins of the dashboard. */
export interface SessionStore {
  /** Begins a session of a key; `undefined`: it is not a management key that works. */
  begin(session: NewSession, keyId: string, requestId: string | null): Promise<SessionOwner | undefined>;
  /** Begins a session of the key of a sign-in code, which works once; `undefined`: there is no such code, or the key does not work. */
  beginWithCode(
    session: NewSession,
    codeHash: Uint8Array,
    requestId: string | null,
  ): Promise<SessionOwner | undefined>;
  /** Stores a sign-in code of a key, and returns the time of its expiry. @throws OperatorError when the key does not work. */
  addCode(hash: Uint8Array, keyId: string, author: ActionAuthor): Promise<number>;
  /** The sessions that have not ended. */
  list(query: SessionQuery): Promise<readonly SessionOwner[]>;
  /**
   * Ends a session.
   * @param keyId Only if it belongs to this key.
   * @returns Whether there was one.
   */
  end(sessionId: string, keyId: string | undefined, author: ActionAuthor): Promise<boolean>;
}
