import { z } from '@hono/zod-openapi';
import { nameOf, requireAccount } from '../../../domain/actions/accounts.ts';
import { CREATED_AT } from '../../openapi/headers.ts';
import { responses } from '../../openapi/responses.ts';
import { MAX_BODY_BYTES, readJsonBody } from '../../request/json-body.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import { ACCOUNT_ID } from '../../webhooks/endpoint-schema.ts';
import { ACCOUNT_ID_FACTS } from '../accounts/account-schema.ts';
import { ACTION_ERRORS, adminOperation, missing } from '../admin-operation.ts';
import { bodyObject, nameField, ruled, timeField } from '../fields.ts';
import { respondNewKey } from './key-actions.ts';
import { CreatedKeySchema, ScopesField } from './key-schema.ts';

const ACCOUNT_RULE = 'must be the id of an account, such as acc_7dM3kPq9sTv2Wx5Y.';

const schema = bodyObject({
  accountId: z
    .string(ruled(ACCOUNT_RULE))
    .regex(ACCOUNT_ID, ACCOUNT_RULE)
    .openapi('AccountId', ACCOUNT_ID_FACTS),
  name: nameField('Its purpose; the name of the account by default.', 'till').optional(),
  scopes: ScopesField.optional(),
  expiresAt: timeField('When it expires; never by default.').optional(),
}).openapi('KeyCreation', {
  description: 'An API key to create.',
  example: { accountId: ACCOUNT_ID_FACTS.example, name: 'till', scopes: ['inventory:read'] },
});

export const createKey = adminOperation({
  route: {
    operationId: 'createKey',
    method: 'post',
    path: '/keys',
    tags: ['Keys'],
    summary: 'Create an API key',
    description: 'Creates an API key. Only this response has its secret.',
    'x-stability': 'beta',
    request: { body: { required: true, content: { 'application/json': { schema } } } },
    responses: responses({
      isAction: true,
      status: 201,
      success: { schema: CreatedKeySchema, description: 'The new key.', headers: CREATED_AT },
      errors: { ...ACTION_ERRORS, ...missing('account') },
    }),
  },
  role: 'administrator',
  create: (services) => async (context) => {
    requireNoQuery(context);
    const body = await readJsonBody(context, { schema, maxBytes: MAX_BODY_BYTES });
    const account = await requireAccount(services.management, body.accountId);
    const name = nameOf(body.name ?? account.name) as string;
    const scopes = body.scopes ? [...new Set(body.scopes)] : null;
    const fields = { accountId: account.id, role: null, name, scopes, expiresAt: body.expiresAt };
    return respondNewKey(context, services, fields);
  },
});
