import { z } from '@hono/zod-openapi';
import { MAX_NAME } from '@petstore-inventory/shared/limits';
import type { SessionOwner } from '../../../domain/access/principal.ts';
import { idleExpiryMs } from '../../../domain/access/sessions.ts';
import { timestamp } from '../../../domain/timestamps.ts';
import { errorComponent } from '../../openapi/error-responses.ts';
import { header, WWW_AUTHENTICATE } from '../../openapi/headers.ts';
import { pathParameter } from '../../openapi/parameters.ts';
import type { RequestContext } from '../../request/request-context.ts';
import { KEY_ID_PATTERN, moment, text } from '../../schemas/values.ts';

const EXAMPLE_ID = 'ses_4fQ2n8Zk1bXw0aLr';
const KEY_EXAMPLE = 'key_4fQ2n8Zk1bXw0aLr';

export const SESSION_ID = pathParameter('sessionId', {
  schema: { type: 'string', maxLength: 100 },
  description: 'The id of the session.',
  example: EXAMPLE_ID,
});

export const SessionSchema = z
  .object({
    sessionId: z.string().openapi({
      pattern: '^ses_[0-9A-Za-z]{16}$',
      description: 'The id of the session.',
      example: EXAMPLE_ID,
    }),
    keyId: z.string().openapi({
      pattern: KEY_ID_PATTERN,
      description: 'The management key of the session. The session ends with it.',
      example: KEY_EXAMPLE,
    }),
    name: text(MAX_NAME, 'The name of the key.', 'Ada'),
    role: text(50, 'The role of the key: viewer, staff or administrator.', 'staff'),
    createdAt: moment('When the person signed in.'),
    lastUsedAt: moment('When the session was last used, to the minute.'),
    idleExpiresAt: moment('When the session ends if it is not used before.', '2026-07-01T15:30:00.000Z'),
    expiresAt: moment('When the session ends at the latest.', '2026-07-02T07:30:00.000Z'),
    isCurrent: z.boolean().openapi({ description: 'Whether this request used it.', example: true }),
  })
  .openapi('Session', { description: 'A sign-in to the dashboard.' });

const COOKIE = {
  description:
    'The cookie of the session: `__Host-petstore_session`; without TLS `petstore_session`, without `Secure`.',
  required: true,
  schema: { type: 'string', pattern: '^(__Host-)?petstore_session=' },
} as const;
export const SESSION_COOKIE = header('Set-Cookie', 'SessionCookie', {
  ...COOKIE,
  example: '__Host-petstore_session=…; Path=/; HttpOnly; Secure; SameSite=Strict',
});
export const ENDED_COOKIE = header('Set-Cookie', 'EndedSessionCookie', {
  ...COOKIE,
  example: '__Host-petstore_session=; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=0',
});

export const SIGN_IN_FORBIDDEN = {
  403: errorComponent('SignInForbidden', {
    description: 'Sessions are not allowed on this connection, or another site made the request.',
    codes: ['insecure_connection', 'cross_site_request'],
    headers: WWW_AUTHENTICATE,
  }),
};

/** A session as responses show it. */
export function sessionJson({ session, key }: SessionOwner, context: RequestContext): object {
  return {
    sessionId: session.id,
    keyId: key.id,
    name: key.name,
    role: key.role,
    createdAt: timestamp(session.createdAtMs),
    lastUsedAt: timestamp(session.lastUsedAtMs),
    idleExpiresAt: timestamp(idleExpiryMs(session)),
    expiresAt: timestamp(session.expiresAtMs),
    isCurrent: context.principal?.session?.id === session.id,
  };
}
