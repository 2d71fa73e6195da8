import { isApiError } from '../api/api-error.ts';
import { api } from '../api/client.ts';
import type { Role } from '../api/schemas.ts';

export interface Session {
  readonly sessionId: string;
  /** The management key that the person signed in with. */
  readonly keyId: string;
  /** The first one of the keys that led to this key by rotation. An instance of the release before does not name it. */
  readonly firstKeyId?: string;
  readonly name: string;
  readonly role: Role;
  readonly createdAt: string;
  readonly idleExpiresAt: string;
  readonly expiresAt: string;
}

export type Credential = { readonly key: string } | { readonly code: string };

/** The session of this browser. `limitMs` is the longest wait for an answer, if it is not that of all requests. */
export const readSession = (limitMs?: number) =>
  api<Session>('GET', '/session', limitMs === undefined ? {} : { limitMs });
export const signIn = (credential: Credential) => api<Session>('POST', '/session', { body: credential });
/** Ends the session of this browser, or finds that it has ended already. @throws ApiError */
export async function signOut(): Promise<void> {
  try {
    await api<void>('DELETE', '/session');
  } catch (error) {
    if (!isApiError(error) || error.status !== 401) throw error;
  }
}
