import { z } from '@hono/zod-openapi';
import { createId, hashApiKey } from '../../../domain/access/api-key.ts';
import type { SessionOwner } from '../../../domain/access/principal.ts';
import { createSessionSecret, isSessionSecret } from '../../../domain/access/sessions.ts';
import { ApiError } from '../../../domain/errors.ts';
import { refusal } from '../../access/authenticator.ts';
import { SIGN_INS_PER_MINUTE } from '../../access/session-gate.ts';
import { errorComponent } from '../../openapi/error-responses.ts';
import { WWW_AUTHENTICATE } from '../../openapi/headers.ts';
import { responses } from '../../openapi/responses.ts';
import { JSON_TYPE } from '../../request/error-response.ts';
import { MAX_BODY_BYTES, readJsonBody } from '../../request/json-body.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import type { RequestContext } from '../../request/request-context.ts';
import { ACTION_ERRORS, type AdminServices, adminOperation } from '../admin-operation.ts';
import { bodyObject, ruled } from '../fields.ts';
import { SESSION, SESSION_COOKIE } from './sessions.ts';

const TEXT_RULE = 'must be a text of at most 100 characters.';
const credential = (description: string, example: string) =>
  z.string(ruled(TEXT_RULE)).max(100, TEXT_RULE).openapi({ maxLength: 100, description, example });

const ByKey = bodyObject({ key: credential('A management key.', 'psa_live_…') });
const ByCode = bodyObject({ code: credential('The code of a sign-in link, which works once.', '…') });
const schema = z
  .union([ByKey, ByCode], { error: 'must have a key or a code, and nothing else.' })
  .openapi('SignIn', { description: 'What proves who signs in.', example: { key: 'psa_live_…' } });

const SIGN_IN_FORBIDDEN = {
  403: errorComponent('SignInForbidden', {
    description: 'Sessions are not allowed on this connection, or another site made the request.',
    codes: ['insecure_connection', 'cross_site_request'],
    headers: WWW_AUTHENTICATE,
  }),
};

export const createSession = adminOperation({
  route: {
    operationId: 'createSession',
    method: 'post',
    path: '/session',
    tags: ['Sessions'],
    summary: 'Sign in to the dashboard',
    description: `Exchanges a management key, or the code of a sign-in link, for the cookie of a session. The session stands for the key, with its role. It ends 24 hours after the sign-in, after 8 hours without a request, or with the key. A page can sign in only if it is one of this service, by \`Sec-Fetch-Site\` or \`Origin\`. An address can fail ${SIGN_INS_PER_MINUTE} times per minute.`,
    'x-stability': 'beta',
    request: { body: { required: true, content: { 'application/json': { schema } } } },
    responses: responses({
      isAction: true,
      success: { schema: SESSION.schema, description: 'The new session.', headers: SESSION_COOKIE },
      errors: { ...ACTION_ERRORS, ...SIGN_IN_FORBIDDEN },
    }),
  },
  isOpen: true,
  create: (services) => async (context) => {
    requireNoQuery(context);
    services.sessions.requireSignInAllowed(context);
    services.sessions.requireSignInLeft(context);
    const body = await readJsonBody(context, { schema, maxBytes: MAX_BODY_BYTES });
    services.sessions.beginSignIn(context);
    const secret = createSessionSecret();
    const owner =
      'key' in body
        ? await beginWithKey(services, context, body.key, secret)
        : await beginWithCode(services, context, body.code, secret);
    context.principal = owner;
    return context.respond(200, SESSION.json({ owner, context }), {
      'Content-Type': JSON_TYPE,
      'Cache-Control': 'no-store',
      'Set-Cookie': services.sessions.endSignIn(context, secret),
    });
  },
});

async function beginWithKey(
  { authenticator, management, secrets }: AdminServices,
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
  return refusal('invalid_api_key', 'The management key is not valid here.');
}

async function beginWithCode(
  { management, secrets: { pepper } }: AdminServices,
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
