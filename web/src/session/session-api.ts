import { isApiError } from '../api/api-error.ts';
import { api } from '../api/client.ts';
import type { Role } from '../api/schemas.ts';
import { browserStorage, keepChoice } from '../storage/browser-storage.ts';
import { inTurn } from './tab-turns.ts';

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
/** @throws ApiError */
export async function signIn(credential: Credential): Promise<Session> {
  await finishSignOut();
  return inTurn(SIGN_IN_WAIT_MS, () =>
    api<Session>('POST', '/session', { body: credential, limitMs: SIGN_IN_WAIT_MS }),
  );
}

/** Marks a sign-out that the service has not confirmed. */
const OPEN_SIGN_OUT = 'petstore.sign-out';
/** A person who leaves does not wait longer for a service that does not answer. */
const SIGN_OUT_WAIT_MS = 8_000;
const SIGN_IN_WAIT_MS = 30_000;
/** Written for a moment, which the other tabs notice. */
export const SIGNED_OUT = 'petstore.signed-out';

/**
 * Ends the session of this browser, or finds that it has ended already. Scripts cannot delete its cookie, so a sign-out that
 * does not reach the service is marked, and sent again before anything else uses the cookie.
 * @throws ApiError if it is refused, or if it does not reach the service and a full storage of the browser takes no mark
 */
export async function signOut(): Promise<void> {
  keepChoice(OPEN_SIGN_OUT, new Date().toISOString());
  try {
    await endSession();
  } catch (error) {
    if (isSignOutOpen() && (!isApiError(error) || error.isUnsure)) return;
    browserStorage.removeItem(OPEN_SIGN_OUT);
    throw error;
  }
}

/** Whether the person has signed out, and the service does not know it yet. */
export const isSignOutOpen = (): boolean => browserStorage.getItem(OPEN_SIGN_OUT) !== null;

/** Ends the session of a person who has signed out before, if there is one. A sign-in waits for it. @throws ApiError */
export async function finishSignOut(): Promise<void> {
  // Another tab may end it first, and somebody signs in there.
  if (ending || isSignOutOpen()) await endSession(isSignOutOpen);
}

/** Tells the other tabs that the person has signed out. */
export function tellSignOut(): void {
  keepChoice(SIGNED_OUT, new Date().toISOString());
  browserStorage.removeItem(SIGNED_OUT);
}

/** The request that ends the session of a person who has signed out. */
let ending: Promise<void> | undefined;

/** Sends one request at a time: its response ends the cookie, also one that the browser got meanwhile. @throws ApiError */
function endSession(isDue: () => boolean = () => true): Promise<void> {
  ending ??= inTurn(SIGN_OUT_WAIT_MS, async () => {
    if (isDue()) await sendEnd();
  }).finally(() => {
    ending = undefined;
  });
  return ending;
}

async function sendEnd(): Promise<void> {
  try {
    await api<void>('DELETE', '/session', { limitMs: SIGN_OUT_WAIT_MS });
  } catch (error) {
    if (!isApiError(error) || error.status !== 401) throw error;
  }
  browserStorage.removeItem(OPEN_SIGN_OUT);
}
