import { serviceNow } from '../api/service-clock.ts';
import type { Session } from '../session/session-api.ts';
import { browserStorage } from '../storage/browser-storage.ts';

export const SESSION = 'petstore.session';

type Keys = Pick<Session, 'keyId' | 'firstKeyId'>;

/** Who a session is of, whichever key of a chain of rotations it began with. */
export const personOf = ({ keyId, firstKeyId = keyId }: Keys): string => firstKeyId;

/** Whether two sessions are of one person. One of them may come from a release that did not name the first key. */
export const isSamePerson = (a: Keys, b: Keys): boolean => personOf(a) === personOf(b) || a.keyId === b.keyId;

interface KeptSession extends Session {
  /** How wrong the clock of the browser was: without a connection nothing else shows when the session ends. */
  readonly skewMs?: number;
}

/** Who the person is. No credential: the cookie of the session is out of reach of scripts. */
export function keepSession(session: Session): void {
  try {
    const kept: KeptSession = { ...session, skewMs: serviceNow() - Date.now() };
    browserStorage.setItem(SESSION, JSON.stringify(kept));
  } catch {
    // A full storage: the dashboard does not open without a connection.
  }
}

/** The session of the last visit, if it may still run. */
export function keptSession(): Session | undefined {
  try {
    const session = JSON.parse(browserStorage.getItem(SESSION) ?? 'null') as KeptSession | null;
    const nowMs = Date.now() + (session?.skewMs ?? 0);
    const ends = [session?.idleExpiresAt, session?.expiresAt].map((at) => Date.parse(at ?? ''));
    return session && ends.every((endMs) => endMs > nowMs) ? session : undefined;
  } catch {
    return undefined;
  }
}
