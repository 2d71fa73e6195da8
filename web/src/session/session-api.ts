import { api } from '../api/client.ts';
import type { Role } from '../api/schemas.ts';

export interface Session {
  readonly sessionId: string;
  /** The management key that the person signed in with. */
  readonly keyId: string;
  readonly name: string;
  readonly role: Role;
  readonly createdAt: string;
  readonly idleExpiresAt: string;
  readonly expiresAt: string;
}

export type Credential = { readonly key: string } | { readonly code: string };

export const readSession = () => api<Session>('GET', '/session');
export const signIn = (credential: Credential) => api<Session>('POST', '/session', { body: credential });
export const signOut = () => api<void>('DELETE', '/session');
