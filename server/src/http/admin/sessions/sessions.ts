import { shownValue } from '@petstore-inventory/shared/shown-value';
import { z } from '@hono/zod-openapi';
import { MAX_NAME } from '@petstore-inventory/shared/limits';
import type { Principal, SessionOwner } from '../../../domain/access/principal.ts';
import { includesRole } from '../../../domain/access/roles.ts';
import { idleExpiryMs } from '../../../domain/access/sessions.ts';
import type { ManagementStore } from '../../../domain/admin-store.ts';
import { ApiError } from '../../../domain/errors.ts';
import { timestamp } from '../../../domain/timestamps.ts';
import type { SessionGate } from '../../access/session-gate.ts';
import { header } from '../../openapi/headers.ts';
import { operationsWith } from '../../operation/operation.ts';
import { nothing, one, page, pageOf, view } from '../../operation/output.ts';
import { anyText, oneMore, PAGE } from '../../operation/parameter.ts';
import type { RequestContext } from '../../request/request-context.ts';
import { KEY_ID_PATTERN, moment, text } from '../../schemas/values.ts';

const operation = operationsWith<{
  readonly management: ManagementStore;
  readonly sessions: SessionGate;
}>({ tag: 'Sessions' });

const EXAMPLE_ID = 'ses_4fQ2n8Zk1bXw0aLr';

/** A session, and the request that shows it. */
export interface SeenSession {
  readonly owner: SessionOwner;
  readonly context: RequestContext;
}

export const SESSION = view(
  'Session',
  z
    .object({
      sessionId: z.string().openapi({
        pattern: '^ses_[0-9A-Za-z]{16}$',
        description: 'The id of the session.',
        example: EXAMPLE_ID,
      }),
      keyId: z.string().openapi({
        pattern: KEY_ID_PATTERN,
        description: 'The management key of the session. The session ends with it.',
        example: 'key_4fQ2n8Zk1bXw0aLr',
      }),
      firstKeyId: z.string().openapi({
        pattern: KEY_ID_PATTERN,
        description:
          'The first one of the keys that led to this key by rotation, or this key: it stays the same for a person.',
        example: 'key_4fQ2n8Zk1bXw0aLr',
      }),
      name: text(MAX_NAME, 'The name of the key.', 'Ada'),
      role: text(50, 'The role of the key: viewer, staff or administrator.', 'staff'),
      createdAt: moment('When the person signed in.'),
      lastUsedAt: moment('When the session was last used, to the minute.'),
      idleExpiresAt: moment('When the session ends if it is not used before.', '2026-07-01T15:30:00.000Z'),
      expiresAt: moment('When the session ends at the latest.', '2026-07-02T07:30:00.000Z'),
      isCurrent: z.boolean().openapi({ description: 'Whether this request used it.', example: true }),
    })
    .openapi({ description: 'A sign-in to the dashboard.' }),
  ({ owner: { session, key }, context }: SeenSession) => ({
    sessionId: session.id,
    keyId: key.id,
    firstKeyId: key.firstKeyId ?? key.id,
    name: key.name,
    role: key.role ?? '',
    createdAt: timestamp(session.createdAtMs),
    lastUsedAt: timestamp(session.lastUsedAtMs),
    idleExpiresAt: timestamp(idleExpiryMs(session)),
    expiresAt: timestamp(session.expiresAtMs),
    isCurrent: context.principal?.session?.id === session.id,
  }),
);

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

const ENDED_COOKIE = header('Set-Cookie', 'EndedSessionCookie', {
  ...COOKIE,
  example: '__Host-petstore_session=; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=0',
});

export const getSession = operation({
  id: 'getSession',
  at: 'GET /session',
  summary: 'Get the session of this request',
  description: 'Returns the session of the cookie, with the name and the role of its key.',
  access: { role: 'viewer' },
  output: one(SESSION, { description: 'The session.' }),
  missing: 'session',
  handle: (_services, { context }) => ({ owner: requireSession(context), context }),
});

export const endSession = operation({
  id: 'endSession',
  at: 'DELETE /session',
  summary: 'Sign out',
  description:
    'Ends the session of the cookie, and the cookie. This instance refuses it immediately, every other one within 5 seconds.',
  access: { role: 'viewer' },
  output: nothing('The session has ended.', 'SignedOut', {
    documented: ENDED_COOKIE,
    of: (cookie: string) => ({ 'Set-Cookie': cookie }),
  }),
  missing: 'session',
  handle: async ({ management, sessions }, { context, author }) => {
    const { session } = requireSession(context);
    await management.sessions.end(session.id, session.keyId, author);
    return sessions.signOut(context);
  },
});

function requireSession({ principal }: RequestContext): SessionOwner {
  if (principal?.session) return { ...principal, session: principal.session };
  throw new ApiError(
    'not_found',
    'This request has a key and no session. Send the cookie of a session without an Authorization header.',
  );
}

export const listSessions = operation({
  id: 'listSessions',
  at: 'GET /sessions',
  summary: 'List sessions',
  description:
    'Returns the sessions that have not ended, in the order of their ids: those of the caller’s key, and for an administrator those of all keys. Follow `Link` with `rel="next"` until it is missing.',
  access: { role: 'viewer' },
  query: PAGE,
  output: page(SESSION, { response: 'SessionPage', description: 'Sessions.' }),
  handle: async ({ management }, { query, context }) => {
    const owners = await management.sessions.list({ keyId: seenKeyOf(context), ...oneMore(query) });
    const seen = owners.map((owner) => ({ owner, context }));
    return pageOf(seen, query.limit, ({ owner }) => owner.session.id);
  },
});

export const revokeSession = operation({
  id: 'revokeSession',
  at: 'DELETE /sessions/{sessionId}',
  summary: 'End a session',
  description:
    'Ends a session of the caller’s key; an administrator ends any. Every instance refuses it within 5 seconds.',
  access: { role: 'viewer' },
  path: {
    sessionId: anyText({
      required: true,
      schema: { type: 'string', maxLength: 100 },
      description: 'The id of the session.',
      example: EXAMPLE_ID,
    }),
  },
  output: nothing('The session has ended.', 'EndedSession'),
  missing: 'session',
  handle: async ({ management }, { path: { sessionId }, context, author }) => {
    // Other text has no look-up: a database may refuse some of its characters.
    const isId = /^ses_\w{16}$/.test(sessionId);
    if (isId && (await management.sessions.end(sessionId, seenKeyOf(context), author))) return;
    throw new ApiError('not_found', `There is no session ${shownValue(sessionId)}.`);
  },
});

/** The key whose sessions a caller sees and ends; `undefined`: an administrator sees those of all keys. */
function seenKeyOf(context: RequestContext): string | undefined {
  const { key } = context.principal as Principal;
  return includesRole(key.role, 'administrator') ? undefined : key.id;
}
