import type { Account, ApiKey } from './api-key.ts';

/** A session without its secret, which only the cookie has. */
export interface Session {
  readonly id: string;
  readonly keyId: string;
  readonly createdAtMs: number;
  /** Each use sets it; in the store it is to the minute. */
  lastUsedAtMs: number;
  /** The end of its life, if it is used until then. */
  readonly expiresAtMs: number;
}

/** A key with the account whose quota it uses. */
export interface Principal {
  readonly key: ApiKey;
  readonly account: Account;
  /** The session of the dashboard that was sent instead of the key. */
  readonly session?: Session;
}

/** A session with its key. */
export interface SessionOwner extends Principal {
  readonly session: Session;
}
