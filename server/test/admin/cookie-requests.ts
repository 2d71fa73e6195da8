import assert from 'node:assert/strict';
import type { Role } from '@petstore-inventory/shared/words';
import type { Answer, MadeKey, Sending, TestApp } from '../support/harness.ts';

/** A person who has signed in to the dashboard. */
export interface SignedIn extends MadeKey {
  readonly sessionId: string;
  /** The header of the cookie. */
  readonly cookie: string;
  /** Sends a request as a page of the service does. */
  send(method: string, path: string, sending?: Omit<Sending, 'key'>): Promise<Answer>;
}

export interface SessionJson {
  readonly sessionId: string;
  readonly keyId: string;
  readonly firstKeyId: string;
  readonly name: string;
  readonly role: Role;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly idleExpiresAt: string;
  readonly expiresAt: string;
  readonly isCurrent: boolean;
}

export function sessionOf({ json }: Answer): SessionJson {
  return json as unknown as SessionJson;
}

/** The cookie of an answer, as a browser sends it back. */
export function cookieOf({ headers }: Answer): string {
  return (headers.get('Set-Cookie') ?? '').split(';', 1)[0] as string;
}

export function signIn(
  { request }: Pick<TestApp, 'request'>,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return request('POST', '/admin/v1/session', { key: null, body: JSON.stringify(body), headers });
}

/** Signs in with a new key of a role. */
export async function signedIn(app: TestApp, role: Role, made?: MadeKey): Promise<SignedIn> {
  const own = made ?? (await app.makeAdminKey(role));
  const answer = await signIn(app, { key: own.key });
  assert.equal(answer.status, 200, answer.text);
  const cookie = cookieOf(answer);
  return {
    ...own,
    sessionId: sessionOf(answer).sessionId,
    cookie,
    send: (method, path, { headers, ...sending } = {}) => {
      const all = new Headers(headers);
      all.set('Cookie', cookie);
      if (!all.has('Sec-Fetch-Site')) all.set('Sec-Fetch-Site', 'same-origin');
      return app.request(method, `/admin/v1${path}`, { ...sending, key: null, headers: all });
    },
  };
}
