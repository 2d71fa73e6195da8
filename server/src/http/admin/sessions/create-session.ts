import { z } from '@hono/zod-openapi';
import { createId, hashApiKey } from '../../../domain/access/api-key.ts';
import type { SessionOwner } from '../../../domain/access/principal.ts';
import { createSessionSecret, isSessionSecret } from '../../../domain/access/sessions.ts';
import type { KeySecrets } from '../../../domain/actions/keys.ts';
import type { ManagementStore } from '../../../domain/admin-store.ts';
import { ApiError } from '../../../domain/errors.ts';
import { type Authenticator, refusal } from '../../access/authenticator.ts';
import { type SessionGate, SIGN_INS_PER_MINUTE } from '../../access/session-gate.ts';
import { CONFLICT, errorComponent } from '../../openapi/error-responses.ts';
import { WWW_AUTHENTICATE } from '../../openapi/headers.ts';
import { body } from '../../operation/body.ts';
import { operationsWith } from '../../operation/operation.ts';
import { one } from '../../operation/output.ts';
import type { RequestContext } from '../../request/request-context.ts';
import { bodyObject } from '../fields.ts';
import { SESSION, SESSION_COOKIE, type SeenSession } from './sessions.ts';

const TEXT_RULE = 'must be a text of at most 100 characters.';
const credential = (description: string, example: string) =>
  z.string(TEXT_RULE).max(100, TEXT_RULE).openapi({ maxLength: 100, description, example });

const ByKey = bodyObject({ key: credential('A management key.', 'psa_live_…') });
const ByCode = bodyObject({ code: credential('The code of a sign-in link, which works once.', '…') });
const SIGN_IN = body(
  z
    .union([ByKey, ByCode], { error: 'must have a key or a code, and nothing else.' })
    .openapi('SignIn', { description: 'What proves who signs in.', example: { key: 'psa_live_…' } }),
  { isSecret: true },
);

const SIGN_IN_FORBIDDEN = {
  403: errorComponent('SignInForbidden', {
    description: 'Sessions are not allowed on this connection, or another site made the request.',
    codes: ['insecure_connection', 'cross_site_request'],
    headers: WWW_AUTHENTICATE,
  }),
};

interface Services {
  readonly management: ManagementStore;
  readonly secrets: KeySecrets;
  readonly authenticator: Authenticator;
  readonly sessions: SessionGate;
}

const operation = operationsWith<Services>({ tag: 'Sessions' });

export const createSession = operation({
  id: 'createSession',
  at: 'POST /session',
  summary: 'Sign in to the dashboard',
  description: `Exchanges a management key, or the code of a sign-in link, for the cookie of a session. The session stands for the key, with its role. It ends 24 hours after the sign-in, after 8 hours without a request, or with the key. A page can sign in only if it is one of this service, by \`Sec-Fetch-Site\` or \`Origin\`. An address can fail ${SIGN_INS_PER_MINUTE} times per minute.`,
  access: 'open',
  // Read by `handle`, after the checks that come before a body.
  body: { ...SIGN_IN, read: async () => undefined },
  output: one(SESSION, {
    description: 'The new session.',
    headers: [
      {
        documented: SESSION_COOKIE,
        of: ({ cookie }: SeenSession & { readonly cookie: string }) => ({ 'Set-Cookie': cookie }),
      },
    ],
  }),
  errors: { ...CONFLICT, ...SIGN_IN_FORBIDDEN },
  handle: async (services, { context }) => {
    services.sessions.requireSignInAllowed(context);
    services.sessions.requireSignInLeft(context);
    const sent = await SIGN_IN.read(context);
    services.sessions.beginSignIn(context);
    const secret = createSessionSecret();
    const owner =
      'key' in sent
        ? await beginWithKey(services, context, sent.key, secret)
        : await beginWithCode(services, context, sent.code, secret);
    context.principal = owner;
    return { owner, context, cookie: services.sessions.endSignIn(context, secret) };
  },
});

async function beginWithKey(
  { authenticator, management, secrets }: Services,
  context: RequestContext,
  key: string,
  secret: string,
): Promise<SessionOwner> {
  if (!/^\w+$/.test(key)) throw invalidKey();
  const found = await authenticator.authenticate(`Bearer ${key}`, context.nowMs);
  if (found instanceof ApiError) throw found;
  const session = newSession(secret, secrets.pepper);
  const owner = await management.sessions.begin(session, found.key.id, context.requestId);
  if (owner) return owner;
  throw invalidKey();
}

function invalidKey(): ApiError {
  return refusal(
    'invalid_api_key',
    'The management key is not valid here. Copy it again, or make a sign-in link: petstore-server login-link.',
  );
}

async function beginWithCode(
  { management, secrets: { pepper } }: Services,
  context: RequestContext,
  code: string,
  secret: string,
): Promise<SessionOwner> {
  const owner = isSessionSecret(code)
    ? await management.sessions.beginWithCode(
        newSession(secret, pepper),
        hashApiKey(code, pepper),
        context.requestId,
      )
    : undefined;
  if (owner) return owner;
  throw refusal(
    'invalid_api_key',
    'The sign-in link is wrong, was used, or has expired. Make another one: petstore-server login-link.',
  );
}

function newSession(secret: string, pepper: Uint8Array) {
  return { id: createId('ses'), hash: hashApiKey(secret, pepper) };
}
