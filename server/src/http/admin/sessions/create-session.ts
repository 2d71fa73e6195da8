import { z } from '@hono/zod-openapi';
import { createId, hashApiKey } from '../../../domain/access/api-key.ts';
import type { SessionOwner } from '../../../domain/access/principal.ts';
import { createSessionSecret, isSessionSecret } from '../../../domain/access/sessions.ts';
import { ApiError } from '../../../domain/errors.ts';
import { refusal } from '../../access/authenticator.ts';
import { SIGN_INS_PER_MINUTE } from '../../access/session-gate.ts';
import { responses } from '../../openapi/responses.ts';
import { MAX_BODY_BYTES, readJsonBody } from '../../request/json-body.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import type { RequestContext } from '../../request/request-context.ts';
import { ACTION_ERRORS, type AdminServices, adminOperation, respondJson } from '../admin-operation.ts';
import { bodyObject, ruled } from '../fields.ts';
import { SESSION_COOKIE, SessionSchema, SIGN_IN_FORBIDDEN, sessionJson } from './session-schema.ts';

const TEXT_RULE = 'must be a text of at most 100 characters.';
const credential = (description: string, example: string) =>
  z.string(ruled(TEXT_RULE)).max(100, TEXT_RULE).openapi({ maxLength: 100, description, example });

const ByKey = bodyObject({ key: credential('A management key.', 'psa_live_…') });
const ByCode = bodyObject({ code: credential('The code of a sign-in link, which works once.', '…') });
const schema = z
  .union([ByKey, ByCode], { error: 'must have a key or a code, and nothing else.' })
  .openapi('SignIn', { description: 'What proves who signs in.', example: { key: 'psa_live_…' } });

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
      success: { schema: SessionSchema, description: 'The new session.', headers: SESSION_COOKIE },
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
    const headers = { 'Set-Cookie': services.sessions.endSignIn(context, secret) };
    return respondJson(context, 200, sessionJson(owner, context), headers);
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
